package dev.tidemark.candidates.testing;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** What a released materializer was fed and what it emitted. */
final class RecordedTrace {
  private static final String HEAP = "heap";

  private final JsonNode json;
  private final List<TraceType> types = new ArrayList<>();
  private final Schema schema;

  RecordedTrace(JsonNode json) {
    this.json = json;
    Schema.Builder schema = Schema.builder();
    for (JsonNode column : json.get("schema")) {
      TraceType type = TraceType.of(column.get("type").textValue());
      types.add(type);
      schema.addField(column.get("name").textValue(), type.fieldType());
    }
    this.schema = schema.build();
  }

  /** What tells traces apart: scenario, strategy, state backend and thresholds. */
  String id() {
    return id(json);
  }

  static String id(JsonNode json) {
    return json.get("name").textValue()
        + " "
        + json.get("strategy").textValue()
        + " "
        + json.get("backend").textValue()
        + " "
        + json.get("thresholds");
  }

  UpsertStrategy strategy() {
    return UpsertStrategy.valueOf(json.get("strategy").textValue());
  }

  boolean onHeap() {
    return json.get("backend").textValue().equals(HEAP);
  }

  /** The thresholds; null for the defaults of the state backend. */
  JsonNode thresholds() {
    return json.get("thresholds").isNull() ? null : json.get("thresholds");
  }

  long ttlMillis() {
    return json.get("ttlMs").longValue();
  }

  /** Whether the operator failed, which only defects explain. */
  boolean failed() {
    return !json.get("error").isNull();
  }

  Schema schema() {
    return schema;
  }

  List<String> sinkKey() {
    return names(json.get("primaryKey"));
  }

  /** The columns of the upsert key; none without one. */
  List<String> upsertKey() {
    return json.get("hasUpsertKey").booleanValue() ? names(json.get("upsertKey")) : List.of();
  }

  private List<String> names(JsonNode indexes) {
    List<String> names = new ArrayList<>();
    indexes.forEach(index -> names.add(schema.getField(index.intValue()).getName()));
    return names;
  }

  /** The number of steps: changes, and what happened between them. */
  int steps() {
    return json.get("input").size();
  }

  /** A change kind, {@code @time} or {@code @restore}. */
  String action(int step) {
    return json.get("input").get(step).get(0).textValue();
  }

  long timeMillis(int step) {
    return json.get("input").get(step).get(1).longValue();
  }

  Row row(int step) {
    return row(json.get("input").get(step));
  }

  /** For each step what it emitted, as text; null for nothing. */
  String[] emitted() {
    String[] emitted = new String[steps()];
    JsonNode at = json.get("outputAt");
    for (int i = 0; i < at.size(); i++) {
      JsonNode output = json.get("output").get(i);
      ChangeKind kind = ChangeKind.ofSymbol(output.get(0).textValue());
      emitted[at.get(i).intValue()] = text(kind, row(output));
    }
    return emitted;
  }

  /** How many keys are in the state at the end; -1 where the trace does not tell. */
  int keysLeft() {
    if (ttlMillis() > 0) {
      return -1;
    }
    if (strategy() == UpsertStrategy.LEGACY) {
      return json.get("stateEntries").intValue();
    }
    // The others keep several entries of a key, or those of keys that are empty.
    int keys = 0;
    for (JsonNode output : json.get("output")) {
      ChangeKind kind = ChangeKind.ofSymbol(output.get(0).textValue());
      keys += kind == ChangeKind.INSERT ? 1 : kind == ChangeKind.DELETE ? -1 : 0;
    }
    return keys;
  }

  private Row row(JsonNode values) {
    List<Object> fields = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      fields.add(types.get(i).read(values.get(i + 1)));
    }
    // Not the builder of rows, which would change the order of maps.
    return Row.withSchema(schema).attachValues(fields);
  }

  String text(ChangeKind kind, Row row) {
    StringBuilder text = new StringBuilder(kind.symbol());
    for (int i = 0; i < types.size(); i++) {
      Object value = row.getValue(i);
      text.append(' ').append(types.get(i).text(value));
    }
    return text.toString();
  }
}
