package dev.tidemark.commit;

import java.util.Locale;

/**
 * What keeps a property write from overwriting a concurrent one; one kind is used per table and
 * branch.
 */
public enum FenceKind {
  /**
   * The catalog swaps whole metadata, so a property write alone conflicts with every other change.
   */
  METADATA,
  /** Each write moves the branch by a snapshot (an empty one where no data go with it). */
  SNAPSHOT;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
