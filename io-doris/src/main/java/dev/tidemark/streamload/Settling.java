package dev.tidemark.streamload;

/** Waits for a load that may still run. */
final class Settling {
  private Settling() {}

  /** The label's state once no load runs under it, or PREPARE when the time for that is over. */
  static LabelState await(
      StreamLoadClient client, String database, String label, Attempts attempts) {
    long since = attempts.now();
    for (int look = 0; ; look++) {
      LabelState state = client.labelState(database, label);
      if (state != LabelState.PREPARE || attempts.settleTimeIsOver(since)) {
        return state;
      }
      attempts.waitForLook(look);
    }
  }
}
