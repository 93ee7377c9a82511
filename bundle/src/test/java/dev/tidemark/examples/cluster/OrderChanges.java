package dev.tidemark.examples.cluster;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.ChangeMetadata;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumTable;
import dev.tidemark.change.ParseDebezium;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;

/**
 * The change table of {@link OrderEvents}, which bounded runs of a pipeline write: each commits
 * once, and finalizes the table until the first hour of its events.
 */
final class OrderChanges {
  static final TableIdentifier TABLE = TableIdentifier.of(CdcStage.DATABASE, "orders_changes");

  private static final Schema COLUMNS =
      Schema.builder()
          .addInt64Field("id")
          .addNullableField("customer", Schema.FieldType.INT32)
          .addNullableField("status", Schema.FieldType.STRING)
          .addNullableField("amount", Schema.FieldType.INT64)
          .build();

  private final CatalogConfig catalog;
  private final OrderEvents events;

  OrderChanges(CatalogConfig catalog, OrderEvents events) {
    this.catalog = catalog;
    this.events = events;
  }

  static CatalogConfig catalog(String uri) {
    return CatalogConfig.of("lake", Map.of("type", "rest", "uri", uri));
  }

  /** The rows that the changes so far come to. */
  OrderEvents events() {
    return events;
  }

  /** Runs the pipeline on the next events. */
  void write(int count) {
    List<DebeziumRecord> records =
        Stream.generate(events::next)
            .limit(count)
            .flatMap(List::stream)
            .map(event -> DebeziumRecord.of(event.topic(), event.key(), event.value()))
            .toList();
    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
    pipeline
        .apply(Create.of(records))
        .apply(
            ParseDebezium.forTables(DebeziumTable.of(OrderEvents.TOPIC, COLUMNS).withKey("id"))
                .withMetadata(ChangeMetadata.POSITION, ChangeMetadata.SOURCE_TIME))
        .changes(OrderEvents.TOPIC)
        .apply(
            TidemarkIcebergIO.writeChanges()
                .withRows(
                    TidemarkIcebergIO.writeRows()
                        .withCatalog(catalog)
                        .to(TABLE)
                        .withWriterId("orders")
                        .withTableCreation(
                            TableCreation.unpartitioned().withPartitions("hour(_ts)"))
                        .withEventTime(EventTimeExtractor.column("_ts"))
                        .withFinalization(
                            FinalizationOptions.defaults()
                                .withPolicy(Policies.minOfMins(Lookback.of(1, Duration.ZERO))))));
    pipeline.run().waitUntilFinish();
  }
}
