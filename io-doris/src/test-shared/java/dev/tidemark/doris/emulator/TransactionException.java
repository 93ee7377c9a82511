package dev.tidemark.doris.emulator;

/** A commit or an abort that the frontend refuses. */
final class TransactionException extends Exception {

  TransactionException(String message) {
    super(message);
  }
}
