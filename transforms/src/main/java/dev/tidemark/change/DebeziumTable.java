package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.io.Serializable;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * How to read one table's change events: its topic, its columns, and what the JSON does not tell.
 *
 * <pre>{@code
 * DebeziumTable orders =
 *     DebeziumTable.of("pg.shop.orders", schema)
 *         .withKey("order_id", "region")
 *         .withFullBeforeImages()
 *         .withScale("total", 4)
 *         .withTimeUnit("cutoff", ChronoUnit.MILLIS)
 *         .withDefault("coupon", new BigDecimal("1.50"));
 * }</pre>
 *
 * <p>Where the connector writes {@code {schema, payload}} envelopes, {@link
 * #fromSample(DebeziumRecord)} derives all of it but {@link #withFullBeforeImages()}; and whatever
 * a record's own envelope says about time units and decimals goes before what is declared here.
 */
@AutoValue
public abstract class DebeziumTable implements Serializable {
  /** The topic, {@code <prefix>.<schema>.<table>} unless the connector routes otherwise. */
  public abstract String topic();

  abstract Schema declaredSchema();

  abstract ImmutableSet<String> key();

  abstract boolean fullBeforeImages();

  abstract ChronoUnit timeUnit();

  abstract ImmutableMap<String, ChronoUnit> timeUnits();

  abstract boolean decimalsAsText();

  abstract ImmutableMap<String, Integer> scales();

  abstract ImmutableMap<String, Object> defaults();

  abstract UnavailableValues unavailableValues();

  abstract Truncates truncates();

  abstract boolean ignoresUndeclaredColumns();

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTopic(String topic);

    abstract Builder setDeclaredSchema(Schema schema);

    abstract Builder setKey(ImmutableSet<String> key);

    abstract Builder setFullBeforeImages(boolean full);

    abstract Builder setTimeUnit(ChronoUnit unit);

    abstract Builder setTimeUnits(ImmutableMap<String, ChronoUnit> units);

    abstract Builder setDecimalsAsText(boolean text);

    abstract Builder setScales(ImmutableMap<String, Integer> scales);

    abstract Builder setDefaults(ImmutableMap<String, Object> defaults);

    abstract Builder setUnavailableValues(UnavailableValues policy);

    abstract Builder setTruncates(Truncates policy);

    abstract Builder setIgnoresUndeclaredColumns(boolean ignores);

    abstract DebeziumTable build();
  }

  /**
   * A table with these columns; nullable fields may be null or absent. See the package's mapping
   * table for types.
   *
   * @throws IllegalArgumentException if a column's type is not supported
   */
  public static DebeziumTable of(String topic, Schema schema) {
    checkArgument(!topic.isEmpty(), "Invalid topic: it must not be empty");
    for (Schema.Field field : schema.getFields()) {
      try {
        ValueParser.of(field.getType());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            String.format("Cannot parse column %s of %s", field.getName(), topic), e);
      }
    }
    return new AutoValue_DebeziumTable.Builder()
        .setTopic(topic)
        .setDeclaredSchema(schema)
        .setKey(ImmutableSet.of())
        .setFullBeforeImages(false)
        .setTimeUnit(ChronoUnit.MICROS)
        .setTimeUnits(ImmutableMap.of())
        .setDecimalsAsText(false)
        .setScales(ImmutableMap.of())
        .setDefaults(ImmutableMap.of())
        .setUnavailableValues(UnavailableValues.FAIL)
        .setTruncates(Truncates.FAIL)
        .setIgnoresUndeclaredColumns(false)
        .build();
  }

  /**
   * The table that a record with {@code {schema, payload}} envelopes belongs to: topic, columns,
   * key, time units, scales and column defaults are those of the record's schemas. Take a recent
   * record: columns that its schema lacks are undeclared.
   *
   * @throws IllegalArgumentException if the value has no envelope, or a column's type is unknown
   */
  public static DebeziumTable fromSample(DebeziumRecord record) {
    EventReader reader = new EventReader();
    try {
      ConnectSchema columns = reader.readDocument(record.valueBytes()).schema();
      ConnectSchema key = reader.readDocument(record.keyBytes()).schema();
      checkArgument(
          columns != null,
          "Cannot derive the table of topic %s: the value has no schema. Declare the schema, or set"
              + " schemas.enable=true on the converter",
          record.topic());
      checkArgument(
          record.keyBytes() == null || key != null,
          "Cannot derive the key of topic %s: the key has no schema",
          record.topic());
      DebeziumTable table = of(record.topic(), columns.beamSchema()).withEncodings(columns);
      return key == null ? table : table.withKey(key.columns().keySet().toArray(new String[0]));
    } catch (UnparsableChangeException e) {
      throw new IllegalArgumentException(
          String.format("Cannot derive the table of topic %s", record.topic()), e);
    }
  }

  private DebeziumTable withEncodings(ConnectSchema columns) throws UnparsableChangeException {
    Map<String, ChronoUnit> units = new LinkedHashMap<>();
    Map<String, Integer> scales = new LinkedHashMap<>();
    Map<String, Object> defaults = new LinkedHashMap<>();
    boolean decimalsAsText = false;
    for (Map.Entry<String, JsonNode> column : columns.columns().entrySet()) {
      String name = column.getKey();
      Encoding encoding = columns.encodings().get(name);
      units.put(name, encoding.timeUnit());
      decimalsAsText |= isTextDecimal(name, encoding);
      if (encoding.scale() != null) {
        scales.put(name, encoding.scale());
      }
      JsonNode value = column.getValue().path("default");
      if (!value.isMissingNode() && !value.isNull()) {
        ValueParser parser = ValueParser.of(declaredSchema().getField(name).getType());
        defaults.put(name, parser.parse(value, encoding));
      }
    }
    return toBuilder()
        .setTimeUnits(ImmutableMap.copyOf(units))
        .setScales(ImmutableMap.copyOf(scales))
        .setDefaults(ImmutableMap.copyOf(defaults))
        .setDecimalsAsText(decimalsAsText)
        .build();
  }

  private boolean isTextDecimal(String column, Encoding encoding) {
    return encoding.decimalsAsText()
        && ValueParser.isBinary(declaredSchema().getField(column).getType());
  }

  /**
   * The key columns, which a delete is sure to tell. Default: none, for a table without a key,
   * whose deletes then have to tell the whole row. All other columns become nullable unless {@link
   * #withFullBeforeImages()} is set as well.
   */
  public DebeziumTable withKey(String... columns) {
    for (String column : columns) {
      checkColumn(column);
    }
    return toBuilder().setKey(ImmutableSet.copyOf(columns)).build();
  }

  /**
   * Declares that before images tell the whole row: {@code REPLICA IDENTITY FULL}. Updates then
   * give {@code -U} and {@code +U} (flattened records never tell the row before: {@code +U} alone),
   * and deletes the whole row. Default: off. Then a delete gives its key only, whatever its before
   * image holds: with the default replica identity Debezium fills columns that must not be null
   * with made-up values (empty text, year 1970), which nothing tells from real ones.
   */
  public DebeziumTable withFullBeforeImages() {
    return toBuilder().setFullBeforeImages(true).build();
  }

  /**
   * The unit of times and timestamps that come as numbers, for all columns without their own.
   * Default: MICROS; {@code time.precision.mode=connect} writes MILLIS.
   *
   * @throws IllegalArgumentException if it is none of MILLIS, MICROS, NANOS
   */
  public DebeziumTable withTimeUnit(ChronoUnit unit) {
    return toBuilder().setTimeUnit(TimeParsers.checkUnit(unit)).build();
  }

  /**
   * The unit of one column. In the default mode Debezium writes milliseconds for up to three
   * decimals ({@code timestamp(3)}, {@code time(0)}) and microseconds for more.
   *
   * @throws IllegalArgumentException if it is none of MILLIS, MICROS, NANOS
   */
  public DebeziumTable withTimeUnit(String column, ChronoUnit unit) {
    checkColumn(column);
    return toBuilder().setTimeUnits(with(timeUnits(), column, TimeParsers.checkUnit(unit))).build();
  }

  /**
   * Declares that decimals come as plain text ({@code decimal.handling.mode=string}). Default:
   * base64 of the unscaled value ({@code precise}). Numbers and {@code {scale, value}} structs are
   * understood either way.
   */
  public DebeziumTable withDecimalsAsText() {
    return toBuilder().setDecimalsAsText(true).build();
  }

  /**
   * The scale of a base64 decimal declared as DECIMAL; a {@code FixedPrecisionNumeric} column has
   * one already.
   */
  public DebeziumTable withScale(String column, int scale) {
    checkColumn(column);
    return toBuilder().setScales(with(scales(), column, scale)).build();
  }

  /**
   * What a column holds where a record lacks it, which is so before the column was added. Default:
   * null. The value has the Java type of the schema's field; a null that a record tells stays null.
   */
  public DebeziumTable withDefault(String column, Object value) {
    checkColumn(column);
    Schema.Field field = declaredSchema().getField(column);
    try {
      Row.withSchema(Schema.of(field)).addValue(value).build();
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid default of column %s: %s (must be a %s)",
              column, value.getClass().getName(), ValueParser.name(field.getType())),
          e);
    }
    return toBuilder().setDefaults(with(defaults(), column, value)).build();
  }

  /**
   * What to do with large values that an update left out. Default: {@link UnavailableValues#FAIL}.
   */
  public DebeziumTable withUnavailableValues(UnavailableValues policy) {
    return toBuilder().setUnavailableValues(policy).build();
  }

  /** What to do when the table is truncated. Default: {@link Truncates#FAIL}. */
  public DebeziumTable withTruncates(Truncates policy) {
    return toBuilder().setTruncates(policy).build();
  }

  /**
   * Drops columns that the schema lacks. Default: their records go to the error output, so that
   * none is lost unnoticed.
   */
  public DebeziumTable ignoringUndeclaredColumns() {
    return toBuilder().setIgnoresUndeclaredColumns(true).build();
  }

  /**
   * The schema of the changes' rows, without metadata columns: the declared one, with all but the
   * key columns nullable where a change may not tell them.
   */
  public Schema rowSchema() {
    boolean mayMiss =
        unavailableValues() == UnavailableValues.EMIT_UNKNOWN
            || (!key().isEmpty() && !fullBeforeImages());
    Schema.Builder schema = Schema.builder();
    for (Schema.Field field : declaredSchema().getFields()) {
      boolean relaxed = mayMiss && !key().contains(field.getName());
      schema.addField(relaxed ? field.withNullable(true) : field);
    }
    return schema.build();
  }

  void checkComplete() {
    checkArgument(
        unavailableValues() != UnavailableValues.FILL_FROM_BEFORE || fullBeforeImages(),
        "Cannot fill unavailable values of %s: without full before images there is nothing to fill"
            + " them from. Set withFullBeforeImages() if the source has REPLICA IDENTITY FULL",
        topic());
  }

  Encoding encoding(String column) {
    return Encoding.of(
        timeUnits().getOrDefault(column, timeUnit()), decimalsAsText(), scales().get(column));
  }

  @Nullable Object defaultOf(String column) {
    return defaults().get(column);
  }

  private void checkColumn(String column) {
    checkArgument(
        declaredSchema().hasField(column), "Cannot find column %s of %s", column, topic());
  }

  private static <T> ImmutableMap<String, T> with(
      ImmutableMap<String, T> map, String key, T value) {
    return ImmutableMap.<String, T>builder().putAll(map).put(key, value).buildKeepingLast();
  }
}
