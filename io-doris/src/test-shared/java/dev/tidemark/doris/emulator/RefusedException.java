package dev.tidemark.doris.emulator;

/**
 * What a Doris backend would not notice, but corrupt or crash on. The emulator answers with a
 * failure, and remembers it as a violation.
 */
final class RefusedException extends Exception {

  RefusedException(String message) {
    super(message);
  }
}
