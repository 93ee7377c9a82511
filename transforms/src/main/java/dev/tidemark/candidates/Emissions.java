package dev.tidemark.candidates;

import dev.tidemark.change.ChangeKind;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the changes of a batch emit: for each of them at most one change. */
public final class Emissions {
  private final @Nullable ChangeKind[] kinds;
  private final byte @Nullable [][] retained;
  private int unmatched = -1;

  Emissions(int changes) {
    this.kinds = new ChangeKind[changes];
    this.retained = new byte[changes][];
  }

  /**
   * What a change emits: {@code INSERT}, {@code UPDATE_AFTER} or {@code DELETE}; null for nothing.
   */
  public @Nullable ChangeKind kind(int index) {
    return kinds[index];
  }

  /**
   * The payload of the candidate that a change brings up again; null if what it emits is its own
   * payload.
   */
  public byte @Nullable [] retained(int index) {
    return retained[index];
  }

  /** A retraction of the batch that found no candidate; -1 if each found one. */
  public int anUnmatched() {
    return unmatched;
  }

  void unmatched(int index) {
    unmatched = index;
  }

  void incoming(int index, ChangeKind kind) {
    kinds[index] = kind;
  }

  void retained(int index, ChangeKind kind, byte[] payload) {
    kinds[index] = kind;
    retained[index] = payload;
  }
}
