package dev.tidemark.peers;

import dev.tidemark.change.ChangeKind;

/** What happens to a materializer. */
sealed interface Event {
  /**
   * A change arrives.
   *
   * @param changelog the number of the changelog that it belongs to
   */
  record Change(int changelog, ChangeKind kind, Cells row) implements Event {
    @Override
    public String toString() {
      return kind.symbol() + " " + row;
    }
  }

  /**
   * The clock of the time to live moves.
   *
   * @param millis to this time
   */
  record Time(long millis) implements Event {}

  /** The materializer ends, and another goes on with what is in the snapshot of it. */
  record Restore() implements Event {}
}
