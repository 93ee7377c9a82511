package dev.tidemark.arrow;

/**
 * A value that its column cannot hold as it is: too large, too fine, or null. The message names the
 * column and says what is wrong, and never has the value.
 */
public final class ValueRejectedException extends RuntimeException {
  private final String column;

  ValueRejectedException(String column, String problem) {
    super("Cannot write column " + column + ": " + problem);
    this.column = column;
  }

  /** The column, nested ones with dots. */
  public String column() {
    return column;
  }
}
