package dev.tidemark.candidates;

import org.checkerframework.checker.nullness.qual.Nullable;

/** Stored candidates cannot be read. The message names what is wrong and what to do. */
public final class CorruptStateException extends RuntimeException {
  /** An exception with a message. */
  public CorruptStateException(String message) {
    this(message, null);
  }

  /** An exception with a message and its cause. */
  public CorruptStateException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
