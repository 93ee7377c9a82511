package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import dev.tidemark.eventtime.EventTimeSketch;
import java.math.BigDecimal;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The smallest of the commits' own percentiles. */
final class Percentile extends LookbackPolicy {

  private final double fraction;

  Percentile(double fraction, Lookback lookback) {
    super(lookback);
    checkArgument(
        fraction > 0 && fraction < 1,
        "Invalid percentile: %s (must be a fraction between 0 and 1, both excluded)",
        fraction);
    this.fraction = fraction;
  }

  @Override
  Decision decide(List<CommitFacts> recent) {
    long min = Long.MAX_VALUE;
    long width = 1;
    for (CommitFacts facts : recent) {
      Long quantile = quantile(facts);
      if (quantile == null) {
        return missing(facts, "percentile " + text(fraction));
      }
      min = Math.min(min, quantile);
      width = Boundaries.common(width, Math.max(1, facts.widthMillis()));
    }
    return Decision.candidate(
        min, width, "the smallest percentile " + text(fraction) + " " + over(recent));
  }

  private @Nullable Long quantile(CommitFacts facts) {
    Integer perMille = perMille();
    if (perMille != null && facts.quantilesMillis().containsKey(perMille)) {
      return facts.quantilesMillis().get(perMille);
    }
    EventTimeSketch sketch = facts.sketch();
    return sketch == null ? null : sketch.quantileMillis(fraction);
  }

  /** Null where the percentile is none that every commit records. */
  private @Nullable Integer perMille() {
    for (int recorded : CommitFacts.RECORDED_QUANTILES) {
      if (recorded / 1000.0 == fraction) {
        return recorded;
      }
    }
    return null;
  }

  @Override
  public boolean needsSketch() {
    return perMille() == null;
  }

  @Override
  public String describe() {
    return "percentile(" + text(fraction) + ", " + lookback().describe() + ")";
  }

  /** Without an exponent; reads back as the same number. */
  static String text(double fraction) {
    return BigDecimal.valueOf(fraction).stripTrailingZeros().toPlainString();
  }
}
