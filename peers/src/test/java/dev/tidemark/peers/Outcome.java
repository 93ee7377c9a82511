package dev.tidemark.peers;

import dev.tidemark.change.ChangeKind;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What became of one change: a row emitted, nothing, or an exception.
 *
 * @param kind of the emitted row; null if nothing was emitted
 * @param row the emitted row; null if nothing was emitted
 * @param error the simple name of the exception's class; null if there was none
 */
record Outcome(@Nullable ChangeKind kind, @Nullable Cells row, @Nullable String error) {
  static final Outcome NOTHING = new Outcome(null, null, null);

  static Outcome emitted(ChangeKind kind, Cells row) {
    return new Outcome(kind, row, null);
  }

  static Outcome failed(Exception exception) {
    return new Outcome(null, null, exception.getClass().getSimpleName());
  }

  @Override
  public String toString() {
    if (error != null) {
      return error;
    }
    return kind == null ? "nothing" : kind.symbol() + " " + row;
  }
}
