package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import dev.tidemark.change.PostgresTypes.ColumnType;
import dev.tidemark.schematransform.Configuring;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldName;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A table as fields of a configuration tell it. Beam does not put the names of fields within lists
 * into snake case, so they are given.
 */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class DebeziumTableConfig {
  private static final Pattern COLUMN = Pattern.compile("\\s*(?:\"([^\"]+)\"|(\\S+))\\s+(.+)");

  @SchemaFieldName("topic")
  @SchemaFieldDescription(
      "The topic, <prefix>.<schema>.<table> unless the connector routes otherwise.")
  abstract String getTopic();

  @SchemaFieldName("name")
  @SchemaFieldDescription(
      "The output of the table's changes. Required with several tables. Default: output.")
  abstract @Nullable String getName();

  @SchemaFieldName("columns")
  @SchemaFieldDescription(
      "The columns as in the source's database, each its name and type of PostgreSQL, for example"
          + " 'total numeric(12,2)' or 'order_id bigint not null'.")
  abstract List<String> getColumns();

  @SchemaFieldName("key")
  @SchemaFieldDescription(
      "The columns of the primary key. Default: none, for a table without a key.")
  abstract @Nullable List<String> getKey();

  @SchemaFieldName("full_before_images")
  @SchemaFieldDescription("Whether the source has REPLICA IDENTITY FULL. Default: false.")
  abstract @Nullable Boolean getFullBeforeImages();

  @SchemaFieldName("time_unit")
  @SchemaFieldDescription(
      "Unit of times that come as numbers: MILLIS, MICROS or NANOS. Default: what the precision of the"
          + " column's type says in Debezium's adaptive mode. MILLIS for time.precision.mode=connect.")
  abstract @Nullable String getTimeUnit();

  @SchemaFieldName("time_units")
  @SchemaFieldDescription("Units of single columns, by name, which go before time_unit.")
  abstract @Nullable Map<String, String> getTimeUnits();

  @SchemaFieldName("decimals_as_text")
  @SchemaFieldDescription(
      "Whether the connector has decimal.handling.mode=string. Default: false, base64.")
  abstract @Nullable Boolean getDecimalsAsText();

  @SchemaFieldName("defaults")
  @SchemaFieldDescription(
      "What a column of texts, booleans or numbers holds where a record lacks it, by name."
          + " Default: null.")
  abstract @Nullable Map<String, String> getDefaults();

  @SchemaFieldName("unavailable_values")
  @SchemaFieldDescription(
      "What to do with large values that an update left out: FAIL, FILL_FROM_BEFORE or EMIT_UNKNOWN."
          + " Default: FAIL.")
  abstract @Nullable String getUnavailableValues();

  @SchemaFieldName("truncates")
  @SchemaFieldDescription(
      "What to do when the table is truncated: FAIL, IGNORE or REPORT, to output truncates."
          + " Default: FAIL.")
  abstract @Nullable String getTruncates();

  @SchemaFieldName("ignore_undeclared_columns")
  @SchemaFieldDescription(
      "Whether columns that are not declared are dropped. Default: false, their records fail.")
  abstract @Nullable Boolean getIgnoreUndeclaredColumns();

  /** The table. */
  DebeziumTable table() {
    Map<String, ColumnType> types = types();
    Schema.Builder schema = Schema.builder();
    types.forEach((column, type) -> schema.addField(column, type.type()));
    Configuring<DebeziumTable> table =
        Configuring.of(
                Configuring.named("columns", () -> DebeziumTable.of(getTopic(), schema.build())))
            .set("key", getKey(), (t, key) -> t.withKey(key.toArray(new String[0])))
            .setIf(
                "full_before_images", getFullBeforeImages(), DebeziumTable::withFullBeforeImages);
    return withTimeUnits(table, types)
        .setIf("decimals_as_text", getDecimalsAsText(), DebeziumTable::withDecimalsAsText)
        .set("defaults", getDefaults(), (t, defaults) -> withDefaults(t, types, defaults))
        .set(
            "unavailable_values",
            getUnavailableValues(),
            (t, policy) ->
                t.withUnavailableValues(Configuring.constant(UnavailableValues.class, policy)))
        .set(
            "truncates",
            getTruncates(),
            (t, policy) -> t.withTruncates(Configuring.constant(Truncates.class, policy)))
        .setIf(
            "ignore_undeclared_columns",
            getIgnoreUndeclaredColumns(),
            DebeziumTable::ignoringUndeclaredColumns)
        .get();
  }

  private Map<String, ColumnType> types() {
    Map<String, ColumnType> types = new LinkedHashMap<>();
    for (String column : getColumns()) {
      Matcher matcher = COLUMN.matcher(column);
      checkArgument(
          matcher.matches(),
          "Invalid field columns: '%s' (must be a name and a type, such as 'id bigint not null')",
          column);
      String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      ColumnType type = Configuring.named("columns", () -> PostgresTypes.parse(matcher.group(3)));
      checkArgument(
          types.put(name, type) == null, "Invalid field columns: there are two of name %s", name);
    }
    return types;
  }

  private Configuring<DebeziumTable> withTimeUnits(
      Configuring<DebeziumTable> table, Map<String, ColumnType> types) {
    Configuring<DebeziumTable> with =
        table.set("time_unit", getTimeUnit(), (t, unit) -> t.withTimeUnit(unit(unit)));
    if (getTimeUnit() == null) {
      for (Map.Entry<String, ColumnType> type : types.entrySet()) {
        with =
            with.set(
                "columns",
                type.getValue().timeUnit(),
                (t, unit) -> t.withTimeUnit(type.getKey(), unit));
      }
    }
    return with.set(
        "time_units",
        getTimeUnits(),
        (t, units) -> {
          DebeziumTable all = t;
          for (Map.Entry<String, String> unit : units.entrySet()) {
            all = all.withTimeUnit(unit.getKey(), unit(unit.getValue()));
          }
          return all;
        });
  }

  private static ChronoUnit unit(String name) {
    return Configuring.constant(ChronoUnit.class, name);
  }

  private static DebeziumTable withDefaults(
      DebeziumTable table, Map<String, ColumnType> types, Map<String, String> defaults) {
    DebeziumTable all = table;
    for (Map.Entry<String, String> value : defaults.entrySet()) {
      ColumnType type = types.get(value.getKey());
      checkArgument(type != null, "column %s is not declared", value.getKey());
      all = all.withDefault(value.getKey(), PostgresTypes.value(type.type(), value.getValue()));
    }
    return all;
  }
}
