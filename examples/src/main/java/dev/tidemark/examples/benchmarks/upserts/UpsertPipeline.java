package dev.tidemark.examples.benchmarks.upserts;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.examples.benchmarks.materializer.Measurement;
import dev.tidemark.examples.benchmarks.materializer.Workload;
import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.upsert.MaterializeUpserts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;

/**
 * A workload in a streaming pipeline on embedded Flink, with one task and a checkpoint every five
 * seconds: through {@link MaterializeUpserts}, through batches and an exchange that do nothing, or
 * straight to where the output goes. What the first and the last differ by is the cost of the
 * transform: rows to bytes and back, batches, exchange, state, and the materializer with its store.
 */
final class UpsertPipeline {
  private static final long CHECKPOINT_MILLIS = 5_000;
  private static final long IDLE_MILLIS = 1_000;
  private static final int SHARDS = 128;

  private UpsertPipeline() {}

  /**
   * Runs it twice, the first time as a warm-up, and prints one line.
   *
   * @param args workload, length of payloads, factor of rows, memory in MiB, and {@code with},
   *     {@code empty} or {@code without}
   */
  public static void main(String[] args) throws IOException {
    Workload workload = Workload.ofLabel(args[0]);
    int payloadLength = Integer.parseInt(args[1]);
    double factor = Double.parseDouble(args[2]);
    long memoryBytes = Long.parseLong(args[3]) << 20;
    ChangeSource source = new ChangeSource(workload, payloadLength, factor);

    run(source, args[4], memoryBytes);
    CpuMeter.reset();
    run(source, args[4], memoryBytes);

    System.out.printf(
        Locale.ROOT,
        "%s cpu_us=%.4f rows_per_s=%.0f state_bytes=0 rows=%d emitted=%d%n",
        Measurement.LINE,
        CpuMeter.micros(),
        CpuMeter.rowsPerSecond(),
        CpuMeter.measuredRows(),
        CpuMeter.arrived());
  }

  private static void run(ChangeSource source, String what, long memoryBytes) throws IOException {
    Pipeline pipeline = Pipeline.create(options());
    PCollection<Change> changes =
        pipeline.apply("Changes", Read.from(source)).setCoder(ChangeCoder.of(ChangeSource.SCHEMA));
    PCollection<Change> arriving =
        switch (what) {
          case "with" ->
              changes
                  .apply(
                      "Upserts",
                      MaterializeUpserts.create()
                          .withSinkKey("key")
                          .withUpsertKey("upsert_key")
                          .withShards(SHARDS)
                          .withStoreMemory(memoryBytes))
                  .changes();
          case "empty" -> changes.apply("Empty", new EmptyExchange(SHARDS));
          case "without" -> changes;
          default -> throw new IllegalArgumentException("Invalid pipeline: " + what);
        };
    arriving.apply("Count", ParDo.of(new CountFn()));
    pipeline.run().waitUntilFinish();
  }

  private static TidemarkFlinkOptions options() throws IOException {
    Path checkpoints = Files.createTempDirectory("checkpoints");
    TidemarkFlinkOptions options = PipelineOptionsFactory.as(TidemarkFlinkOptions.class);
    options.setFlinkMaster("[local]");
    options.setStreaming(true);
    options.setParallelism(1);
    options.setNumberOfExecutionRetries(0);
    options.setCheckpointingInterval(CHECKPOINT_MILLIS);
    options.setShutdownSourcesAfterIdleMs(IDLE_MILLIS);
    options.setStateBackend("filesystem");
    options.setStateBackendStoragePath(checkpoints.toUri().toString());
    options.setDisableMetrics(true);
    TidemarkFlink.configure(options);
    return options;
  }

  private static final class CountFn extends DoFn<Change, Void> {
    @ProcessElement
    public void process() {
      CpuMeter.arrive();
    }

    @FinishBundle
    public void finish() {
      CpuMeter.look();
    }
  }
}
