package dev.tidemark.upsert;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.LogPosition;
import java.io.IOException;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/** Changes that cannot be processed, for the failed output. */
final class FailedChanges {
  private FailedChanges() {}

  /** The reason names columns, never values; the change itself can be decoded and sent again. */
  static BadRecord of(ChangeCoder coder, Change change, String reason) throws IOException {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("kind", change.kind().symbol());
    LogPosition position = change.position();
    if (position != null) {
      json.put("position", position.toString());
    }
    return BadRecord.builder()
        .setRecord(
            BadRecord.Record.builder()
                .setHumanReadableJsonRecord(json.toString())
                .addCoderAndEncodedRecord(coder, change)
                .build())
        .setFailure(
            BadRecord.Failure.builder()
                .setDescription("Cannot materialize change: " + reason)
                .build())
        .build();
  }
}
