package dev.tidemark.commit;

import org.checkerframework.checker.nullness.qual.Nullable;

/** A commit or advance that did not happen, or is not known to have happened. */
public final class CommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Who can do something about it. */
  public enum Category {
    /** The user: a setting, a rewound runner, a changed table. */
    USER,
    /** Another system: catalog, storage, a competing writer. */
    EXTERNAL,
    /** Nobody but the authors. */
    INTERNAL
  }

  /** What happened. */
  public enum Kind {
    /** The table holds other results under these sequences. */
    REWOUND(Category.USER, true),
    /** The branch was moved back, and results before these are gone from it. */
    ROLLED_BACK(Category.USER, true),
    /** The table does not hold the results that come before these. */
    RESULTS_MISSING(Category.USER, true),
    /** The results were written for another table of this name. */
    TABLE_RECREATED(Category.USER, true),
    /** There is no such table. */
    TABLE_MISSING(Category.USER, true),
    /** The table wants staged commits, which this protocol refuses. */
    STAGED(Category.USER, true),
    /** The catalog refuses the change. */
    FORBIDDEN(Category.USER, true),
    /** The table does not take these files. */
    INVALID_FILES(Category.USER, true),
    /** The record of committed results outgrew its limit. */
    RECORD_OVERFLOW(Category.USER, true),
    /** A stored record cannot be read. */
    RECORD_UNREADABLE(Category.USER, true),
    /** A hook threw before the commit. Nothing was committed. */
    HOOK_FAILED(Category.EXTERNAL, false),
    /** Other writers won every attempt. Nothing was committed. */
    CONFLICT(Category.EXTERNAL, false),
    /** It is not known whether the commit landed; the same request, sent again, finds out. */
    UNKNOWN_OUTCOME(Category.EXTERNAL, false),
    /** Catalog or storage failed before anything was committed. */
    UNAVAILABLE(Category.EXTERNAL, false),
    /** The thread was interrupted between attempts. */
    INTERRUPTED(Category.EXTERNAL, false);

    private final Category category;
    private final boolean permanent;

    Kind(Category category, boolean permanent) {
      this.category = category;
      this.permanent = permanent;
    }
  }

  private final Kind kind;
  private final boolean park;

  CommitException(Kind kind, String message) {
    this(kind, message, null, false);
  }

  CommitException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, cause, false);
  }

  CommitException(Kind kind, String message, @Nullable Throwable cause, boolean park) {
    super(message, cause);
    this.kind = kind;
    this.park = park;
  }

  /** What happened. */
  public Kind kind() {
    return kind;
  }

  /** Who can do something about it. */
  public Category category() {
    return kind.category;
  }

  /** Whether sending the same request again is pointless until somebody acts. */
  public boolean permanent() {
    return kind.permanent;
  }

  /** Whether the request asked for such results to be set aside ({@link RewindPolicy#PARK}). */
  public boolean park() {
    return park;
  }
}
