package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.schematransform.Configuring;
import java.util.List;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.transforms.providers.ErrorHandling;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The fields of {@link ParseDebeziumSchemaTransformProvider}. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class ParseDebeziumConfig {
  /** The output of the changes of the only table. */
  static final String ONLY_OUTPUT = "output";

  @SchemaFieldDescription("The tables whose changes to read, each with a topic of its own.")
  abstract List<DebeziumTableConfig> getTables();

  @SchemaFieldDescription("Columns that are added to the rows, in this order. Default: none.")
  abstract @Nullable List<MetadataColumnConfig> getMetadata();

  @SchemaFieldDescription(
      "What the connector writes for large values that an update left out."
          + " Default: __debezium_unavailable_value.")
  abstract @Nullable String getUnavailableValue();

  @SchemaFieldDescription(
      "Whether records of topics without a table are dropped. Default: false, they fail.")
  abstract @Nullable Boolean getIgnoreOtherTopics();

  @SchemaFieldDescription(
      "Column of the input with the topic, a text. Default: topic if there are several tables, else"
          + " all rows are of the one table's topic.")
  abstract @Nullable String getTopicColumn();

  @SchemaFieldDescription(
      "Column of the input with the record's key, a text or bytes. Default: none; the key is not needed"
          + " to parse a record, only to keep a failed one whole.")
  abstract @Nullable String getKeyColumn();

  @SchemaFieldDescription(
      "Column of the input with the record's value, a text or bytes; payload for rows that Beam's"
          + " ReadFromKafka gives in format RAW. Default: value.")
  abstract @Nullable String getValueColumn();

  @SchemaFieldDescription(
      "Where records go that gave no change although they should have. Default: the first one fails the"
          + " pipeline.")
  abstract @Nullable ErrorHandling getErrorHandling();

  /** The tables by their outputs. */
  ImmutableMap<String, DebeziumTable> tables() {
    ImmutableMap.Builder<String, DebeziumTable> tables = ImmutableMap.builder();
    for (DebeziumTableConfig table : getTables()) {
      String name = table.getName();
      checkArgument(
          name != null || getTables().size() == 1,
          "Invalid field tables: the table of topic %s has no name, which its output needs as there"
              + " are several tables. Set it",
          table.getTopic());
      tables.put(
          name == null ? ONLY_OUTPUT : name,
          Configuring.named("tables, topic " + table.getTopic(), table::table));
    }
    return Configuring.named("tables", tables::buildOrThrow);
  }

  /** The transform. */
  ParseDebezium transform() {
    ImmutableMap<String, DebeziumTable> tables = tables();
    return Configuring.of(
            Configuring.named("tables", () -> ParseDebezium.forTables(tables.values())))
        .set("metadata", getMetadata(), ParseDebeziumConfig::withMetadata)
        .set("unavailable_value", getUnavailableValue(), ParseDebezium::withUnavailableValue)
        .setIf("ignore_other_topics", getIgnoreOtherTopics(), ParseDebezium::ignoringOtherTopics)
        .get();
  }

  private static ParseDebezium withMetadata(
      ParseDebezium parse, List<MetadataColumnConfig> columns) {
    ParseDebezium with = parse;
    for (MetadataColumnConfig column : columns) {
      ChangeMetadata value = Configuring.constant(ChangeMetadata.class, column.getValue());
      with =
          column.getColumn() == null
              ? with.withMetadata(value)
              : with.withMetadata(value, column.getColumn());
    }
    return with;
  }
}
