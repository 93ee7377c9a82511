package dev.tidemark.doris.emulator;

/** A statement that Doris would not run, or one of more than the emulator knows. */
final class StatementException extends IllegalArgumentException {

  StatementException(String message) {
    super(message);
  }
}
