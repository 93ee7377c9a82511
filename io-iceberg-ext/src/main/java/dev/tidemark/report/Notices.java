package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.commit.OperatorAct;
import dev.tidemark.sensor.FinalizationReport;
import dev.tidemark.sensor.FinalizationTimeline;
import dev.tidemark.sensor.TimelineCommit;
import dev.tidemark.sensor.TimelinePoint;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Says what of a table's past is not known, rather than leaving it to be guessed. */
final class Notices {
  private final ImmutableList.Builder<String> all = ImmutableList.builder();
  private final FinalizationTimeline timeline;

  private Notices(FinalizationTimeline timeline) {
    this.timeline = timeline;
  }

  static ImmutableList<String> of(FinalizationTimeline timeline) {
    Notices notices = new Notices(timeline);
    notices.standing();
    if (!timeline.points().isEmpty()) {
      notices.begin();
      notices.commits();
    }
    return notices.all.build();
  }

  private void standing() {
    FinalizationReport report = timeline.report();
    switch (report.snapshotState()) {
      case ROLLED_BACK ->
          add(
              "The branch was moved back behind snapshot %d, whose evidence moved the watermark: it does not count until it moves again.",
              report.watermarkSnapshotId());
      case CLONE ->
          add("The watermark in the properties was copied from another table and does not count.");
      case EXPIRED ->
          add(
              "Snapshot %d, whose evidence moved the watermark, has expired: whether the branch still holds it cannot be verified.",
              report.watermarkSnapshotId());
      case NO_WATERMARK -> add("The table has no watermark yet.");
      default -> {}
    }
    for (OperatorAct act : report.operations()) {
      if (act.verb().equals("reset") || act.verb().equals("disable")) {
        add(
            "At %s %s did '%s': %s. Hours that were final before may have been opened again; they are told by when they became final first.",
            act.at(), act.by(), act.verb(), act.reason());
      }
    }
    if (report.disabledReason() != null) {
      add("The table is disabled: %s", report.disabledReason());
    }
    if (report.pausedReason() != null) {
      add("The watermark is paused: %s", report.pausedReason());
    }
  }

  private void begin() {
    Instant first = timeline.points().get(0).at();
    if (timeline.cut()) {
      add("Snapshots before %s have expired; what they brought is not known.", first);
    }
    if (timeline.unreadableFiles() > 0) {
      add(
          "%d metadata files are listed and cannot be read; what they alone tell is not known.",
          timeline.unreadableFiles());
    }
    Instant stored = firstStored();
    if (stored != null && stored.isAfter(first)) {
      add(
          "Metadata files before %s are gone: until then only snapshots tell, without attestations and without those that were rolled back.",
          stored);
    }
  }

  private void commits() {
    int unknown = 0;
    int reduced = 0;
    int foreign = 0;
    long foreignRows = 0;
    int watermark = 0;
    for (TimelinePoint point : timeline.points()) {
      TimelineCommit commit = point.commit();
      watermark += point.watermarkKnown() ? 0 : 1;
      if (commit == null || commit.fence()) {
        continue;
      }
      Long rows = commit.rows();
      if (commit.writer() == null) {
        foreign += rows == null || rows == 0 || "replace".equals(commit.operation()) ? 0 : 1;
        foreignRows += rows == null || "replace".equals(commit.operation()) ? 0 : rows;
      } else if (commit.facts() == null) {
        unknown += rows != null && rows == 0 ? 0 : 1;
      } else {
        unknown += commit.facts().isKnown() ? 0 : 1;
        reduced += commit.reduced() ? 1 : 0;
      }
    }
    addIf(unknown, "%d commits state no event times; nothing is said of their rows.");
    addIf(
        reduced,
        "%d commits have no counts per hour stored any more, only their smallest and largest event time: their late records are bounds.");
    if (foreign > 0) {
      add(
          "%d snapshots of other programs added %d rows without facts; they are not in here.",
          foreign, foreignRows);
    }
    addIf(lost(), "%d commits were rolled back.");
    addIf(watermark, "At %d points the watermark is not known; it is bounded by its neighbours.");
  }

  private int lost() {
    ImmutableSet<Long> lost = timeline.points().get(timeline.points().size() - 1).lost();
    return (int)
        timeline.points().stream()
            .map(TimelinePoint::commit)
            .filter(commit -> commit != null && commit.writer() != null)
            .filter(commit -> lost.contains(commit.snapshotId()))
            .count();
  }

  private @Nullable Instant firstStored() {
    return timeline.points().stream()
        .filter(TimelinePoint::stored)
        .findFirst()
        .map(TimelinePoint::at)
        .orElse(null);
  }

  private void addIf(int count, String text) {
    if (count > 0) {
      add(text, count);
    }
  }

  private void add(String text, @Nullable Object... values) {
    all.add(String.format(java.util.Locale.ROOT, text, values));
  }
}
