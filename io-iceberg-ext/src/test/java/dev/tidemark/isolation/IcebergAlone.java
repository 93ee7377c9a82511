package dev.tidemark.isolation;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import java.util.Arrays;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * A program of this module and the direct runner alone: writes three rows with facts about their
 * event time into a new table and reads the table. Its first argument is the warehouse, the others
 * name classes that must not be there.
 */
final class IcebergAlone {
  private static final TableIdentifier TABLE = TableIdentifier.of("db", "events");
  private static final Schema SCHEMA =
      Schema.builder().addInt64Field("id").addDateTimeField("at").build();

  public static void main(String[] args) throws Exception {
    AbsentClasses.check(Arrays.copyOfRange(args, 1, args.length));
    CatalogConfig config =
        CatalogConfig.of("alone", Map.of("type", "hadoop", "warehouse", args[0]));
    ((SupportsNamespaces) config.catalog()).createNamespace(TABLE.namespace());
    Instant at = Instant.now().minus(Duration.standardHours(1));

    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
    pipeline
        .apply(Create.of(row(1, at), row(2, at), row(3, at)).withRowSchema(SCHEMA))
        .apply(
            TidemarkIcebergIO.writeRows()
                .withCatalog(config)
                .to(TABLE)
                .withWriterId("alone")
                .withTableCreation(TableCreation.unpartitioned())
                .withEventTime(EventTimeExtractor.column("at"))
                .withFinalization(FinalizationOptions.defaults()));
    pipeline.run().waitUntilFinish();

    Table table = config.loadTable(TABLE);
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      long rows = 0;
      for (Record record : records) {
        rows += record.getField("id") == null ? 0 : 1;
      }
      System.out.println("rows=" + rows);
    }
    String facts = TidemarkKeys.forBranch(TidemarkKeys.MAIN).eventTime("count");
    System.out.println("facts=" + table.currentSnapshot().summary().get(facts));
  }

  private static Row row(long id, Instant at) {
    return Row.withSchema(SCHEMA).addValues(id, at).build();
  }

  private IcebergAlone() {}
}
