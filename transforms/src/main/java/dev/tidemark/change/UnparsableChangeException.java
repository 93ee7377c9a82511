package dev.tidemark.change;

/**
 * A record that cannot be turned into changes. The message names tables, columns and types, never
 * values.
 *
 * <p>It carries no stack trace: it ends in the error output, where only the message tells
 * something.
 */
final class UnparsableChangeException extends Exception {
  UnparsableChangeException(String message) {
    super(message, null, false, false);
  }
}
