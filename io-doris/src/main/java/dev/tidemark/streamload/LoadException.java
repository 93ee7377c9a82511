package dev.tidemark.streamload;

import org.checkerframework.checker.nullness.qual.Nullable;

/** A load, or a transaction of one, that did not happen or is not known to have happened. */
public class LoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Who can do something about it. */
  public enum Category {
    /** The user: data, a setting, a right, a rewound runner. */
    USER,
    /** Another system: Doris, the network. */
    EXTERNAL,
    /** Nobody but the authors. */
    INTERNAL
  }

  /** What happened. */
  public enum Kind {
    /** The server filtered rows; see {@link RejectedException}. Nothing was loaded. */
    REJECTED(Category.USER, true),
    /** The server does not take this request whatever the data: unknown column, missing table. */
    REFUSED(Category.USER, true),
    /** User or password are wrong, or lack a right. */
    UNAUTHORIZED(Category.USER, true),
    /** The label belongs to other content, or to a load of the other mode. */
    LABEL_CONFLICT(Category.USER, true),
    /** The label is committed already; see {@link RewoundException}. */
    REWOUND(Category.USER, true),
    /** A pre-committed transaction is gone; see {@link LostTransactionException}. */
    LOST_TRANSACTION(Category.USER, true),
    /** A redirect that would weaken transport or leave the protocol. Nothing was sent there. */
    REDIRECT_REFUSED(Category.EXTERNAL, true),
    /** The server treated the request otherwise than asked, for example without its label. */
    DISOBEYED(Category.EXTERNAL, true),
    /** The answer is not one of Doris: truncated, too long, of other types. */
    UNREADABLE_ANSWER(Category.EXTERNAL, false),
    /** The server wants fewer or larger loads: too many versions, too many transactions. */
    OVERLOADED(Category.EXTERNAL, false),
    /** It is not known whether it happened; the same request, made again, finds out. */
    UNKNOWN_OUTCOME(Category.EXTERNAL, false),
    /** The server failed, or was not reached. Nothing was loaded. */
    UNAVAILABLE(Category.EXTERNAL, false),
    /** The thread was interrupted. */
    INTERRUPTED(Category.EXTERNAL, false);

    private final Category category;
    private final boolean permanent;

    Kind(Category category, boolean permanent) {
      this.category = category;
      this.permanent = permanent;
    }
  }

  private final Kind kind;

  LoadException(Kind kind, String message) {
    this(kind, message, null);
  }

  LoadException(Kind kind, String message, @Nullable Throwable cause) {
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

  /** Whether making the same request again is pointless until somebody acts. */
  public boolean permanent() {
    return kind.permanent;
  }
}
