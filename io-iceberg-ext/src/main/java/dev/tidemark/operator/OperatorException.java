package dev.tidemark.operator;

import org.checkerframework.checker.nullness.qual.Nullable;

/** An act that is refused. Nothing was written; the message ends in what to do about it. */
public final class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Kind {
    /** The watermark would move forward, or beyond now, by somebody's word alone. */
    FORWARD,
    /** A pipeline writes to the table. */
    IN_USE,
    /** No writer would be left. */
    LAST_WRITER,
    /** The table knows no such writer. */
    WRITER_UNKNOWN,
    /** The base table has recorded no such source, or another one. */
    SOURCE_UNKNOWN,
    /** The watermark of a source cannot be told, or does not count. */
    SOURCE_UNUSABLE,
    /** What is stored cannot be read. */
    UNREADABLE,
    /** The catalog cannot be opened. */
    CATALOG_UNUSABLE,
    /** There is no such table. */
    TABLE_MISSING,
    /** The catalog does not let this principal read the table. */
    FORBIDDEN,
    /** Catalog or storage failed; trying again may help. */
    UNAVAILABLE
  }

  private final Kind kind;

  OperatorException(Kind kind, String message) {
    this(kind, message, null);
  }

  OperatorException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Why. */
  public Kind kind() {
    return kind;
  }
}
