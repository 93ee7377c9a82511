package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.sensor.FinalizationReport;
import dev.tidemark.sensor.FinalizationTimeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Puts a report together. */
final class Reporting {
  private final FinalizationTimeline timeline;
  private final Span span;
  private final Instant now;
  private final Bounds actual;

  Reporting(FinalizationTimeline timeline, Span span, Instant now) {
    this.timeline = timeline;
    this.span = span;
    this.now = now;
    this.actual = Bounds.actual(timeline);
  }

  TableReport report() {
    FinalizationReport table = timeline.report();
    List<Commits.Met> commits = new ArrayList<>();
    for (Commits.Met met : Commits.of(timeline, actual)) {
      if (span.contains(at(met))) {
        commits.add(met);
      }
    }
    Delays delays = new Delays();
    Calendar calendar = new Calendar(table, actual);
    LateCount late = LateCount.NONE;
    for (Commits.Met met : commits) {
      CommitFacts facts = met.commit().facts();
      late = late.plus(met.late());
      if (facts != null && !met.lost()) {
        delays.add(facts, met.metLow());
        calendar.add(met);
      }
    }
    ImmutableList<WatermarkStep> moves = moves();
    ImmutableList<ReportedHour> hours = calendar.hours(moves);
    return TableReport.builder()
        .setTable(table)
        .setSpan(span)
        .setCommits(
            commits.stream()
                .map(met -> Commits.span(met, timeline.points().get(met.point())))
                .collect(ImmutableList.toImmutableList()))
        .setMoves(moves)
        .setHolds(
            new Holds(timeline, actual)
                .longerThanTwoSteps().stream()
                    .filter(hold -> span.contains(hold.from()) || span.contains(hold.until()))
                    .collect(ImmutableList.toImmutableList()))
        .setDelays(delays.classes())
        .setUnplacedRecords(delays.unplaced())
        .setHours(hours)
        .setHoursLeftOut(calendar.leftOut())
        .setWriters(writers(commits))
        .setLate(late)
        .setCut(timeline.cut())
        .setNotices(Notices.of(timeline))
        .setMadeAt(now)
        .build();
  }

  private Instant at(Commits.Met met) {
    return timeline.points().get(met.point()).at();
  }

  /** With where it stood when the stretch began, so that the staircase has a first step. */
  private ImmutableList<WatermarkStep> moves() {
    List<WatermarkStep> moves = new ArrayList<>();
    for (WatermarkStep move : actual.moves()) {
      if (span.contains(move.at())) {
        moves.add(move);
      } else if (span.from() != null && move.at().isBefore(span.from())) {
        moves.clear();
        moves.add(new WatermarkStep(span.from(), move.watermark()));
      }
    }
    return ImmutableList.copyOf(moves);
  }

  private ImmutableList<WriterTotals> writers(List<Commits.Met> commits) {
    Map<String, List<Commits.Met>> byWriter = new TreeMap<>();
    timeline.report().requiredWriters().forEach(name -> byWriter.put(name, new ArrayList<>()));
    for (Commits.Met met : commits) {
      CommitFacts facts = met.commit().facts();
      if (facts != null) {
        byWriter.computeIfAbsent(facts.writer(), name -> new ArrayList<>()).add(met);
      }
    }
    ImmutableList.Builder<WriterTotals> all = ImmutableList.builder();
    byWriter.forEach((name, own) -> all.add(totals(name, own)));
    return all.build();
  }

  private WriterTotals totals(String name, List<Commits.Met> commits) {
    long records = 0;
    int lateCommits = 0;
    LateCount late = LateCount.NONE;
    Instant newest = null;
    for (Commits.Met met : commits) {
      LateCount own = met.late();
      records += count(met.commit().facts());
      lateCommits += own.most() > 0 ? 1 : 0;
      late = late.plus(own);
      newest = newest == null || at(met).isAfter(newest) ? at(met) : newest;
    }
    return new WriterTotals(
        name,
        timeline.report().requiredWriters().contains(name),
        commits.size(),
        records,
        lateCommits,
        late,
        newest);
  }

  private static long count(@Nullable CommitFacts facts) {
    return facts == null ? 0 : facts.count();
  }
}
