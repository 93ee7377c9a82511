package dev.tidemark.examples.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.examples.cdc.CdcOptions;
import dev.tidemark.examples.cdc.CdcPipeline;
import dev.tidemark.examples.cdc.CdcTable;
import dev.tidemark.examples.cdc.SourceTable;
import dev.tidemark.examples.cdc.SourceTables;
import dev.tidemark.examples.demo.DemoEvents.CollectFn;
import dev.tidemark.examples.demo.DemoEvents.CountFn;
import dev.tidemark.examples.demo.DemoEvents.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.DateTimeZone;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Runs the demonstration: {@link CdcPipeline} on recorded events, which a source of its own spreads
 * over some hours, and merges into base tables meanwhile. Exits with 1 if a table is not what the
 * source's database held.
 */
public final class Demo {
  private static final Path FOLDER = Path.of("examples", "target", "demo");
  private static final String BASE = "base";

  private Demo() {}

  /** Runs the demonstration; options go before its own. */
  public static void main(String[] args) throws Exception {
    if (Files.exists(FOLDER)) {
      MoreFiles.deleteRecursively(FOLDER, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    ShopFiles files = ShopFiles.write(FOLDER);
    boolean right;
    try (DorisEmulator doris = ServingTables.start()) {
      CdcOptions options = options(files, doris, args);
      Pipeline pipeline = Pipeline.create(options);
      PCollection<DebeziumRecord> events =
          pipeline
              .apply("Replay", Read.from(new ReplaySource(firstHour())))
              .apply("Count", ParDo.of(new CountFn()));
      CdcPipeline.build(events, options).forEach(Demo::collect);
      List<SourceTable> tables = SourceTables.read(files.tables().toString());
      BaseTables base = BaseTables.in(files.catalog(), BASE);
      ProgressLine progress = ProgressLine.start();
      MergeInTurn merging = MergeInTurn.start(base, tables);
      try {
        pipeline.run().waitUntilFinish();
      } finally {
        merging.finish();
        progress.stop();
      }
      right = DemoReport.of(files, doris, base, System.out).print();
    }
    System.exit(right ? 0 : 1);
  }

  private static CdcOptions options(ShopFiles files, DorisEmulator doris, String... args)
      throws IOException {
    Map<String, String> parameters = files.options(doris);
    parameters.put("finalizationPolicy", "minOfMins(2, PT0S)");
    parameters.put("flinkMaster", "[local]");
    parameters.put("checkpointingInterval", "1000");
    parameters.put("parallelism", "2");
    Path file = FOLDER.resolve("parameters.json");
    Files.writeString(
        file, new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(parameters));
    String[] all = new String[args.length + 1];
    all[0] = "--parameterFile=" + file;
    System.arraycopy(args, 0, all, 1, args.length);
    return CdcPipeline.options(all);
  }

  private static void collect(CdcTable table) {
    collect("Commits_" + table.name(), table.commits(), Kind.COMMIT);
    collect("Advances_" + table.name(), table.advances(), Kind.ADVANCE);
    collect("Late_" + table.name(), table.late(), Kind.LATE_DATA);
    collect("Loads_" + table.name(), table.loads(), Kind.LOAD);
  }

  private static <T> void collect(String name, PCollection<T> elements, Kind kind) {
    elements.apply(name, ParDo.of(new CollectFn<T>(kind))).setCoder(VoidCoder.of());
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
