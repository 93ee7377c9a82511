package dev.tidemark.docs;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;

/** The table that the documentation speaks of, with what its commands ask for. */
final class DocumentedTable {
  /** The metadata files as {@link #create} left them. */
  private static final Map<Path, byte[]> METADATA = new HashMap<>();

  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addLogicalTypeField("placed", SqlTypes.TIMESTAMP)
          .build();

  private DocumentedTable() {}

  /** Makes shop.orders, finalized from the last day of 2025 to the third day of 2026. */
  static void create(Path warehouse) throws IOException {
    TidemarkFlinkOptions options = PipelineOptionsFactory.as(TidemarkFlinkOptions.class);
    TidemarkFlink.configure(options);
    options.setStreaming(false);
    options.setFlinkMaster("[local]");
    options.setParallelism(1);
    write(options, warehouse, "2025-12-31T00:00:00Z", "2026-01-01T05:30:00Z");
    write(options, warehouse, "2026-01-03T00:10:00Z", "2026-01-03T07:00:00Z");
    for (Path file : metadata(warehouse)) {
      METADATA.put(file, Files.readAllBytes(file));
    }
  }

  /** Makes the table what it was, whatever commands have done to it. */
  static void restore(Path warehouse) throws IOException {
    for (Path file : metadata(warehouse)) {
      if (!METADATA.containsKey(file)) {
        Files.delete(file);
      }
    }
    for (Map.Entry<Path, byte[]> file : METADATA.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }

  private static List<Path> metadata(Path warehouse) throws IOException {
    try (Stream<Path> files = Files.list(warehouse.resolve("shop/orders/metadata"))) {
      return files.toList();
    }
  }

  private static void write(
      TidemarkFlinkOptions options, Path warehouse, String first, String second) {
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(Create.of(List.of(row(1, first), row(2, second))).withRowSchema(SCHEMA))
        .apply(
            TidemarkIcebergIO.writeRows()
                .withCatalog(
                    CatalogConfig.of(
                        "lake", Map.of("type", "hadoop", "warehouse", warehouse.toString())))
                .to(TableIdentifier.of("shop", "orders"))
                .withWriterId("orders-eu")
                .withTableCreation(TableCreation.unpartitioned().withPartitions("hour(placed)"))
                .withEventTime(EventTimeExtractor.column("placed"))
                .withFinalization(
                    FinalizationOptions.defaults()
                        .withPolicy(Policies.minOfMins(Lookback.of(1, Duration.ZERO)))));
    pipeline.run().waitUntilFinish();
  }

  private static Row row(long id, String placed) {
    return Row.withSchema(SCHEMA).attachValues(id, Instant.parse(placed));
  }
}
