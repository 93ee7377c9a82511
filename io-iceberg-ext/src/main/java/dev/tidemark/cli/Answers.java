package dev.tidemark.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationStatus;

/** Prints the answer of a check or a wait, and turns it into an exit code. */
final class Answers {
  private Answers() {}

  static int give(
      TableVerb verb, Finalization finalization, FinalizationStatus status, boolean failOnLate) {
    return give(verb, finalization, status, failOnLate, false);
  }

  static int give(
      TableVerb verb,
      Finalization finalization,
      FinalizationStatus status,
      boolean failOnLate,
      boolean timedOut) {
    ObjectNode json = Json.status(verb.table(), status);
    json.put("timedOut", timedOut);
    StringBuilder text = new StringBuilder(status.state().name());
    text.append(' ').append(verb.table().name()).append(' ').append(status.range());
    text.append(": ").append(status.reason()).append('.');
    if (status.isFinalized() && status.snapshotId() != null) {
      text.append(" Read snapshot ").append(status.snapshotId()).append('.');
    }
    int code = code(status, timedOut);
    if (failOnLate && status.isFinalized()) {
      LateData late = LateData.of(finalization, status.range());
      Json.addLate(json, late);
      text.append(late.text());
      code = late.isEmpty() ? code : ExitCodes.LATE;
    }
    verb.print(json, text.toString());
    return code;
  }

  private static int code(FinalizationStatus status, boolean timedOut) {
    if (status.isFinalized()) {
      return ExitCodes.FINALIZED;
    }
    return timedOut ? ExitCodes.TIMED_OUT : ExitCodes.NOT_FINALIZED;
  }
}
