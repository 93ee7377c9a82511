package dev.tidemark.finalization;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** The smallest event time that the lookback saw. */
final class MinOfMins extends LookbackPolicy {

  MinOfMins(Lookback lookback) {
    super(lookback);
  }

  @Override
  Decision decide(List<CommitFacts> recent) {
    long min = Long.MAX_VALUE;
    for (CommitFacts facts : recent) {
      min = Math.min(min, requireNonNull(facts.minMillis()));
    }
    return Decision.candidate(min, "the smallest event time " + over(recent));
  }

  @Override
  public String describe() {
    return "minOfMins(" + lookback().describe() + ")";
  }
}
