package dev.tidemark.streamload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Reads JSON objects whose members have the types they should have. */
final class Json {
  private static final int SHOWN_CHARACTERS = 80;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Json() {}

  static JsonNode object(HttpAnswer answer, Secrets secrets) throws UnreadableAnswer {
    if (answer.cut()) {
      throw new UnreadableAnswer(
          "the answer of %s is longer than %d characters and begins with: %s"
              .formatted(
                  answer.server(), answer.text().length(), beginning(answer.text(), secrets)));
    }
    JsonNode node;
    try {
      node = MAPPER.readTree(answer.text());
    } catch (JsonProcessingException e) {
      // Not kept as the cause: its message quotes the answer.
      throw notJson(answer, secrets);
    }
    if (!node.isObject()) {
      throw notJson(answer, secrets);
    }
    return node;
  }

  private static UnreadableAnswer notJson(HttpAnswer answer, Secrets secrets) {
    return new UnreadableAnswer(
        "the answer of %s (HTTP %d) is not a complete JSON object; it begins with: %s"
            .formatted(answer.server(), answer.code(), beginning(answer.text(), secrets)));
  }

  private static String beginning(String text, Secrets secrets) {
    return text.isBlank() ? "(nothing)" : secrets.scrub(text, SHOWN_CHARACTERS);
  }

  /** A text, or empty if there is none. */
  static String text(JsonNode object, String member) throws UnreadableAnswer {
    JsonNode value = object.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (!value.isTextual()) {
      throw wrong(member, "text", value);
    }
    return value.textValue();
  }

  /** A whole number, or {@code missing} if there is none. */
  static long number(JsonNode object, String member, long missing) throws UnreadableAnswer {
    JsonNode value = object.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return missing;
    }
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    if (value.isTextual() && value.textValue().matches("-?[0-9]{1,18}")) {
      return Long.parseLong(value.textValue());
    }
    throw wrong(member, "a whole number", value);
  }

  /** A truth value, as such or as text; false if there is none. */
  static boolean flag(JsonNode object, String member) throws UnreadableAnswer {
    JsonNode value = object.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    if (value.isTextual() && value.textValue().matches("(?i)true|false")) {
      return Boolean.parseBoolean(value.textValue());
    }
    throw wrong(member, "true or false", value);
  }

  private static UnreadableAnswer wrong(String member, String expected, JsonNode value) {
    return new UnreadableAnswer(
        "its member %s is not %s but of type %s".formatted(member, expected, value.getNodeType()));
  }
}
