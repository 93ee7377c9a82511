package dev.tidemark.examples.week;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.flink.TidemarkFlinkOptions;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.apache.beam.sdk.Pipeline;
import org.apache.flink.api.common.JobID;

/**
 * Takes the pipelines through the simulated time. The clock goes on once each running region has
 * committed what it got, or has said that it got nothing, so what happens does not depend on how
 * fast the machine is.
 */
final class WeekRun implements AutoCloseable {
  private static final int MOST_SECONDS_PER_HOUR = 90;

  private final Scenario scenario;
  private final WeekPipelines pipelines;
  private final WeekTable table;
  private final Path savepoints;
  private final WeekCluster cluster;
  private final Map<Region, JobID> running = new EnumMap<>(Region.class);
  private final Map<Region, String> stopped = new EnumMap<>(Region.class);
  private final Map<Region, Long> delivered = new EnumMap<>(Region.class);
  private int restores;

  private WeekRun(Scenario scenario, CatalogConfig catalog, Path savepoints, WeekCluster cluster) {
    this.scenario = scenario;
    this.pipelines = new WeekPipelines(catalog, scenario);
    this.table = new WeekTable(catalog);
    this.savepoints = savepoints;
    this.cluster = cluster;
  }

  static WeekRun start(Scenario scenario, CatalogConfig catalog, Path savepoints) throws Exception {
    SimulatedClock.set(0);
    CrashPlan.reset();
    WeekReports.reset();
    return new WeekRun(scenario, catalog, savepoints, WeekCluster.start());
  }

  /** Runs all of it; says after each hour which one it was. */
  void run(IntConsumer progress) throws Exception {
    for (Region region : Region.values()) {
      submit(region, null);
    }
    for (int hour = 1; hour <= scenario.hours(); hour++) {
      prepare(hour);
      for (Region region : Region.values()) {
        delivered.merge(region, (long) scenario.delivered(region, hour).size(), Long::sum);
      }
      SimulatedClock.set(hour);
      awaitHour(hour);
      if (scenario.isBackfilledAt(hour)) {
        backfill();
      }
      if (hour % 24 == 0) {
        table.expire();
      }
      progress.accept(hour);
    }
    for (JobID job : running.values()) {
      cluster.cancel(job);
    }
    running.clear();
  }

  /** Restores from savepoints. */
  int restores() {
    return restores;
  }

  WeekTable table() {
    return table;
  }

  private void prepare(int hour) throws Exception {
    Region stop = scenario.stoppedAt(hour);
    if (stop != null) {
      stopped.put(stop, cluster.stop(running.remove(stop), savepoints));
    }
    Region restore = scenario.restoredAt(hour);
    if (restore != null) {
      submit(restore, stopped.remove(restore));
      restores++;
    }
    Region crash = scenario.crashedAt(hour);
    if (crash != null) {
      CrashPlan.plan(crash, Scenario.placeOfCrashAt(hour));
    }
  }

  private void submit(Region region, String savepoint) throws Exception {
    TidemarkFlinkOptions options = cluster.options(true);
    options.setJobName("orders-" + region.writerId());
    if (savepoint != null) {
      options.setSavepointPath(savepoint);
    }
    Pipeline pipeline = Pipeline.create(options);
    pipelines.buildRegion(pipeline, region);
    running.put(region, cluster.submit(pipeline));
  }

  private void backfill() throws Exception {
    TidemarkFlinkOptions options = cluster.options(false);
    options.setJobName("orders-" + Scenario.BACKFILL_WRITER);
    Pipeline pipeline = Pipeline.create(options);
    pipelines.buildBackfill(pipeline);
    cluster.await(cluster.submit(pipeline));
  }

  private void awaitHour(int hour) throws Exception {
    for (Map.Entry<Region, JobID> job : running.entrySet()) {
      Region region = job.getKey();
      Deadline deadline =
          Deadline.in(
              MOST_SECONDS_PER_HOUR, "commit hour " + hour + " of writer " + region.writerId());
      while (!isDone(region, hour)) {
        if (cluster.hasEnded(job.getValue())) {
          throw new IllegalStateException("The pipeline of region " + region + " ended by itself");
        }
        deadline.pause();
        table.look();
      }
    }
  }

  private boolean isDone(Region region, int hour) {
    String writer = region.writerId();
    boolean silent = scenario.delivered(region, hour).isEmpty();
    return table.committedRows(writer) >= delivered.get(region)
        && (!silent || table.attestedMillis(writer) >= Scenario.endOf(hour));
  }

  @Override
  public void close() {
    cluster.close();
  }
}
