package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.stream.Collectors;

/** The most careful of several policies. */
final class AllOf implements FinalizationPolicy {

  private final ImmutableList<FinalizationPolicy> policies;

  AllOf(List<FinalizationPolicy> policies) {
    checkArgument(!policies.isEmpty(), "Invalid policy: allOf of nothing (must hold at least one)");
    this.policies = ImmutableList.copyOf(policies);
  }

  @Override
  public Decision decide(WriterEvidence evidence) {
    Decision lowest = null;
    long width = 1;
    for (FinalizationPolicy policy : policies) {
      Decision decision = policy.decide(evidence);
      if (decision.isWait()) {
        return decision;
      }
      width = Boundaries.common(width, decision.widthMillis());
      if (lowest == null || decision.candidateMillis() < lowest.candidateMillis()) {
        lowest = decision;
      }
    }
    return Decision.candidate(lowest.candidateMillis(), width, lowest.reason());
  }

  @Override
  public Lookback lookback() {
    return policies.stream()
        .map(FinalizationPolicy::lookback)
        .reduce(Lookback::union)
        .orElseThrow();
  }

  @Override
  public boolean needsSketch() {
    return policies.stream().anyMatch(FinalizationPolicy::needsSketch);
  }

  @Override
  public boolean needsAttestation() {
    return policies.stream().anyMatch(FinalizationPolicy::needsAttestation);
  }

  @Override
  public long holdbackMillis() {
    return policies.stream().mapToLong(FinalizationPolicy::holdbackMillis).max().orElse(0);
  }

  @Override
  public String describe() {
    return policies.stream()
        .map(FinalizationPolicy::describe)
        .collect(Collectors.joining(", ", "allOf(", ")"));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AllOf all && all.policies.equals(policies);
  }

  @Override
  public int hashCode() {
    return policies.hashCode();
  }

  @Override
  public String toString() {
    return describe();
  }
}
