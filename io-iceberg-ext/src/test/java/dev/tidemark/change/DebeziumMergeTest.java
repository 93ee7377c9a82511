package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.DebeziumFixtures.Format;
import dev.tidemark.datafile.ForklessFileSystem;
import dev.tidemark.datafile.RecordRows;
import dev.tidemark.datafile.RowSchemas;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import dev.tidemark.merge.BaseTableMerge;
import dev.tidemark.merge.MergeSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Recorded events of a real source, written to change tables and merged in three goes, give base
 * tables that equal what the source held at the end.
 */
@RunWith(JUnit4.class)
public class DebeziumMergeTest {
  private static final int GOES = 3;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void mergedEventsEqualTheSourcesTables() throws IOException {
    assertMerged(Format.PRECISE);
  }

  @Test
  public void mergedFlattenedEventsEqualTheSourcesTables() throws IOException {
    assertMerged(Format.FLATTENED);
  }

  private void assertMerged(Format format) throws IOException {
    CatalogConfig catalog =
        CatalogConfig.of(
                "lake",
                Map.of("type", "hadoop", "warehouse", folder.newFolder().toURI().toString()))
            .withHadoopConfiguration(Map.of("fs.file.impl", ForklessFileSystem.class.getName()));
    List<DebeziumRecord> records = DebeziumFixtures.records(format);
    for (List<DebeziumRecord> part : Lists.partition(records, (records.size() + GOES - 1) / GOES)) {
      append(format, catalog, part);
      for (String table : DebeziumFixtures.KEYED_TABLES) {
        BaseTableMerge.of(catalog.catalog(), spec(format, table)).run();
      }
    }
    for (String table : DebeziumFixtures.KEYED_TABLES) {
      assertEqualsSource(format, table, catalog);
    }
  }

  private static MergeSpec spec(Format format, String table) {
    MergeSpec spec =
        MergeSpec.into(base(table))
            .withSource("pg", changes(table))
            .withKey(DebeziumFixtures.table(format, table).key().toArray(new String[0]))
            .withOrder("_position")
            .withUnknownColumns("_unknown");
    return table.equals("orders") && format != Format.FLATTENED
        ? spec.withFullBeforeImages()
        : spec;
  }

  private static TableIdentifier base(String table) {
    return TableIdentifier.of("shop", table);
  }

  private static TableIdentifier changes(String table) {
    return TableIdentifier.of("shop", table + "_changes");
  }

  private static void append(Format format, CatalogConfig catalog, List<DebeziumRecord> records) {
    Pipeline pipeline = Pipeline.create();
    ParseDebeziumResult parsed =
        pipeline
            .apply(Create.of(records).withCoder(DebeziumRecordCoder.of()))
            .apply(
                ParseDebezium.forTables(DebeziumFixtures.tables(format))
                    .withMetadata(ChangeMetadata.POSITION, ChangeMetadata.UNKNOWN_COLUMNS));
    for (String table : DebeziumFixtures.KEYED_TABLES) {
      PCollection<Change> told = parsed.changes(format.topic(table));
      Schema schema = ((ChangeCoder) told.getCoder()).schema();
      createTables(format, table, catalog, schema);
      told.apply(
          table,
          TidemarkIcebergIO.writeChanges()
              .withRows(
                  TidemarkIcebergIO.writeRows()
                      .withCatalog(catalog)
                      .to(changes(table))
                      .withWriterId("shop-" + table)));
    }
    pipeline.run().waitUntilFinish();
  }

  private static void createTables(
      Format format, String table, CatalogConfig catalog, Schema changeSchema) {
    if (catalog.catalog().tableExists(base(table))) {
      return;
    }
    Schema withKind =
        Schema.builder().addFields(changeSchema.getFields()).addStringField("_kind").build();
    catalog
        .catalog()
        .buildTable(changes(table), RowSchemas.toIceberg(withScales(withKind)))
        .withProperty("format-version", "2")
        .create();
    org.apache.iceberg.Schema columns =
        RowSchemas.toIceberg(withScales(DebeziumFixtures.table(format, table).declaredSchema()));
    PartitionSpec spec =
        switch (table) {
          case "orders" -> PartitionSpec.builderFor(columns).identity("status").build();
          case "order_items" -> PartitionSpec.builderFor(columns).bucket("order_id", 4).build();
          default -> PartitionSpec.unpartitioned();
        };
    catalog
        .catalog()
        .buildTable(base(table), columns)
        .withPartitionSpec(spec)
        .withProperty("format-version", table.equals("docs") ? "3" : "2")
        .create();
  }

  /** The same with a precision for decimals that have none of their own. */
  private static Schema withScales(Schema schema) {
    Schema.Builder scaled = Schema.builder();
    for (Schema.Field field : schema.getFields()) {
      boolean plain = field.getType().getTypeName() == Schema.TypeName.DECIMAL;
      scaled.addField(
          plain
              ? field.withType(
                  Schema.FieldType.logicalType(
                          FixedPrecisionNumeric.of(38, field.getName().equals("total") ? 4 : 12))
                      .withNullable(true))
              : field);
    }
    return scaled.build();
  }

  private static void assertEqualsSource(Format format, String table, CatalogConfig catalog)
      throws IOException {
    ImmutableSet<String> key = DebeziumFixtures.table(format, table).key();
    Schema schema = DebeziumFixtures.table(format, table).declaredSchema();
    Map<Object, Map<String, Object>> truth =
        TableContents.byKey(TableContents.truth(table, schema, format), key);
    assertThat(truth.size(), greaterThan(0));
    Table merged = catalog.loadTable(base(table));
    Schema readSchema = RowSchemas.toBeam(merged.schema());
    Map<Object, Map<String, Object>> held = new HashMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(merged).build()) {
      for (Record record : records) {
        Row row = RecordRows.toRow(record, readSchema);
        Map<String, Object> values = TableContents.values(row);
        // Short integers are integers in Iceberg.
        values.replaceAll(
            (name, value) ->
                value instanceof Integer number
                        && schema.getField(name).getType().getTypeName() == Schema.TypeName.INT16
                    ? (Object) number.shortValue()
                    : value);
        List<Object> id = new ArrayList<>();
        key.forEach(column -> id.add(values.get(column)));
        assertThat("one row of " + id, held.put(id, values), equalTo(null));
      }
    }
    assertThat(table, held, equalTo(truth));
  }
}
