package dev.tidemark.merge;

import static dev.tidemark.merge.MergeFixture.BASE;
import static dev.tidemark.merge.MergeFixture.CHANGES;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.change.ChangeKind;
import dev.tidemark.commit.CatalogKind;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Columns of change tables and base tables, and the values that changes do not tell. */
@RunWith(JUnit4.class)
public class MergeSchemaTest {
  @Rule public final MergeFixture tables = new MergeFixture(CatalogKind.JDBC);

  private static MergeSpec spec() {
    return MergeFixture.spec();
  }

  private void create(Schema base, Schema change) {
    tables.create(BASE, base, 2, PartitionSpec.unpartitioned());
    tables.create(CHANGES, change, 2, PartitionSpec.unpartitioned());
  }

  private static Schema changes(NestedField... columns) {
    NestedField[] all = Arrays.copyOf(columns, columns.length + 2);
    all[columns.length] = NestedField.required(100, "_position", Types.LongType.get());
    all[columns.length + 1] = NestedField.required(101, "_kind", Types.StringType.get());
    return new Schema(all);
  }

  private void append(Object... values) {
    Table table = tables.changes();
    Record record = GenericRecord.create(table.schema());
    for (int i = 0; i < values.length; i++) {
      record.set(i, values[i]);
    }
    MergeFixture.append(table, List.of(record));
  }

  private List<List<Object>> rows() {
    return MergeFixture.read(tables.base()).stream()
        .map(
            row -> {
              Object[] values = new Object[row.size()];
              for (int i = 0; i < values.length; i++) {
                values[i] = row.get(i);
              }
              return Arrays.asList(values);
            })
        .toList();
  }

  private MergeException refused(MergeSpec spec) {
    return assertThrows(MergeException.class, () -> tables.merge(spec));
  }

  private static final NestedField ID = NestedField.required(1, "id", Types.LongType.get());

  @Test
  public void columnTheBaseLacksIsRefused() {
    create(new Schema(ID), changes(ID, NestedField.optional(2, "note", Types.StringType.get())));
    append(1L, "a", 1L, "+I");
    MergeException refused = refused(spec());
    assertThat(refused.kind(), is(MergeException.Kind.SCHEMA));
    assertThat(refused.getMessage(), containsString("[note]"));
  }

  @Test
  public void columnIsLeftOutByNameOrByOption() {
    create(new Schema(ID), changes(ID, NestedField.optional(2, "note", Types.StringType.get())));
    append(1L, "a", 1L, "+I");
    tables.merge(spec().withoutColumns("note"));
    append(2L, "b", 2L, "+I");
    tables.merge(spec().withExtraColumns(ExtraColumns.IGNORE));
    assertThat(rows(), containsInAnyOrder(List.of(1L), List.of(2L)));
  }

  @Test
  public void columnIsAddedToTheBase() {
    NestedField inner = NestedField.optional(4, "city", Types.StringType.get());
    NestedField zip = NestedField.optional(5, "zip", Types.IntegerType.get());
    create(
        new Schema(ID, NestedField.optional(3, "at", Types.StructType.of(inner))),
        changes(
            ID,
            NestedField.optional(2, "note", Types.StringType.get()),
            NestedField.optional(3, "at", Types.StructType.of(zip, inner))));
    Record place = GenericRecord.create(Types.StructType.of(zip, inner));
    place.set(0, 8001);
    place.set(1, "Zurich");
    append(1L, "a", place, 1L, "+I");
    tables.merge(spec().withExtraColumns(ExtraColumns.EVOLVE));
    Record row = MergeFixture.read(tables.base()).get(0);
    assertThat(row.getField("note"), is("a"));
    assertThat(((Record) row.getField("at")).getField("zip"), is(8001));
    assertThat(((Record) row.getField("at")).getField("city"), is("Zurich"));
  }

  @Test
  public void columnThatChangesLackIsNullOrTheDefault() {
    tables.create(BASE, new Schema(ID), 3, PartitionSpec.unpartitioned());
    tables
        .base()
        .updateSchema()
        .addColumn("note", Types.StringType.get())
        .addColumn(
            "level",
            Types.IntegerType.get(),
            "with a default",
            org.apache.iceberg.expressions.Literal.of(7))
        .commit();
    tables.create(CHANGES, changes(ID), 2, PartitionSpec.unpartitioned());
    append(1L, 1L, "+I");
    tables.merge(spec());
    assertThat(rows(), equalTo(List.of(Arrays.asList(1L, null, 7))));
  }

