package dev.tidemark.examples.week;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.EmbeddedFlink;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.apache.beam.sdk.Pipeline;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobmaster.JobResult;

/**
 * Takes the pipelines through the simulated time. The clock goes on once each running region has
 * committed what it got, or has said that it got nothing, so what happens does not depend on how
 * fast the machine is.
 */
final class WeekRun implements AutoCloseable {
  private static final int MOST_SECONDS_PER_HOUR = 90;
  private static final int MOST_SECONDS_OF_BACKFILL = 120;
  private static final int CHECKPOINT_MILLIS = 100;
  private static final int MOST_RESTARTS = 100;

  private final Scenario scenario;
  private final WeekPipelines pipelines;
  private final WeekTable table;
  private final Path savepoints;
  private final EmbeddedFlink cluster;
  private final Map<Region, JobID> running = new EnumMap<>(Region.class);
  private final Map<Region, String> stopped = new EnumMap<>(Region.class);
  private final Map<Region, Long> delivered = new EnumMap<>(Region.class);
  private int restores;

  private WeekRun(
      Scenario scenario, CatalogConfig catalog, Path savepoints, EmbeddedFlink cluster) {
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
    return new WeekRun(
        scenario,
        catalog,
        savepoints,
        EmbeddedFlink.start(Region.values().length + 1, new Configuration()));
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
      stopped.put(stop, cluster.stop(running.remove(stop), savepoints, false));
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
    TidemarkFlinkOptions options = options();
    options.setJobName("orders-" + region.writerId());
    if (savepoint != null) {
      options.setSavepointPath(savepoint);
    }
    Pipeline pipeline = Pipeline.create(options);
    pipelines.buildRegion(pipeline, region);
    running.put(region, cluster.submit(pipeline));
  }

  private void backfill() throws Exception {
    TidemarkFlinkOptions options = options();
    options.setStreaming(false);
    options.setJobName("orders-" + Scenario.BACKFILL_WRITER);
    Pipeline pipeline = Pipeline.create(options);
    pipelines.buildBackfill(pipeline);
    JobResult result = cluster.await(cluster.submit(pipeline), MOST_SECONDS_OF_BACKFILL);
    if (!result.isSuccess()) {
      throw new IllegalStateException(
          "The backfill failed", result.getSerializedThrowable().orElse(null));
    }
  }

  /** Options of a pipeline that commits often, and is restarted at once where it fails. */
  private TidemarkFlinkOptions options() {
    TidemarkFlinkOptions options = cluster.options(1, CHECKPOINT_MILLIS);
    options.setNumberOfExecutionRetries(MOST_RESTARTS);
    options.setStreaming(true);
    return options;
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
