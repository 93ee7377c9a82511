package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.examples.benchmarks.load.BeamLoad;
import dev.tidemark.examples.benchmarks.load.LoadRow;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import dev.tidemark.iceberg.WriteRows;
import java.time.Instant;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Tidemark's write with the recommended settings and without Beam's metrics, which cost about as
 * much as the rest where a source is read row by row. Option {@code metrics} leaves them on, option
 * {@code facts} measures the event time of each row.
 */
final class TidemarkPeer {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private TidemarkPeer() {}

  public static void main(String[] args) {
    TidemarkFlinkOptions options = PipelineOptionsFactory.as(TidemarkFlinkOptions.class);
    options.setFlinkMaster("[local]");
    options.setParallelism(1);
    // A run that fails is no run.
    options.setNumberOfExecutionRetries(0);
    options.setCheckpointingInterval(PeerSettings.intervalMillis());
    options.setStateBackend("filesystem");
    options.setStateBackendStoragePath("file://" + PeerSettings.checkpoints());
    options.setDisableMetrics(!PeerSettings.has("metrics"));
    TidemarkFlink.configure(options);

    WriteRows write =
        TidemarkIcebergIO.writeRows()
            .withCatalog(
                CatalogConfig.of(
                    "local",
                    ImmutableMap.of("type", "hadoop", "warehouse", TableSettings.warehouse())))
            .to(TableIdentifier.of(TableSettings.NAMESPACE, TableSettings.table()))
            .withWriterId("bench");
    if (PeerSettings.has("facts")) {
      write = write.withEventTime(EventTimeExtractor.column("event_time"));
    }
    Pipeline pipeline = Pipeline.create(options);
    BeamLoad.rows(
            pipeline,
            FieldType.logicalType(
                FixedPrecisionNumeric.of(LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE)),
            FieldType.logicalType(Timestamp.MICROS),
            micros ->
                Instant.ofEpochSecond(
                    micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND * NANOS_PER_MICRO))
        .apply("Write", write);
    pipeline.run().waitUntilFinish();
  }
}
