package dev.tidemark.examples.cdc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumRecordCoder;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A failed record as a JSON object: {@code stage}, {@code reason}, {@code record} (what can be
 * shown of it), {@code coder} and {@code encoded} (all of it, in base64). Of an event that could
 * not be parsed there are {@code topic}, {@code key} and {@code value} besides, as texts. A letter
 * that is too long for a topic has {@code omittedFrom}, its length before, and lacks the long ones.
 */
final class DeadLetterText extends SimpleFunction<BadRecord, String> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String EVENT_CODER = DebeziumRecordCoder.of().toString();

  /** Of a part of a shortened letter. */
  private static final int MOST_CHARACTERS = 10_000;

  private final String stage;

  DeadLetterText(String stage) {
    this.stage = stage;
  }

  @Override
  public String apply(BadRecord failed) {
    ObjectNode letter = JSON.createObjectNode();
    letter.put("stage", stage);
    letter.put("reason", reason(failed.getFailure()));
    BadRecord.Record record = failed.getRecord();
    letter.put("record", record.getHumanReadableJsonRecord());
    letter.put("coder", record.getCoder());
    byte[] encoded = record.getEncodedRecord();
    letter.put("encoded", encoded == null ? null : Base64.getEncoder().encodeToString(encoded));
    if (encoded != null && EVENT_CODER.equals(record.getCoder())) {
      addEvent(letter, encoded);
    }
    return letter.toString();
  }

  /** A letter that is too long for where it goes, without what makes it long. */
  static String shortened(String letter) {
    ObjectNode left;
    try {
      left = (ObjectNode) JSON.readTree(letter);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot read a letter of its own", e);
    }
    for (String name : List.of("record", "encoded", "key", "value")) {
      if (left.path(name).asText().length() > MOST_CHARACTERS) {
        left.remove(name);
      }
    }
    left.put("omittedFrom", letter.length());
    return left.toString();
  }

  private static @Nullable String reason(BadRecord.Failure failure) {
    String exception = failure.getException();
    return exception == null
        ? failure.getDescription()
        : failure.getDescription() + ": " + exception;
  }

  private static void addEvent(ObjectNode letter, byte[] encoded) {
    try {
      DebeziumRecord event = CoderUtils.decodeFromByteArray(DebeziumRecordCoder.of(), encoded);
      letter.put("topic", event.topic());
      letter.put("key", event.key());
      letter.put("value", event.value());
    } catch (IOException e) {
      throw new IllegalStateException("Cannot decode what the parser has encoded", e);
    }
  }
}
