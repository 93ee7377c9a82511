package dev.tidemark.examples.demo;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.flink.TidemarkFlink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.joda.time.DateTimeZone;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** Runs the demonstration; exits with 1 if a table is not what the source's database held. */
public final class Demo {
  private static final long CHECKPOINT_MILLIS = 1_000;
  private static final int PARALLELISM = 2;

  private Demo() {}

  /** Runs the demonstration with options as on any Beam command line. */
  public static void main(String[] args) throws Exception {
    DemoOptions options = PipelineOptionsFactory.fromArgs(args).as(DemoOptions.class);
    if (options.getCheckpointingInterval() <= 0) {
      options.setCheckpointingInterval(CHECKPOINT_MILLIS);
    }
    if (options.getParallelism() < 1) {
      options.setParallelism(PARALLELISM);
    }
    options.setFlinkMaster("[local]");
    TidemarkFlink.configure(options);
    Path warehouse = Path.of(options.getWarehouse()).toAbsolutePath();
    if (Files.exists(warehouse)) {
      MoreFiles.deleteRecursively(warehouse, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    CatalogConfig catalog =
        CatalogConfig.of("demo", Map.of("type", "hadoop", "warehouse", warehouse.toString()));
    Pipeline pipeline = Pipeline.create(options);
    boolean right;
    try (DorisEmulator doris = ServingTables.start()) {
      DemoPipeline.build(pipeline, catalog, doris.frontend(), firstHour());
      ProgressLine progress = ProgressLine.start();
      try {
        pipeline.run().waitUntilFinish();
      } finally {
        progress.stop();
      }
      right = DemoReport.print(catalog, warehouse, doris, System.out);
    }
    System.exit(right ? 0 : 1);
  }

  /** Far enough back that the last hour of the replay is over. */
  private static Instant firstHour() {
    return Instant.now()
        .toDateTime(DateTimeZone.UTC)
        .hourOfDay()
        .roundFloorCopy()
        .toInstant()
        .minus(Duration.standardHours(ReplayPlan.HOURS + 1));
  }

  /** Says every two seconds how far the replay is. */
  private static final class ProgressLine {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    static ProgressLine start() {
      ProgressLine line = new ProgressLine();
      var unused = line.timer.scheduleAtFixedRate(ProgressLine::print, 0, 2, TimeUnit.SECONDS);
      return line;
    }

    private static void print() {
      System.err.printf(
          "replaying: step %d of %d, %d events read, %d commits, %d advances, %d late reports, %d loads%n",
          ReplaySource.confirmedSteps(),
          2 * ReplayPlan.HOURS,
          DemoEvents.READ.get(),
          DemoEvents.COMMITS.size(),
          DemoEvents.ADVANCES.size(),
          DemoEvents.LATE.size(),
          DemoEvents.LOADS.size());
    }

    void stop() {
      timer.shutdownNow();
      print();
    }
  }
}
