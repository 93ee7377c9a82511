package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Serializable;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Makes records of rows that have topic, key and value in columns. */
final class RecordColumns implements SerializableFunction<Row, DebeziumRecord>, Serializable {
  private static final long serialVersionUID = 1L;
  private static final int NONE = -1;

  /** A record as a row, with what the parser needs of it. */
  static final Schema SCHEMA =
      Schema.builder()
          .addStringField("topic")
          .addNullableByteArrayField("key")
          .addNullableByteArrayField("value")
          .build();

  private final String onlyTopic;
  private final int topic;
  private final int key;
  private final int value;

  private RecordColumns(String onlyTopic, int topic, int key, int value) {
    this.onlyTopic = onlyTopic;
    this.topic = topic;
    this.key = key;
    this.value = value;
  }

  /**
   * The columns that a configuration names in a schema.
   *
   * @throws IllegalArgumentException if there is no such column, or it is of another type
   */
  static RecordColumns of(ParseDebeziumConfig config, Schema input) {
    String only = config.getTables().size() == 1 ? config.getTables().get(0).getTopic() : "";
    String topic = config.getTopicColumn();
    if (topic == null && only.isEmpty()) {
      topic = "topic";
    }
    String value = config.getValueColumn() == null ? "value" : config.getValueColumn();
    return new RecordColumns(
        only,
        topic == null ? NONE : indexOf("topic_column", topic, input, TypeName.STRING),
        config.getKeyColumn() == null
            ? NONE
            : indexOf("key_column", config.getKeyColumn(), input, TypeName.BYTES),
        indexOf("value_column", value, input, TypeName.BYTES));
  }

  private static int indexOf(String field, String column, Schema input, TypeName type) {
    checkArgument(
        input.hasField(column),
        "Invalid field %s: the input has no column %s, but %s. Name another one",
        field,
        column,
        input.getFieldNames());
    TypeName actual = input.getField(column).getType().getTypeName();
    checkArgument(
        actual == TypeName.STRING || actual == type,
        "Invalid field %s: column %s is of type %s (must be STRING%s)",
        field,
        column,
        actual,
        type == TypeName.STRING ? "" : " or " + type);
    return input.indexOf(column);
  }

  @Override
  public DebeziumRecord apply(Row row) {
    String name = topic == NONE ? onlyTopic : row.getString(topic);
    return DebeziumRecord.of(
        name == null ? "" : name, key == NONE ? null : bytes(row, key), bytes(row, value));
  }

  private static byte @Nullable [] bytes(Row row, int column) {
    Object content = row.getValue(column);
    return content instanceof String text ? text.getBytes(UTF_8) : (byte[]) content;
  }

  /** A record as a row of {@link #SCHEMA}. */
  static Row asRow(DebeziumRecord record) {
    return Row.withSchema(SCHEMA)
        .addValues(record.topic(), record.keyBytes(), record.valueBytes())
        .build();
  }
}
