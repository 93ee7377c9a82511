package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A batch of changes and what each of them emits: nothing, its own payload, or a payload that was
 * kept from an earlier change of its sink key.
 */
public final class MaterializedBatch {
  private final KeyedChanges changes;
  private final @Nullable ChangeKind[] kinds;
  private final byte @Nullable [][] retained;

  private MaterializedBatch(
      KeyedChanges changes, @Nullable ChangeKind[] kinds, byte @Nullable [][] retained) {
    this.changes = changes;
    this.kinds = kinds;
    this.retained = retained;
  }

  static MaterializedBatch of(KeyedChanges changes, Emissions emissions) {
    int size = changes.size();
    @Nullable ChangeKind[] kinds = new ChangeKind[size];
    byte @Nullable [][] retained = new byte[size][];
    for (int i = 0; i < size; i++) {
      kinds[i] = emissions.kind(i);
      retained[i] = emissions.retained(i);
    }
    return new MaterializedBatch(changes, kinds, retained);
  }

  /**
   * A batch.
   *
   * @param kinds for each change what it emits, or null for nothing
   * @param retained for each change the kept payload that it emits, or null for its own
   */
  static MaterializedBatch of(
      KeyedChanges changes, @Nullable ChangeKind[] kinds, byte @Nullable [][] retained) {
    checkArgument(
        kinds.length == changes.size() && retained.length == changes.size(),
        "Invalid emissions: %s kinds and %s payloads (must be %s of each)",
        kinds.length,
        retained.length,
        changes.size());
    return new MaterializedBatch(changes, kinds, retained);
  }

  /** The changes that came in, in the order in which they were processed. */
  public KeyedChanges changes() {
    return changes;
  }

  /**
   * What a change emits: {@code INSERT}, {@code UPDATE_AFTER} or {@code DELETE}; null for nothing.
   */
  public @Nullable ChangeKind kind(int index) {
    return kinds[index];
  }

  /**
   * The kept payload that a change emits, not to be changed; null if it emits its own payload, or
   * nothing.
   */
  public byte @Nullable [] retained(int index) {
    return retained[index];
  }
}
