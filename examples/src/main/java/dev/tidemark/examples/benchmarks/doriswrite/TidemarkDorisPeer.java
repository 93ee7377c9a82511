package dev.tidemark.examples.benchmarks.doriswrite;

import dev.tidemark.arrow.ChangeBatchCoder;
import dev.tidemark.doris.DeliveryMode;
import dev.tidemark.doris.DorisIO;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.DorisWrite;
import dev.tidemark.examples.benchmarks.load.BeamLoad;
import dev.tidemark.examples.benchmarks.load.LoadRow;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import dev.tidemark.examples.benchmarks.load.RowNumberSource;
import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import java.time.Instant;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * DorisIO without Beam's metrics, and with its defaults but for two-phase commit, which has one
 * shard, as the other side has one writer; labels need more, as they load beside a stream that
 * never waits for them: from Rows, or from ChangeBatches (option {@code batches}), under labels or
 * with two-phase commit (option {@code twoPhase}). Option {@code sourceOnly} leaves DorisIO out.
 */
final class TidemarkDorisPeer {
  private static final FieldType AMOUNT =
      FieldType.logicalType(
          FixedPrecisionNumeric.of(LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE));
  private static final FieldType EVENT_TIME = FieldType.logicalType(Timestamp.MICROS);
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private TidemarkDorisPeer() {}

  public static void main(String[] args) {
    TidemarkFlinkOptions options = PipelineOptionsFactory.as(TidemarkFlinkOptions.class);
    options.setFlinkMaster("[local]");
    options.setStreaming(true);
    options.setParallelism(1);
    // A run that fails is no run.
    options.setNumberOfExecutionRetries(0);
    options.setCheckpointingInterval(PeerSettings.intervalMillis());
    options.setStateBackend("filesystem");
    options.setStateBackendStoragePath("file://" + PeerSettings.checkpoints());
    options.setDisableMetrics(true);
    TidemarkFlink.configure(options);

    Pipeline pipeline = Pipeline.create(options);
    PCollection<?> input =
        PeerSettings.has("batches")
            ? pipeline
                .apply("Source", Read.from(new RowNumberSource()))
                .apply("Map", ParDo.of(new MakeBatchFn(BeamLoad.schema(AMOUNT, EVENT_TIME))))
                .setCoder(ChangeBatchCoder.of())
            : rows(pipeline);
    if (PeerSettings.has(Peers.SOURCE_ONLY)) {
      input.apply("Discard", ParDo.of(new DiscardFn()));
    } else {
      String[] table = PeerSettings.required("table").split("\\.", 2);
      boolean twoPhase = PeerSettings.has("twoPhase");
      DorisWrite write =
          DorisIO.write()
              .withFrontends(PeerSettings.required("frontend"))
              .withUser(PeerSettings.required("user"))
              .withPassword(PeerSettings.required("password"))
              .to(DorisTable.of(table[0], table[1]).withKey("id"))
              .withDelivery(twoPhase ? DeliveryMode.TWO_PHASE_COMMIT : DeliveryMode.LABELS)
              .withLabelPrefix("bench");
      input.apply("Write", twoPhase ? write.withShards(1) : write);
    }
    pipeline.run().waitUntilFinish();
  }

  private static PCollection<Row> rows(Pipeline pipeline) {
    return BeamLoad.rows(pipeline, AMOUNT, EVENT_TIME, TidemarkDorisPeer::instant);
  }

  static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND * NANOS_PER_MICRO);
  }

  private static final class DiscardFn extends DoFn<Object, Void> {
    @ProcessElement
    public void process() {}
  }
}
