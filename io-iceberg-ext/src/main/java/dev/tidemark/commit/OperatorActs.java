package dev.tidemark.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The record of what operators did, as chunks of a table property: {@code o1:} and a JSON array,
 * oldest act first, each with {@code at}, {@code by}, {@code verb}, {@code reason} and, where there
 * is one, {@code before} and {@code after}.
 *
 * <p>The newest {@value #MAX_ACTS} are kept, fewer where they are long. An act is recorded in the
 * very commit that does it.
 */
public final class OperatorActs {
  static final int MAX_ACTS = 32;
  private static final int MAX_CHUNKS = 4;
  private static final String VERSION = "o1:";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private OperatorActs() {}

  /**
   * The recorded acts, oldest first.
   *
   * @throws IllegalArgumentException if the record cannot be read
   */
  public static ImmutableList<OperatorAct> read(Map<String, String> properties, TidemarkKeys keys) {
    String text = chunks(keys).read(properties);
    return text == null ? ImmutableList.of() : fromText(text, keys);
  }

  /**
   * Adds what records an act. A record that cannot be read is begun anew, since it must not stop
   * whoever has to mend the table; the act says so.
   */
  public static void append(
      OperatorAct act,
      Map<String, String> properties,
      TidemarkKeys keys,
      PropertyChange.Builder change) {
    List<OperatorAct> acts = new ArrayList<>();
    OperatorAct added = act;
    try {
      acts.addAll(read(properties, keys));
    } catch (IllegalArgumentException e) {
      added =
          OperatorAct.of(
              act.verb(),
              act.at(),
              act.by(),
              act.reason(),
              act.before() + " (the record before could not be read)",
              act.after());
    }
    acts.add(added);
    while (acts.size() > MAX_ACTS || toText(acts).length() > chunks(keys).capacity()) {
      acts.remove(0);
    }
    chunks(keys).write(toText(acts), properties, change);
    change.summary(keys.operation(), object(added).toString());
  }

  static String toText(Iterable<OperatorAct> acts) {
    ArrayNode array = MAPPER.createArrayNode();
    acts.forEach(act -> array.add(object(act)));
    return VERSION + array;
  }

  private static ObjectNode object(OperatorAct act) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("at", act.at().toString()).put("by", act.by());
    object.put("verb", act.verb()).put("reason", act.reason());
    if (act.before() != null) {
      object.put("before", act.before());
    }
    if (act.after() != null) {
      object.put("after", act.after());
    }
    return object;
  }

  private static ImmutableList<OperatorAct> fromText(String text, TidemarkKeys keys) {
    try {
      if (!text.startsWith(VERSION)) {
        throw new IllegalArgumentException("it does not begin with " + VERSION);
      }
      ImmutableList.Builder<OperatorAct> acts = ImmutableList.builder();
      for (JsonNode node : MAPPER.readTree(text.substring(VERSION.length()))) {
        acts.add(
            OperatorAct.of(
                required(node, "verb"),
                Instant.parse(required(node, "at")),
                required(node, "by"),
                required(node, "reason"),
                optional(node, "before"),
                optional(node, "after")));
      }
      return acts.build();
    } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Invalid property %s: it is no record of acts (must be %s and a JSON array)"
              .formatted(keys.operations(), VERSION),
          e);
    }
  }

  private static String required(JsonNode node, String field) {
    String value = optional(node, field);
    if (value == null) {
      throw new IllegalArgumentException("an act has no " + field);
    }
    return value;
  }

  private static @Nullable String optional(JsonNode node, String field) {
    JsonNode value = node.get(field);
    return value == null ? null : value.textValue();
  }

  private static PropertyChunks chunks(TidemarkKeys keys) {
    return PropertyChunks.headed(keys.operations(), MAX_CHUNKS);
  }
}
