package dev.tidemark.examples.cdc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.tidemark.secrets.Secrets;

/** Texts by name, written as a JSON object. */
final class JsonTexts {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonTexts() {}

  /** As {@link #parse}, with secrets in the place of references. */
  static ImmutableMap<String, String> resolved(String option, String text) {
    return ImmutableMap.copyOf(Maps.transformValues(parse(option, text), Secrets::resolve));
  }

  /**
   * Reads an object of texts, numbers and booleans; none if the text is empty.
   *
   * @throws IllegalArgumentException if it is none; the message holds no value
   */
  static ImmutableMap<String, String> parse(String option, String text) {
    JsonNode node;
    try {
      node = JSON.readTree(text.isEmpty() ? "{}" : text);
    } catch (JsonProcessingException e) {
      // Not the cause: it quotes the text, in which there may be secrets.
      throw new IllegalArgumentException(
          String.format(
              "Option %s is no JSON, at line %s, column %s",
              option, e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    }
    if (!node.isObject()) {
      throw new IllegalArgumentException(String.format("Option %s is no JSON object", option));
    }
    ImmutableMap.Builder<String, String> texts = ImmutableMap.builder();
    node.fields()
        .forEachRemaining(
            field -> {
              if (!field.getValue().isValueNode() || field.getValue().isNull()) {
                throw new IllegalArgumentException(
                    String.format("Option %s: the value of %s is no text", option, field.getKey()));
              }
              texts.put(field.getKey(), field.getValue().asText());
            });
    return texts.buildKeepingLast();
  }
}
