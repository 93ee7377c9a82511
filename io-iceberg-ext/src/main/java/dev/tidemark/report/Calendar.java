package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.sensor.FinalizationReport;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Tells of each hour whether it is final, and what it got. */
final class Calendar {
  private static final int MOST_HOURS = 24 * 366;

  private final FinalizationReport report;
  private final Bounds actual;
  private final TreeMap<Long, Long> records = new TreeMap<>();
  private final Map<Long, Long> late = new HashMap<>();
  private @Nullable Long unplacedFrom;
  private @Nullable Long unplacedUntil;
  private int leftOut;

  Calendar(FinalizationReport report, Bounds actual) {
    this.report = report;
    this.actual = actual;
  }

  void add(Commits.Met met) {
    CommitFacts facts = met.commit().facts();
    if (facts == null) {
      return;
    }
    Long watermark = met.metLow();
    boolean byHour = facts.widthMillis() > 0 && facts.widthMillis() <= Hours.MILLIS;
    if (byHour) {
      for (Map.Entry<Long, Long> bucket : facts.buckets().entrySet()) {
        long hour = Hours.floor(bucket.getKey());
        records.merge(hour, bucket.getValue(), Long::sum);
        if (watermark != null && bucket.getKey() + facts.widthMillis() <= watermark) {
          late.merge(hour, bucket.getValue(), Long::sum);
        }
      }
    }
    Long min = facts.minMillis();
    if (watermark != null
        && min != null
        && min < watermark
        && (!byHour || facts.buckets().isEmpty())) {
      unplacedFrom = unplacedFrom == null ? min : Long.valueOf(Math.min(unplacedFrom, min));
      unplacedUntil =
          unplacedUntil == null ? watermark : Long.valueOf(Math.max(unplacedUntil, watermark));
    }
  }

  ImmutableList<ReportedHour> hours(List<WatermarkStep> moves) {
    Long first = records.isEmpty() ? null : records.firstKey();
    Long last = records.isEmpty() ? null : Long.valueOf(records.lastKey() + Hours.MILLIS);
    Long since = Hours.millis(report.finalizedSince());
    for (WatermarkStep move : moves) {
      long until = Hours.floor(move.watermark().toEpochMilli());
      boolean covered = since == null || until >= since;
      first = covered && (first == null || until < first) ? Long.valueOf(until) : first;
      last = last == null || until > last ? Long.valueOf(until) : last;
    }
    if (first == null || last == null) {
      return ImmutableList.of();
    }
    long start = Math.max(first, last - MOST_HOURS * Hours.MILLIS);
    leftOut = records.headMap(start).size();
    ImmutableList.Builder<ReportedHour> hours = ImmutableList.builder();
    for (long hour = start; hour < last; hour += Hours.MILLIS) {
      hours.add(hour(hour));
    }
    return hours.build();
  }

  int leftOut() {
    return leftOut;
  }

  private ReportedHour hour(long start) {
    long end = start + Hours.MILLIS;
    boolean mayBeLate =
        unplacedFrom != null
            && unplacedUntil != null
            && end > unplacedFrom
            && start < unplacedUntil;
    ReportedHour.State state = state(start, end);
    return new ReportedHour(
        Instant.ofEpochMilli(start),
        state,
        records.getOrDefault(start, 0L),
        late.getOrDefault(start, 0L),
        mayBeLate,
        state == ReportedHour.State.NOT_COVERED ? FinalTime.OPEN : actual.reached(end));
  }

  private ReportedHour.State state(long start, long end) {
    Long since = Hours.millis(report.finalizedSince());
    Long until = Hours.millis(report.finalizedUntil());
    boolean counts =
        report.snapshotState() != FinalizationReport.SnapshotState.CLONE
            && report.snapshotState() != FinalizationReport.SnapshotState.ROLLED_BACK;
    if (until == null || !counts) {
      return ReportedHour.State.OPEN;
    } else if (since == null || start < since) {
      return ReportedHour.State.NOT_COVERED;
    }
    return end <= until ? ReportedHour.State.FINAL : ReportedHour.State.OPEN;
  }
}
