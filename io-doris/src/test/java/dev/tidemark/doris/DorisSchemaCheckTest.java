package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableSet;
import dev.tidemark.streamload.KeysType;
import dev.tidemark.streamload.TableColumn;
import dev.tidemark.streamload.TableSchema;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What would corrupt data or crash the server is refused, with table, column, types and remedy. */
@RunWith(JUnit4.class)
public class DorisSchemaCheckTest {
  private static final DorisTable TABLE = DorisTable.of("shop", "orders").withKey("id");
  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final LoadRules ROWS = LoadRules.builder().build();
  private static final LoadRules CHANGES = LoadRules.builder().changes(true).build();
  private static final LoadRules FORWARDED =
      LoadRules.builder().changes(true).forwarded(true).build();

  private static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  private static TableColumn key() {
    return TableColumn.of("id", "BIGINT", null, null, false, "");
  }

  private static TableColumn column(String name, String type) {
    return TableColumn.of(name, type, null, null, true, "REPLACE");
  }

  private static TableColumn decimal(String name, int precision, int scale) {
    return TableColumn.of(name, "DECIMAL64", precision, scale, true, "REPLACE");
  }

  private static TableSchema unique(TableColumn... columns) {
    return TableSchema.of("shop", "orders", KeysType.UNIQUE_KEYS, List.of(columns));
  }

  private static LoadPlan plan(TableSchema live, LoadRules rules, Field... fields) {
    return DorisSchemaCheck.plan(TABLE, live, new Schema(List.of(fields)), rules);
  }

