package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The latest boundary below which the lookback saw at most a budget of records. */
final class LateBudget extends LookbackPolicy {

  private final long records;
  private final double fraction;

  private LateBudget(long records, double fraction, Lookback lookback) {
    super(lookback);
    this.records = records;
    this.fraction = fraction;
  }

  static LateBudget ofRecords(long records, Lookback lookback) {
    checkArgument(records >= 0, "Invalid late budget: %s records (must be >= 0)", records);
    return new LateBudget(records, 0, lookback);
  }

  static LateBudget ofFraction(double fraction, Lookback lookback) {
    checkArgument(
        fraction > 0 && fraction < 1,
        "Invalid late budget: %s (must be a fraction between 0 and 1, both excluded)",
        fraction);
    return new LateBudget(-1, fraction, lookback);
  }

  @Override
  Decision decide(List<CommitFacts> recent) {
    for (CommitFacts facts : recent) {
      if (facts.buckets().isEmpty()) {
        return missing(facts, "counts");
      }
    }
    long width = FactsFolding.widest(recent);
    SortedMap<Long, Long> counts = FactsFolding.sum(recent, width);
    long budget = budget(counts);
    long below = 0;
    for (Map.Entry<Long, Long> bucket : counts.entrySet()) {
      below += bucket.getValue();
      if (below > budget) {
        return candidate(bucket.getKey(), width, budget, recent);
      }
    }
    // Everything fits into the budget. Beyond the last bucket nothing has been seen, so nothing is
    // claimed.
    return candidate(counts.lastKey(), width, budget, recent);
  }

  private static Decision candidate(
      long boundary, long width, long budget, List<CommitFacts> recent) {
    return Decision.candidate(
        boundary,
        width,
        "the latest boundary with at most " + budget + " records below " + over(recent));
  }

  private long budget(SortedMap<Long, Long> counts) {
    if (records >= 0) {
      return records;
    }
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    return (long) Math.floor(all * fraction);
  }

  @Override
  public String describe() {
    return records >= 0
        ? "lateBudget(" + records + ", " + lookback().describe() + ")"
        : "lateBudgetFraction(" + Percentile.text(fraction) + ", " + lookback().describe() + ")";
  }
}