  @Test
  public void narrowerTypesArePromoted() {
    create(
        new Schema(
            ID,
            NestedField.optional(2, "x", Types.DoubleType.get()),
            NestedField.optional(3, "d", Types.DecimalType.of(20, 2))),
        changes(
            NestedField.required(1, "id", Types.IntegerType.get()),
            NestedField.optional(2, "x", Types.FloatType.get()),
            NestedField.optional(3, "d", Types.DecimalType.of(9, 2))));
    append(1, 1.5f, new BigDecimal("3.25"), 1L, "+I");
    tables.merge(spec());
    append(1, 2.5f, new BigDecimal("4.25"), 2L, "+U");
    assertThat(tables.merge(spec()).rowsDeleted(), is(1L));
    assertThat(rows(), equalTo(List.of(List.of(1L, 2.5, new BigDecimal("4.25")))));
  }

  @Test
  public void otherTypesAreRefused() {
    create(
        new Schema(ID, NestedField.optional(2, "x", Types.IntegerType.get())),
        changes(ID, NestedField.optional(2, "x", Types.LongType.get())));
    append(1L, 1L, 1L, "+I");
    assertThat(refused(spec()).getMessage(), containsString("column x is long"));
  }

  @Test
  public void missingColumnsAreRefusedByName() {
    create(new Schema(ID, NestedField.required(2, "x", Types.IntegerType.get())), changes(ID));
    append(1L, 1L, "+I");
    assertThat(refused(spec()).getMessage(), containsString("no column x"));
  }

  @Test
  public void missingMetadataColumnsAreRefusedByName() {
    create(new Schema(ID), changes(ID));
    append(1L, 1L, "+I");
    assertThat(refused(spec().withOrder("_lsn")).getMessage(), containsString("no column _lsn"));
    assertThat(refused(spec().withKindColumn("op")).getMessage(), containsString("no column op"));
    assertThat(refused(spec().withKey("y")).getMessage(), containsString("key column y"));
  }

  @Test
  public void nullOfARequiredColumnIsRefused() {
    create(
        new Schema(ID, NestedField.required(2, "x", Types.IntegerType.get())),
        changes(ID, NestedField.optional(2, "x", Types.IntegerType.get())));
    append(1L, null, 1L, "+I");
    MergeException refused = refused(spec());
    assertThat(refused.kind(), is(MergeException.Kind.INVALID_CHANGE));
    assertThat(refused.getMessage(), containsString("column x"));
  }

  @Test
  public void otherKindsAreNamedOrRefused() {
    create(new Schema(ID), changes(ID));
    append(1L, 1L, "c");
    append(2L, 2L, "c");
    append(2L, 3L, "d");
    assertThat(refused(spec()).getMessage(), containsString("kind c"));
    tables.merge(spec().withKind("c", ChangeKind.INSERT).withKind("d", ChangeKind.DELETE));
    assertThat(rows(), equalTo(List.of(List.of(1L))));
  }

  @Test
  public void everyKeyTypeFindsItsRows() {
    Map<Type, Object[]> values = new HashMap<>();
    values.put(Types.BooleanType.get(), new Object[] {true, false});
    values.put(Types.IntegerType.get(), new Object[] {1, -2});
    values.put(Types.DateType.get(), new Object[] {LocalDate.of(2024, 5, 1), LocalDate.EPOCH});
    values.put(Types.TimeType.get(), new Object[] {LocalTime.NOON, LocalTime.MIDNIGHT});
    values.put(
        Types.TimestampType.withZone(),
        new Object[] {
          OffsetDateTime.parse("2024-05-01T10:00:00.000001Z"),
          OffsetDateTime.parse("1924-05-01T10:00:00Z")
        });
    values.put(
        Types.TimestampType.withoutZone(),
        new Object[] {
          LocalDateTime.parse("2024-05-01T10:00:00.000001"), LocalDateTime.MIN.withYear(1970)
        });
    values.put(
        Types.DecimalType.of(30, 3),
        new Object[] {new BigDecimal("12345678901234567890.123"), new BigDecimal("-0.001")});
    values.put(Types.StringType.get(), new Object[] {"ä".repeat(40), "b"});
    values.put(Types.UUIDType.get(), new Object[] {new UUID(-1, 2), new UUID(3, -4)});
    values.put(Types.FixedType.ofLength(2), new Object[] {new byte[] {1, -2}, new byte[] {3, 4}});
    values.put(
        Types.BinaryType.get(),
        new Object[] {ByteBuffer.wrap(new byte[] {-1}), ByteBuffer.wrap(new byte[] {2, 3})});
    values.forEach(
        (type, keys) -> {
          NestedField key = NestedField.required(1, "id", type);
          NestedField amount = NestedField.optional(2, "amount", Types.IntegerType.get());
          create(new Schema(key, amount), changes(key, amount));
          append(keys[0], 1, 1L, "+I");
          append(keys[1], 2, 2L, "+I");
          tables.merge(spec());
          append(keys[0], 3, 3L, "+U");
          MergeResult result = tables.merge(spec());
          assertThat(type.toString(), result.rowsDeleted(), is(1L));
          assertThat(
              type.toString(),
              MergeFixture.read(tables.base()).stream().map(r -> r.getField("amount")).toList(),
              containsInAnyOrder(2, 3));
          tables.catalog().dropTable(BASE);
          tables.catalog().dropTable(CHANGES);
        });
  }

