package dev.tidemark.examples.demo;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.ChangeMetadata;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumTable;
import dev.tidemark.change.ParseDebezium;
import dev.tidemark.change.ParseDebeziumResult;
import dev.tidemark.doris.DorisWriteResult;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.examples.demo.DemoEvents.CollectFn;
import dev.tidemark.examples.demo.DemoEvents.Kind;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.iceberg.CommitAccumulator;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import dev.tidemark.upsert.MaterializeUpserts;
import dev.tidemark.upsert.MaterializeUpsertsResult;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Change events of three tables into three Iceberg change tables, and the rows that they come to
 * into three Doris tables.
 */
final class DemoPipeline {
  static final String NAMESPACE = "shop";
  private static final String EVENT_TIME = "_ts";
  private static final int LOOKBACK_COMMITS = 2;

  private DemoPipeline() {}

  static void build(Pipeline pipeline, CatalogConfig catalog, String doris, Instant start) {
    PCollection<DebeziumRecord> records =
        pipeline
            .apply("Replay", Read.from(new ReplaySource(start)))
            .apply("Count", ParDo.of(new CountFn()));
    List<DebeziumTable> tables = new ArrayList<>();
    for (ShopTable table : ShopTable.values()) {
      tables.add(table.debezium());
    }
    ParseDebeziumResult parsed =
        records.apply(
            "Parse",
            ParseDebezium.forTables(tables)
                .withMetadata(ChangeMetadata.POSITION, ChangeMetadata.SOURCE_TIME));
    collect("UnparsedEvents", parsed.failed(), Kind.FAILURE);
    for (ShopTable table : ShopTable.values()) {
      write(table, parsed, catalog);
      materialize(table, parsed, doris);
    }
  }

  /** The replay delivers some changes late, so those of a key are put in the log's order. */
  private static void materialize(ShopTable table, ParseDebeziumResult parsed, String doris) {
    String[] key = table.key().toArray(new String[0]);
    MaterializeUpsertsResult upserts =
        parsed
            .changes(table.topic())
            .apply(
                "Upserts_" + table.tableName(),
                MaterializeUpserts.create()
                    .withSinkKey(key)
                    .withUpsertKey(key)
                    .withOrderByPosition());
    DorisWriteResult served = ServingTables.write(table, upserts.changes(), doris);
    collect("Loads_" + table.tableName(), served.loads(), Kind.LOAD);
    collect("NotServed_" + table.tableName(), served.failed(), Kind.FAILURE);
    collect("NotUpserted_" + table.tableName(), upserts.failed(), Kind.FAILURE);
  }

  private static void write(ShopTable table, ParseDebeziumResult parsed, CatalogConfig catalog) {
    IcebergWriteResult written =
        parsed
            .changes(table.topic())
            .apply(
                "Write_" + table.tableName(),
                TidemarkIcebergIO.writeChanges()
                    .withRows(
                        TidemarkIcebergIO.writeRows()
                            .withCatalog(catalog)
                            .to(TableIdentifier.of(NAMESPACE, table.tableName()))
                            .withWriterId("demo")
                            .withTableCreation(
                                TableCreation.unpartitioned()
                                    .withPartitions("hour(" + EVENT_TIME + ")"))
                            .withEventTime(EventTimeExtractor.column(EVENT_TIME))
                            .withAccumulator(CommitAccumulator.rowsByKind("kind", "_kind"))
                            .withFinalization(
                                FinalizationOptions.defaults()
                                    .withPolicy(
                                        Policies.minOfMins(
                                            Lookback.of(LOOKBACK_COMMITS, Duration.ZERO))))));
    collect("Commits_" + table.tableName(), written.commits(), Kind.COMMIT);
    collect("Advances_" + table.tableName(), written.advances(), Kind.ADVANCE);
    collect("Late_" + table.tableName(), written.late(), Kind.LATE_DATA);
    collect("Failed_" + table.tableName(), written.failed(), Kind.FAILURE);
  }

  private static <T> void collect(String name, PCollection<T> elements, Kind kind) {
    elements.apply(name, ParDo.of(new CollectFn<T>(kind))).setCoder(VoidCoder.of());
  }

  /** Counts events for the progress line. */
  private static final class CountFn extends DoFn<DebeziumRecord, DebeziumRecord> {
    @ProcessElement
    public void process(@Element DebeziumRecord record, OutputReceiver<DebeziumRecord> out) {
      DemoEvents.READ.incrementAndGet();
      out.output(record);
    }
  }
}
