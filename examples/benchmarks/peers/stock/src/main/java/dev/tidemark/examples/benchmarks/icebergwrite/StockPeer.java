package dev.tidemark.examples.benchmarks.icebergwrite;

import dev.tidemark.examples.benchmarks.load.BeamLoad;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import java.util.Map;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.iceberg.IcebergCatalogConfig;
import org.apache.beam.sdk.io.iceberg.IcebergIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Beam's IcebergIO on Flink with Beam's defaults, committing once per checkpoint interval. Its
 * checkpoints go to a directory: they hold the rows of an interval, more than the job manager's
 * memory takes.
 */
final class StockPeer {
  private static final long MICROS_PER_MILLI = 1_000;

  private StockPeer() {}

  public static void main(String[] args) {
    FlinkPipelineOptions options = PipelineOptionsFactory.as(FlinkPipelineOptions.class);
    options.setRunner(FlinkRunner.class);
    options.setFlinkMaster("[local]");
    options.setStreaming(true);
    options.setParallelism(1);
    // A run that fails is no run.
    options.setNumberOfExecutionRetries(0);
    options.setCheckpointingInterval(PeerSettings.intervalMillis());
    options.setStateBackend("filesystem");
    options.setStateBackendStoragePath("file://" + PeerSettings.checkpoints());
    Pipeline pipeline = Pipeline.create(options);
    BeamLoad.rows(
            pipeline,
            FieldType.DECIMAL,
            FieldType.DATETIME,
            micros -> Instant.ofEpochMilli(micros / MICROS_PER_MILLI))
        .apply(
            "Write",
            IcebergIO.writeRows(
                    IcebergCatalogConfig.builder()
                        .setCatalogName("local")
                        .setCatalogProperties(
                            Map.of("type", "hadoop", "warehouse", TableSettings.warehouse()))
                        .build())
                .to(TableIdentifier.of(TableSettings.NAMESPACE, TableSettings.table()))
                .withTriggeringFrequency(Duration.millis(PeerSettings.intervalMillis())));
    pipeline.run().waitUntilFinish();
  }
}
