package dev.tidemark.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.UUID;

/**
 * Recognizes what Debezium writes for a TOAST value that an update did not touch: the placeholder
 * itself, its base64 form where bytes are expected, or an array or map made from it, depending on
 * the column's type (Debezium's {@code unavailable.value.placeholder}).
 */
final class UnavailableValue {
  private final String text;
  private final byte[] bytes;
  private final String base64;
  private final String uuid;

  UnavailableValue(String placeholder) {
    this.text = placeholder;
    this.bytes = placeholder.getBytes(UTF_8);
    this.base64 = Base64.getEncoder().encodeToString(bytes);
    this.uuid = UUID.nameUUIDFromBytes(bytes).toString();
  }

  /**
   * Whether the node stands for an unavailable value; {@code binary} if its text would be base64.
   */
  boolean matches(JsonNode node, boolean binary) {
    return switch (node.getNodeType()) {
      case STRING -> node.textValue().equals(text) || (binary && node.textValue().equals(base64));
      case ARRAY -> matchesArray(node);
      case OBJECT -> node.size() == 1 && text.equals(node.path(text).textValue());
      default -> false;
    };
  }

  private boolean matchesArray(JsonNode array) {
    if (array.size() == 1 && array.get(0).isTextual()) {
      String only = array.get(0).textValue();
      return only.equals(text) || only.equals(uuid) || only.equals(base64);
    }
    if (array.size() != bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (!array.get(i).isIntegralNumber() || array.get(i).longValue() != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
