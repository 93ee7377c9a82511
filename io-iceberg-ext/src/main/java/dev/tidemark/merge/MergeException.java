package dev.tidemark.merge;

import org.checkerframework.checker.nullness.qual.Nullable;

/** A merge that did not happen, or did not end. Running it again is always safe. */
public final class MergeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What happened. */
  public enum Kind {
    /** What was appended since the last merge cannot be told any more. */
    RANGE_LOST(true),
    /** The change table was overwritten, or rows were deleted from it. */
    SOURCE_CHANGED(true),
    /** A source is another table than the one merged before. */
    SOURCE_RECREATED(true),
    /** A change table has a truncate, which is not to be applied. */
    TRUNCATED(true),
    /** Columns of change table and base table do not go together. */
    SCHEMA(true),
    /** A change cannot be applied. */
    INVALID_CHANGE(true),
    /** The base table cannot take part. */
    BASE_UNFIT(true),
    /** Other commits to the base won every time. Nothing was merged. */
    CONFLICT(false);

    private final boolean permanent;

    Kind(boolean permanent) {
      this.permanent = permanent;
    }
  }

  private final Kind kind;

  MergeException(Kind kind, String message) {
    this(kind, message, null);
  }

  MergeException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What happened. */
  public Kind kind() {
    return kind;
  }

  /** Whether running again is pointless until somebody acts. */
  public boolean permanent() {
    return kind.permanent;
  }
}
