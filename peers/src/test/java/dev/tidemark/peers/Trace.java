package dev.tidemark.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A recorded run of a released operator.
 *
 * @param outcomes of each event up to the one that failed, if one did; control events have no
 *     outcome
 */
record Trace(
    String name, Setting setting, ImmutableList<Event> events, ImmutableList<Outcome> outcomes) {

  /** Whether all columns have types that are known here. */
  static boolean known(JsonNode trace) {
    for (JsonNode column : trace.get("schema")) {
      String type = column.get("type").asText();
      if (!List.of("INT", "BIGINT", "DOUBLE", "STRING").contains(type)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it ends with an exception of the operator. */
  boolean fails() {
    return outcomes.stream().anyMatch(outcome -> outcome.error() != null);
  }

  static Trace of(JsonNode trace) {
    Setting setting = setting(trace);
    JsonNode input = trace.get("input");
    int size =
        trace.get("error").isNull() ? input.size() : trace.get("error").get("atInput").asInt() + 1;
    ImmutableList.Builder<Event> events = ImmutableList.builder();
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      events.add(event(input.get(i), setting));
      outcomes.add(Outcome.NOTHING);
    }
    JsonNode outputAt = trace.get("outputAt");
    for (int i = 0; i < outputAt.size(); i++) {
      JsonNode output = trace.get("output").get(i);
      outcomes.set(
          outputAt.get(i).asInt(),
          Outcome.emitted(ChangeKind.ofSymbol(output.get(0).asText()), cells(output, setting)));
    }
    if (!trace.get("error").isNull()) {
      String exception = trace.get("error").get("class").asText();
      outcomes.set(
          size - 1, new Outcome(null, null, exception.substring(exception.lastIndexOf('.') + 1)));
    }
    return new Trace(
        trace.get("name").asText()
            + " "
            + setting.strategy()
            + " "
            + setting.backend()
            + " "
            + setting.thresholds(),
        setting,
        events.build(),
        ImmutableList.copyOf(outcomes));
  }

  private static Setting setting(JsonNode trace) {
    ImmutableList.Builder<ColumnType> columns = ImmutableList.builder();
    for (JsonNode column : trace.get("schema")) {
      columns.add(ColumnType.valueOf(column.get("type").asText()));
    }
    JsonNode thresholds = trace.get("thresholds");
    return new Setting(
        UpsertStrategy.valueOf(trace.get("strategy").asText()),
        Setting.Backend.valueOf(trace.get("backend").asText().toUpperCase(Locale.ROOT)),
        columns.build(),
        integers(trace.get("primaryKey")),
        integers(trace.get("upsertKey")),
        thresholds.isNull()
            ? null
            : new Setting.Thresholds(thresholds.get("high").asInt(), thresholds.get("low").asInt()),
        trace.get("ttlMs").asLong());
  }

  private static ImmutableList<Integer> integers(JsonNode array) {
    ImmutableList.Builder<Integer> integers = ImmutableList.builder();
    array.forEach(element -> integers.add(element.asInt()));
    return integers.build();
  }

  private static Event event(JsonNode event, Setting setting) {
    return switch (event.get(0).asText()) {
      case "@time" -> new Event.Time(event.get(1).asLong());
      case "@restore" -> new Event.Restore();
      default ->
          new Event.Change(0, ChangeKind.ofSymbol(event.get(0).asText()), cells(event, setting));
    };
  }

  private static Cells cells(JsonNode change, Setting setting) {
    Object[] values = new Object[setting.columns().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(change.get(i + 1), setting.columns().get(i));
    }
    return Cells.of(values);
  }

  private static @Nullable Object value(JsonNode value, ColumnType type) {
    if (value.isNull()) {
      return null;
    }
    return switch (type) {
      case INT -> (Object) value.asInt();
      case BIGINT -> value.asLong();
      case DOUBLE ->
          value.isTextual()
              ? Double.longBitsToDouble(
                  Long.parseUnsignedLong(value.asText().substring("bits:".length()), 16))
              : value.asDouble();
      case STRING -> value.asText();
    };
  }
}
