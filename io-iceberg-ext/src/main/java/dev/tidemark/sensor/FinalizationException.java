package dev.tidemark.sensor;

import org.checkerframework.checker.nullness.qual.Nullable;

/** A question about a table that has no answer. The message ends in what to do about it. */
public final class FinalizationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Who can do something about it. */
  public enum Category {
    /** The user: a name, a grant, a table. */
    USER,
    /** Another system: catalog or storage. */
    EXTERNAL
  }

  /** What happened. */
  public enum Kind {
    /** The catalog cannot be opened, or does not take such a table name. */
    CATALOG_UNUSABLE(Category.USER),
    /** There is no such table. */
    TABLE_MISSING(Category.USER),
    /** The table was dropped and created again during a wait. */
    TABLE_RECREATED(Category.USER),
    /** The table has no such branch. */
    BRANCH_MISSING(Category.USER),
    /** The watermark was copied from another table. */
    CLONED(Category.USER),
    /** An operator took Tidemark's opinions from the table. */
    DISABLED(Category.USER),
    /** What is stored cannot be read. */
    UNREADABLE(Category.USER),
    /** The catalog does not let this principal read the table. */
    FORBIDDEN(Category.USER),
    /** Catalog or storage failed; asking again may help. */
    UNAVAILABLE(Category.EXTERNAL);

    private final Category category;

    Kind(Category category) {
      this.category = category;
    }
  }

  private final Kind kind;

  FinalizationException(Kind kind, String message) {
    this(kind, message, null);
  }

  FinalizationException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What happened. */
  public Kind kind() {
    return kind;
  }

  /** Who can do something about it. */
  public Category category() {
    return kind.category;
  }

  /** Whether asking again, without anybody doing anything, may help. */
  public boolean isTransient() {
    return kind == Kind.UNAVAILABLE;
  }
}
