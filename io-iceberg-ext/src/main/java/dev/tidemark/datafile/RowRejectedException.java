package dev.tidemark.datafile;

/**
 * A row that its table cannot hold. Nothing of the row was written, and the writer that threw this
 * goes on as if the row had not been there.
 *
 * <p>The message names the column, its declared type and what is wrong, never the value. No stack
 * trace is taken: a stream of bad rows must not cost more than one of good rows.
 */
public final class RowRejectedException extends RuntimeException {
  private final String column;
  private final String declaredType;
  private final String reason;

  RowRejectedException(String column, String declaredType, String reason) {
    super(
        String.format("Cannot write row: column %s (%s) %s", column, declaredType, reason),
        null,
        false,
        false);
    this.column = column;
    this.declaredType = declaredType;
    this.reason = reason;
  }

  /** Dotted path of the column; {@code element}, {@code key} and {@code value} stand for parts. */
  public String column() {
    return column;
  }

  /** The type that the table declares for the column. */
  public String declaredType() {
    return declaredType;
  }

  /** What is wrong, as the end of the sentence "column x ...". */
  public String reason() {
    return reason;
  }
}
