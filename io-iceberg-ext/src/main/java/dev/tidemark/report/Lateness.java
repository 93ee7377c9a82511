package dev.tidemark.report;

import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LatenessReport;
import dev.tidemark.sensor.TimelineCommit;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Counts the records of a commit that lie below a watermark, by the rule of the commit stage. */
final class Lateness {
  private Lateness() {}

  /** Nothing is below no watermark. */
  static LateCount of(TimelineCommit commit, @Nullable Long watermarkMillis) {
    CommitFacts facts = commit.facts();
    if (facts == null || watermarkMillis == null) {
      return LateCount.NONE;
    }
    LatenessReport report = LatenessReport.of(facts, watermarkMillis, Hours.MILLIS);
    long counted = report == null ? 0 : report.lateRecords() - report.pastCount();
    long past = commit.pastRecords();
    if (report == null || report.exact()) {
      return new LateCount(counted + past, counted + past);
    }
    return new LateCount(past + least(facts, watermarkMillis), past + counted);
  }

  /** With a watermark that is known to lie between two. */
  static LateCount between(
      TimelineCommit commit, @Nullable Long leastMillis, @Nullable Long mostMillis) {
    return new LateCount(of(commit, leastMillis).least(), of(commit, mostMillis).most());
  }

  /** Whole buckets below the watermark; where there are none, the smallest event time alone. */
  private static long least(CommitFacts facts, long watermarkMillis) {
    Long min = facts.minMillis();
    if (min == null || min >= watermarkMillis) {
      return 0;
    }
    long below = 0;
    for (Map.Entry<Long, Long> bucket : facts.buckets().entrySet()) {
      if (bucket.getKey() + facts.widthMillis() <= watermarkMillis) {
        below += bucket.getValue();
      }
    }
    return Math.max(1, below);
  }
}
