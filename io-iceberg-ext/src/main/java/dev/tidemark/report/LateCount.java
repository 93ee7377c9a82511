package dev.tidemark.report;

/**
 * How many records were late: at least {@code least} and at most {@code most}.
 *
 * @param least the records that are known to be late
 * @param most with those that may be
 */
public record LateCount(long least, long most) {
  static final LateCount NONE = new LateCount(0, 0);

  /** Whether both are the same. */
  public boolean exact() {
    return least == most;
  }

  LateCount plus(LateCount other) {
    return new LateCount(least + other.least, most + other.most);
  }

  @Override
  public String toString() {
    return exact() ? Long.toString(least) : least + " to " + most;
  }
}