  private static void assertRefused(
      LoadRules rules, TableSchema live, Schema source, DorisTable table, String... texts) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> DorisSchemaCheck.plan(table, live, source, rules));
    assertThat(e.getMessage(), containsString("Cannot write to table shop.orders"));
    for (String text : texts) {
      assertThat(e.getMessage(), containsString(text));
    }
  }

  /** A column of a type, written as another, is refused with both types. */
  private static void assertMismatch(
      LoadRules rules, TableColumn column, Field field, String... texts) {
    assertRefused(
        rules, unique(key(), column), new Schema(List.of(field("id", INT64), field)), TABLE, texts);
  }

  @Test
  public void widerIntegerIsRefused() {
    assertMismatch(
        ROWS,
        column("amount", "INT"),
        field("amount", INT64),
        "column amount is INT there and Int(64, true)",
        "values would be cut to 32 bits",
        "Make it an integer of 32 bits");
  }

  @Test
  public void narrowerIntegerOfBatchesIsRefused() {
    assertMismatch(
        FORWARDED,
        column("amount", "BIGINT"),
        field("amount", new ArrowType.Int(32, true)),
        "BIGINT there and Int(32, true)",
        "read past their 32 bits");
  }

  @Test
  public void narrowerIntegerOfRowsIsWidened() {
    LoadPlan plan =
        plan(
            unique(key(), column("amount", "BIGINT")),
            ROWS,
            field("id", INT64),
            field("amount", new ArrowType.Int(32, true)));
    assertThat(plan.columns().get(1).field().getType(), is(INT64));
  }

  @Test
  public void unsignedIntegerIsRefused() {
    assertMismatch(
        FORWARDED,
        column("amount", "INT"),
        field("amount", new ArrowType.Int(32, false)),
        "only signed integers");
  }

  @Test
  public void otherScaleIsRefused() {
    assertMismatch(
        ROWS,
        decimal("price", 10, 2),
        field("price", new ArrowType.Decimal(10, 4, 128)),
        "column price is DECIMAL(10,2) there and Decimal(10, 4, 128)",
        "Give the decimal the scale 2");
  }

  @Test
  public void precisionThatOverflowsIsRefused() {
    assertMismatch(
        ROWS,
        decimal("price", 10, 2),
        field("price", new ArrowType.Decimal(12, 2, 128)),
        "DECIMAL(10,2) there and Decimal(12, 2, 128)",
        "at most 10 digits");
  }

  @Test
  public void decimalOfOtherWidthIsRefused() {
    assertMismatch(
        FORWARDED,
        decimal("price", 10, 2),
        field("price", new ArrowType.Decimal(10, 2, 256)),
        "128 bits");
  }

  @Test
  public void floatForDecimalIsRefused() {
    assertMismatch(
        ROWS,
        decimal("price", 10, 2),
        field("price", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
        "only decimals are taken");
  }

  @Test
  public void doubleForFloatIsRefused() {
    assertMismatch(
        ROWS,
        column("ratio", "FLOAT"),
        field("ratio", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
        "FLOAT there and FloatingPoint(DOUBLE)",
        "Make it a float");
  }

  @Test
  public void largeListIsRefused() {
    assertMismatch(
        FORWARDED,
        column("tags", "ARRAY"),
        field("tags", ArrowType.LargeList.INSTANCE, field("element", ArrowType.Utf8.INSTANCE)),
        "ARRAY there and LargeList<Utf8>",
        "32-bit offsets");
  }

  @Test
  public void largeTextIsRefused() {
    assertMismatch(
        FORWARDED,
        column("note", "VARCHAR"),
        field("note", ArrowType.LargeUtf8.INSTANCE),
        "VARCHAR there and LargeUtf8",
        "32-bit offsets");
  }

  @Test
  public void dictionaryIsRefused() {
    Field encoded =
        new Field(
            "note",
            new FieldType(true, ArrowType.Utf8.INSTANCE, new DictionaryEncoding(1, false, null)),
            List.of());
    assertMismatch(
        FORWARDED,
        column("note", "VARCHAR"),
        encoded,
        "a dictionary of Utf8",
        "Decode the dictionary");
  }

  @Test
  public void elementOfOtherTypeIsRefused() {
    assertMismatch(
        ROWS,
        column("tags", "ARRAY<INT>"),
        field("tags", ArrowType.List.INSTANCE, field("element", INT64)),
        "ARRAY<INT> there and List<Int(64, true)>",
        "cut to 32 bits");
  }

  @Test
  public void elementWithoutCounterpartIsRefused() {
    assertMismatch(
        ROWS,
        column("tags", "ARRAY"),
        field(
            "tags",
            ArrowType.List.INSTANCE,
            field("element", new ArrowType.Time(TimeUnit.MICROSECOND, 64))),
        "ARRAY there and List<Time(MICROSECOND, 64)>",
        "cannot be loaded");
  }

  @Test
  public void typesThatArrowCannotLoadAreRefused() {
    for (String type : List.of("JSON", "VARIANT", "HLL", "BITMAP", "IPV4", "AGG_STATE")) {
      assertMismatch(
          ROWS,
          column("data", type),
          field("data", ArrowType.Utf8.INSTANCE),
          "column data is " + type + " there and Utf8",
          "cannot be loaded as Arrow",
          "make it a STRING");
    }
  }

  @Test
  public void timestampOfAnotherZoneIsRefused() {
    assertMismatch(
        FORWARDED,
        column("at", "DATETIMEV2"),
        field("at", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "Asia/Shanghai")),
        "ignores the zone Asia/Shanghai");
  }

  @Test
  public void dateInMillisecondsIsRefused() {
    assertMismatch(
        FORWARDED,
        column("day", "DATEV2"),
        field("day", new ArrowType.Date(DateUnit.MILLISECOND)),
        "DATEV2 there and Date(MILLISECOND)",
        "date in days");
  }

  @Test
  public void textForBooleanIsRefused() {
    assertMismatch(
        ROWS,
        column("paid", "BOOLEAN"),
        field("paid", ArrowType.Utf8.INSTANCE),
        "BOOLEAN there and Utf8");
  }

  @Test
  public void unknownColumnIsRefusedWithTheNames() {
    assertRefused(
        ROWS,
        unique(key()),
        new Schema(List.of(field("id", INT64), field("customer", ArrowType.Utf8.INSTANCE))),
        TABLE,
        "column customer of type Utf8",
        "it has id",
        "add it to the table");
  }

  @Test
  public void misspeltColumnIsRefusedWithASuggestion() {
    assertRefused(
        ROWS,
        unique(key(), column("customer", "VARCHAR")),
        new Schema(List.of(field("id", INT64), field("custmoer", ArrowType.Utf8.INSTANCE))),
        TABLE,
        "column custmoer",
        "did you mean customer?");
  }

  @Test
  public void columnsTakeTheSpellingOfTheTable() {
    LoadPlan plan =
        plan(
            unique(key(), column("Amount", "BIGINT")),
            ROWS,
            field("AMOUNT", INT64),
            field("ID", INT64));
    assertThat(
        plan.columns().stream().map(column -> column.field().getName()).toList(),
        is(List.of("id", "Amount")));
    assertThat(plan.columns().stream().map(LoadPlan.Column::source).toList(), is(List.of(1, 0)));
  }

  @Test
  public void missingNotNullColumnIsRefused() {
    TableSchema live = unique(key(), TableColumn.of("amount", "INT", null, null, false, "REPLACE"));
    assertRefused(
        ROWS,
        live,
        new Schema(List.of(field("id", INT64))),
        TABLE,
        "lack column amount INT",
        "withDefaultedColumns");
    LoadRules defaulted = LoadRules.builder().defaultedColumns(ImmutableSet.of("amount")).build();
    assertThat(plan(live, defaulted, field("id", INT64)).columns().size(), is(1));
  }

  @Test
  public void missingKeyColumnIsRefusedEvenInPartialUpdates() {
    assertRefused(
        LoadRules.builder().partialUpdate(true).build(),
        unique(key(), column("amount", "INT")),
        new Schema(List.of(field("amount", new ArrowType.Int(32, true)))),
        TABLE,
        "lack column id BIGINT");
  }

  @Test
  public void changesOfATableWithoutUniqueKeyAreRefused() {
    TableSchema live = TableSchema.of("shop", "orders", KeysType.DUP_KEYS, List.of(key()));
    assertRefused(
        CHANGES,
        live,
        new Schema(List.of(field("id", INT64))),
        DorisTable.of("shop", "orders"),
        "its model is DUP_KEYS",
        "UNIQUE KEY");
  }

  @Test
  public void keyOfATableWithoutUniqueKeyIsRefused() {
    assertRefused(
        ROWS,
        TableSchema.of("shop", "orders", KeysType.DUP_KEYS, List.of(key())),
        new Schema(List.of(field("id", INT64))),
        TABLE,
        "key [id] was given",
        "Leave out withKey");
  }

  @Test
  public void unknownKeyIsRefused() {
    assertRefused(
        ROWS,
        unique(key()),
        new Schema(List.of(field("id", INT64))),
        DorisTable.of("shop", "orders"),
        "the key is not known",
        "withKey");
  }

  @Test
  public void keyThatIsNotFirstIsRefused() {
    assertRefused(
        ROWS,
        unique(key(), column("amount", "BIGINT")),
        new Schema(List.of(field("id", INT64), field("amount", INT64))),
        DorisTable.of("shop", "orders").withKey("amount"),
        "keys are the first columns");
  }

  @Test
  public void sequenceColumnThatIsMissingIsRefused() {
    LoadRules rules = LoadRules.builder().sequenceColumn("version").build();
    assertRefused(
        rules,
        unique(key()),
        new Schema(List.of(field("id", INT64))),
        TABLE,
        "no sequence column version",
        "withSequenceColumn");
    assertRefused(
        rules,
        unique(key(), column("version", "BIGINT")),
        new Schema(List.of(field("id", INT64))),
        TABLE,
        "lack column version BIGINT");
  }

  @Test
  public void sequenceColumnOfTextIsRefused() {
    assertRefused(
        LoadRules.builder().sequenceColumn("version").build(),
        unique(key(), column("version", "VARCHAR")),
        new Schema(List.of(field("id", INT64), field("version", ArrowType.Utf8.INSTANCE))),
        TABLE,
        "sequence column version is of type Utf8",
        "integers, dates and timestamps");
  }

  @Test
  public void partialUpdateOfATableWithoutUniqueKeyIsRefused() {
    assertRefused(
        LoadRules.builder().partialUpdate(true).build(),
        TableSchema.of("shop", "orders", KeysType.DUP_KEYS, List.of(key())),
        new Schema(List.of(field("id", INT64))),
        DorisTable.of("shop", "orders"),
        "partial updates need a table with UNIQUE KEY");
  }

  @Test
  public void deleteSignIsTheLastColumnAndAnInt8() {
    LoadPlan plan =
        plan(
            unique(key(), column("amount", "BIGINT")),
            CHANGES,
            field("id", INT64),
            field("amount", INT64));
    List<Field> fields = plan.loadSchema().getFields();
    Field last = fields.get(fields.size() - 1);
    assertThat(last.getName(), is("__DORIS_DELETE_SIGN__"));
    assertThat(last.getType(), is(new ArrowType.Int(8, true)));
    assertThat(
        plan.dataSchema().getFields().stream().map(Field::getName).toList(),
        is(List.of("id", "amount")));
  }

  @Test
  public void nestedTypesAreReadFromTheirText() {
    DorisType type =
        DorisType.parse("STRUCT<a:ARRAY<DECIMAL(9, 2)>,b:MAP<STRING,INT>>", null, null);
    assertThat(type.children().size(), is(2));
    assertThat(type.children().get(0).children().get(0).toString(), is("DECIMAL(9,2)"));
    assertThat(
        type.children().get(1).children().stream().map(DorisType::kind).toList(),
        is(List.of(DorisType.Kind.TEXT, DorisType.Kind.INT)));
    assertThat(
        DorisType.parse("varchar(40)", null, null).toString(),
        allOf(containsString("varchar"), containsString("40")));
  }
}
