package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Files;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RoundTripPropertyTest {
  private static final int ROWS = Boolean.getBoolean("tidemark.long") ? 20_000 : 500;

  private static final List<Type> PRIMITIVES =
      List.of(
          Types.BooleanType.get(),
          Types.IntegerType.get(),
          Types.LongType.get(),
          Types.FloatType.get(),
          Types.DoubleType.get(),
          Types.DecimalType.of(7, 2),
          Types.DecimalType.of(18, 0),
          Types.DecimalType.of(38, 12),
          Types.DateType.get(),
          Types.TimeType.get(),
          Types.TimestampType.withoutZone(),
          Types.TimestampType.withZone(),
          Types.TimestampNanoType.withoutZone(),
          Types.TimestampNanoType.withZone(),
          Types.StringType.get(),
          Types.UUIDType.get(),
          Types.FixedType.ofLength(5),
          Types.BinaryType.get());

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void everyPrimitiveRoundTrips() throws IOException {
    assertRoundTrip(columns(type -> type), 11);
  }

  @Test
  public void everyPrimitiveRoundTripsInStructs() throws IOException {
    assertRoundTrip(
        columns(
            type ->
                Types.StructType.of(
                    Types.NestedField.required(1, "a", type),
                    Types.NestedField.optional(
                        2, "b", Types.StructType.of(Types.NestedField.optional(3, "c", type))))),
        12);
  }

  @Test
  public void everyPrimitiveRoundTripsInLists() throws IOException {
    assertRoundTrip(
        columns(type -> Types.ListType.ofOptional(1, Types.ListType.ofRequired(2, type))), 13);
  }

  @Test
  public void everyPrimitiveRoundTripsInMaps() throws IOException {
    assertRoundTrip(
        columns(type -> Types.MapType.ofOptional(1, 2, Types.StringType.get(), type)), 14);
  }

  @Test
  public void keysOfMapsRoundTrip() throws IOException {
    assertRoundTrip(
        columns(
            type ->
                type.typeId() == Type.TypeID.BINARY || type.typeId() == Type.TypeID.FIXED
                    ? type
                    : Types.MapType.ofRequired(1, 2, type, Types.LongType.get())),
        15);
  }

  @Test
  public void deepNestingRoundTrips() throws IOException {
    assertRoundTrip(
        columns(
            type ->
                Types.ListType.ofOptional(
                    1,
                    Types.MapType.ofOptional(
                        2,
                        3,
                        Types.LongType.get(),
                        Types.StructType.of(
                            Types.NestedField.optional(
                                4, "list", Types.ListType.ofOptional(5, type)),
                            Types.NestedField.required(6, "value", type))))),
        16);
  }

  private static org.apache.iceberg.Schema columns(Function<Type, Type> wrap) {
    List<Types.NestedField> columns = new ArrayList<>();
    columns.add(Types.NestedField.required(0, "id", Types.LongType.get()));
    for (Type type : PRIMITIVES) {
      int next = 1_000 + 100 * columns.size();
      String name = "c" + columns.size();
      columns.add(Types.NestedField.optional(next, name, wrap.apply(type)));
      columns.add(Types.NestedField.required(next + 50, name + "r", wrap.apply(type)));
    }
    return new org.apache.iceberg.Schema(
        TypeUtil.assignFreshIds(Types.StructType.of(columns), counter()).asStructType().fields());
  }

  private static TypeUtil.NextID counter() {
    int[] last = {0};
    return () -> ++last[0];
  }

  private void assertRoundTrip(org.apache.iceberg.Schema columns, long seed) throws IOException {
    Table table =
        DataFileTestUtils.createTable(
            folder.getRoot().toPath(), columns, PartitionSpec.unpartitioned(), Map.of());
    Schema schema = RowSchemas.toBeam(table.schema());
    RandomRows random = new RandomRows(seed);
    List<Row> rows = new ArrayList<>();
    for (long id = 0; id < ROWS; id++) {
      Row row = random.row(table.schema().asStruct(), schema);
      rows.add(Row.fromRow(row).withFieldValue("id", id).build());
    }
    List<DataFile> files = DataFileTestUtils.append(table, schema, rows, FileOptions.defaults());

    List<Record> records = new ArrayList<>(DataFileTestUtils.read(table));
    records.sort(Comparator.comparing(record -> (Long) record.getField("id")));
    assertThat(records, hasSize(rows.size()));
    for (int i = 0; i < rows.size(); i++) {
      assertThat(RecordRows.toRow(records.get(i), schema), equalTo(rows.get(i)));
    }
    assertThat(files, hasSize(1));
    assertSameMetrics(files.get(0), reference(table, records));
  }

  /** The same rows, written by Iceberg's own generic writer. */
  private DataFile reference(Table table, List<Record> records) throws IOException {
    DataWriter<Record> writer =
        Parquet.writeData(Files.localOutput(folder.newFile()))
            .forTable(table)
            .createWriterFunc(GenericParquetWriter::create)
            .overwrite()
            .build();
    try (writer) {
      records.forEach(writer::write);
    }
    return writer.toDataFile();
  }

  private static void assertSameMetrics(DataFile file, DataFile reference) {
    assertThat(file.recordCount(), equalTo(reference.recordCount()));
    assertThat(file.nanValueCounts(), equalTo(reference.nanValueCounts()));
    assertThat(file.lowerBounds(), equalTo(reference.lowerBounds()));
    assertThat(file.upperBounds(), equalTo(reference.upperBounds()));
    assertThat(file.splitOffsets(), equalTo(reference.splitOffsets()));
    assertThat(file.columnSizes(), equalTo(reference.columnSizes()));
    // Iceberg's generic writer forgets nulls of floats whose struct is null; bounds and counts of
    // all other columns come from the footer.
    assertThat(file.valueCounts().keySet(), equalTo(reference.valueCounts().keySet()));
    Map<Integer, Long> values = new HashMap<>(file.valueCounts());
    values.keySet().retainAll(file.nanValueCounts().keySet());
    values.values().forEach(count -> assertThat(count, equalTo(file.recordCount())));
  }
}