  @Test
  public void floatingKeyIsRefused() {
    NestedField key = NestedField.required(1, "id", Types.DoubleType.get());
    create(new Schema(key), changes(key));
    append(1.0, 1L, "+I");
    assertThat(refused(spec()).getMessage(), containsString("neither float nor double"));
  }

  @Test
  public void nestedValuesAndSpillsKeepEveryType() {
    NestedField list =
        NestedField.optional(2, "tags", Types.ListType.ofOptional(10, Types.StringType.get()));
    NestedField map =
        NestedField.optional(
            3,
            "sizes",
            Types.MapType.ofOptional(11, 12, Types.StringType.get(), Types.TimeType.get()));
    NestedField at = NestedField.optional(4, "at", Types.TimestampType.withZone());
    NestedField uuid = NestedField.optional(5, "uuid", Types.UUIDType.get());
    create(new Schema(ID, list, map, at, uuid), changes(ID, at, map, uuid, list));
    OffsetDateTime time = OffsetDateTime.parse("2024-05-01T10:00:00.000001Z");
    UUID random = new UUID(7, 8);
    for (long id = 0; id < 6; id++) {
      append(id, time, Map.of("a", LocalTime.NOON), random, Arrays.asList("x", null), id, "+I");
    }
    tables.merge(spec().withRowsInMemory(2));
    List<List<Object>> expected = new ArrayList<>();
    for (long id = 0; id < 6; id++) {
      expected.add(
          Arrays.asList(id, Arrays.asList("x", null), Map.of("a", LocalTime.NOON), time, random));
    }
    assertThat(rows(), containsInAnyOrder(expected.toArray()));
  }

  private static final NestedField NOTE = NestedField.optional(2, "note", Types.StringType.get());
  private static final NestedField SIZE = NestedField.optional(3, "size", Types.IntegerType.get());
  private static final NestedField UNKNOWN =
      NestedField.optional(4, "_unknown", Types.ListType.ofRequired(5, Types.StringType.get()));

  @Test
  public void valuesThatAreNotToldAreKept() {
    create(new Schema(ID, NOTE, SIZE), changes(ID, NOTE, SIZE, UNKNOWN));
    MergeSpec spec = spec().withUnknownColumns("_unknown");
    append(1L, "long", 1, null, 1L, "+I");
    append(2L, "text", 1, null, 2L, "+I");
    tables.merge(spec);
    // From the row in the base.
    append(1L, null, 2, List.of("note"), 3L, "+U");
    // From an earlier change of the range, though a later one leaves it out as well.
    append(2L, "new", 3, null, 4L, "+U");
    append(2L, null, 4, List.of("note"), 5L, "+U");
    tables.merge(spec);
    assertThat(rows(), containsInAnyOrder(List.of(1L, "long", 2), List.of(2L, "new", 4)));
  }

  @Test
  public void valueThatNobodyToldIsRefused() {
    create(new Schema(ID, NOTE, SIZE), changes(ID, NOTE, SIZE, UNKNOWN));
    MergeSpec spec = spec().withUnknownColumns("_unknown");
    append(1L, null, 2, List.of("note"), 1L, "+U");
    MergeException refused = refused(spec);
    assertThat(refused.kind(), is(MergeException.Kind.INVALID_CHANGE));
    assertThat(refused.getMessage(), containsString("column note"));
    assertThat(tables.base().currentSnapshot(), nullValue());
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> tables.merge(spec.withRemovals(Removals.EQUALITY)))
            .getMessage(),
        notNullValue());
  }
}
