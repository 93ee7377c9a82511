package dev.tidemark.streamload;

import com.google.common.collect.ImmutableList;

/**
 * A load that the server rolled back because rows of it were filtered. The message counts them and
 * says why, without values of rows; {@link #reasons} is the server's own log, with values.
 */
public final class RejectedException extends LoadException {
  private static final long serialVersionUID = 1L;

  private final String label;
  private final long totalRows;
  private final long filteredRows;
  private final ImmutableList<String> reasons;

  RejectedException(
      String message, String label, long totalRows, long filteredRows, Iterable<String> reasons) {
    super(Kind.REJECTED, message);
    this.label = label;
    this.totalRows = totalRows;
    this.filteredRows = filteredRows;
    this.reasons = ImmutableList.copyOf(reasons);
  }

  /** The load's label; it is free again. */
  public String label() {
    return label;
  }

  /** Rows of the load, as the server counted them. */
  public long totalRows() {
    return totalRows;
  }

  /** How many of them it filtered. */
  public long filteredRows() {
    return filteredRows;
  }

  /**
   * Lines of the server's error log, one for each filtered row, with values of these rows. At most
   * the first {@value StreamLoadClient#MAX_ERROR_LOG_BYTES} bytes; empty if there was no log.
   */
  public ImmutableList<String> reasons() {
    return reasons;
  }
}
