package dev.tidemark.doris.emulator;

/** A text that is no value of its column's type. */
final class BadValueException extends Exception {

  BadValueException(String message) {
    super(message);
  }

  BadValueException(String message, Throwable cause) {
    super(message, cause);
  }
}
