package dev.tidemark.doris;

/** A table is missing, or does not take the rows. */
final class TableRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TableRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
