package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.errorhandling.ErrorHandler;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Parses Debezium's change events of PostgreSQL tables, in JSON, into {@link Change}s with a
 * declared schema per table.
 *
 * <pre>{@code
 * ParseDebeziumResult shop =
 *     records.apply(
 *         ParseDebezium.forTables(orders, customers)
 *             .withMetadata(ChangeMetadata.POSITION, ChangeMetadata.SOURCE_TIME));
 * PCollection<Change> orderChanges = shop.changes("pg.shop.orders");
 * PCollection<BadRecord> failed = shop.failed();
 * }</pre>
 *
 * <p>All forms are understood record by record: with and without the {@code {schema, payload}}
 * envelope, full change events and rows flattened by {@code ExtractNewRecordState} ({@code
 * add.fields=op,lsn,source.ts_ms} and {@code delete.tombstone.handling.mode=rewrite} are required;
 * the flattening drops truncates and before images).
 *
 * <p>Each record gives all of its changes or one entry of {@link ParseDebeziumResult#failed()},
 * which somebody has to consume: what is in there is missing from the changes. Timestamps and
 * windows are those of the records. Works on bounded and unbounded input, keeps no state and
 * shuffles nothing.
 *
 * @see DebeziumTable
 */
@AutoValue
public abstract class ParseDebezium
    extends PTransform<PCollection<DebeziumRecord>, ParseDebeziumResult> {
  private static final String UNAVAILABLE_VALUE = "__debezium_unavailable_value";

  /**
   * The rows of {@link ParseDebeziumResult#truncates()}: {@code topic}, {@code lsn}, and {@code
   * ts}, when the source committed it.
   */
  public static final Schema TRUNCATE_SCHEMA =
      Schema.builder()
          .addStringField("topic")
          .addInt64Field("lsn")
          .addField("ts", FieldType.logicalType(SqlTypes.TIMESTAMP))
          .build();

  abstract ImmutableList<DebeziumTable> tables();

  abstract ImmutableMap<ChangeMetadata, String> metadata();

  abstract String unavailableValue();

  abstract boolean ignoresOtherTopics();

  abstract @Nullable ErrorHandler<BadRecord, ?> badRecordErrorHandler();

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTables(ImmutableList<DebeziumTable> tables);

    abstract Builder setMetadata(ImmutableMap<ChangeMetadata, String> metadata);

    abstract Builder setUnavailableValue(String placeholder);

    abstract Builder setIgnoresOtherTopics(boolean ignores);

    abstract Builder setBadRecordErrorHandler(ErrorHandler<BadRecord, ?> handler);

    abstract ParseDebezium build();
  }

  /** Parses one table without a key, as {@link DebeziumTable#of(String, Schema)} reads it. */
  public static ParseDebezium forTable(String topic, Schema schema) {
    return forTables(DebeziumTable.of(topic, schema));
  }

  /**
   * Parses these tables.
   *
   * @throws IllegalArgumentException if there is none, or two share a topic
   */
  public static ParseDebezium forTables(DebeziumTable... tables) {
    return forTables(ImmutableList.copyOf(tables));
  }

  /**
   * Parses these tables.
   *
   * @throws IllegalArgumentException if there is none, or two share a topic
   */
  public static ParseDebezium forTables(Iterable<DebeziumTable> tables) {
    ImmutableList<DebeziumTable> list = ImmutableList.copyOf(tables);
    checkArgument(!list.isEmpty(), "Missing required value: tables");
    checkArgument(
        list.stream().map(DebeziumTable::topic).distinct().count() == list.size(),
        "Invalid tables: each must have a topic of its own");
    return new AutoValue_ParseDebezium.Builder()
        .setTables(list)
        .setMetadata(ImmutableMap.of())
        .setUnavailableValue(UNAVAILABLE_VALUE)
        .setIgnoresOtherTopics(false)
        .build();
  }

  /** Adds columns to the rows, in this order, by their default names. Default: none. */
  public ParseDebezium withMetadata(ChangeMetadata... columns) {
    ParseDebezium parse = this;
    for (ChangeMetadata column : columns) {
      parse = parse.withMetadata(column, column.defaultName());
    }
    return parse;
  }

  /**
   * Adds a column of this name to the rows. Default: none.
   *
   * @throws IllegalArgumentException if another metadata column has the name
   */
  public ParseDebezium withMetadata(ChangeMetadata column, String name) {
    ImmutableMap<ChangeMetadata, String> all =
        ImmutableMap.<ChangeMetadata, String>builder()
            .putAll(metadata())
            .put(column, name)
            .buildKeepingLast();
    checkArgument(
        ImmutableSet.copyOf(all.values()).size() == all.size(),
        "Invalid metadata column: %s (another one has that name)",
        name);
    return toBuilder().setMetadata(all).build();
  }

  /**
   * What the connector writes for large values that an update left out. Default: {@code
   * __debezium_unavailable_value}; set it if the connector's {@code unavailable.value.placeholder}
   * is set.
   */
  public ParseDebezium withUnavailableValue(String placeholder) {
    checkArgument(!placeholder.isEmpty(), "Invalid unavailable value: it must not be empty");
    return toBuilder().setUnavailableValue(placeholder).build();
  }

  /** Drops and counts records of topics without a table. Default: they go to the error output. */
  public ParseDebezium ignoringOtherTopics() {
    return toBuilder().setIgnoresOtherTopics(true).build();
  }

  /** Hands the failed records to a handler as well. Default: none; they are in the result only. */
  public ParseDebezium withBadRecordErrorHandler(ErrorHandler<BadRecord, ?> handler) {
    return toBuilder().setBadRecordErrorHandler(handler).build();
  }

  @Override
  public ParseDebeziumResult expand(PCollection<DebeziumRecord> records) {
    ImmutableMap.Builder<DebeziumTable, TupleTag<Change>> outputs = ImmutableMap.builder();
    ImmutableMap.Builder<String, TupleTag<Change>> tags = ImmutableMap.builder();
    List<TupleTag<?>> others = new ArrayList<>();
    for (DebeziumTable table : tables()) {
      table.checkComplete();
      TupleTag<Change> tag = new TupleTag<>("changes:" + table.topic());
      outputs.put(table, tag);
      tags.put(table.topic(), tag);
      others.add(tag);
    }
    TupleTag<Change> main = tags.buildOrThrow().get(tables().get(0).topic());
    others.remove(main);
    others.add(ParseDebeziumFn.FAILED);
    others.add(ParseDebeziumFn.TRUNCATES);

    PCollectionTuple parsed =
        records.apply(
            "Parse",
            ParDo.of(
                    new ParseDebeziumFn(
                        outputs.buildOrThrow(),
                        metadata(),
                        unavailableValue(),
                        ignoresOtherTopics()))
                .withOutputTags(main, TupleTagList.of(others)));

    for (DebeziumTable table : tables()) {
      parsed
          .get(tags.buildOrThrow().get(table.topic()))
          .setCoder(ChangeCoder.of(TableParser.schema(table, metadata())));
    }
    parsed.get(ParseDebeziumFn.TRUNCATES).setRowSchema(TRUNCATE_SCHEMA);
    PCollection<BadRecord> failed =
        parsed.get(ParseDebeziumFn.FAILED).setCoder(BadRecord.getCoder(records.getPipeline()));
    ErrorHandler<BadRecord, ?> handler = badRecordErrorHandler();
    if (handler != null) {
      handler.addErrorCollection(failed);
    }
    return new ParseDebeziumResult(records.getPipeline(), tags.buildOrThrow(), parsed);
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    builder.add(
        DisplayData.item(
                "tables", String.join(", ", tables().stream().map(DebeziumTable::topic).toList()))
            .withLabel("Tables"));
    builder.add(
        DisplayData.item("metadata", String.join(", ", metadata().values()))
            .withLabel("Metadata columns"));
    builder.addIfNotDefault(
        DisplayData.item("unavailableValue", unavailableValue()).withLabel("Unavailable value"),
        UNAVAILABLE_VALUE);
    builder.addIfNotDefault(
        DisplayData.item("ignoresOtherTopics", ignoresOtherTopics())
            .withLabel("Ignores other topics"),
        false);
  }
}
