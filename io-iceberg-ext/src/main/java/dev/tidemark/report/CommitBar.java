package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What is drawn as one bar: a commit, or where there are too many to tell apart the neighbours of
 * one writer, from the smallest to the largest value of any of them.
 */
record CommitBar(
    double pixel,
    String writer,
    long min,
    long max,
    @Nullable Long low,
    @Nullable Long high,
    @Nullable Long met,
    LateCount late,
    boolean lost,
    Extent extent) {
  private static final int MOST_BARS = 960;
  private static final double LANE_PIXELS = 2.4;

  /** What a bar stands for. */
  record Extent(int commits, int writers, long records, Instant first, Instant last) {}

  static ImmutableList<CommitBar> of(List<CommitSpan> commits, Lanes lanes, TimeAxis x) {
    double width = x.untilPixel() - x.fromPixel();
    int slots = commits.size() <= MOST_BARS ? 0 : Math.max(120, MOST_BARS / lanes.count());
    Map<String, List<CommitSpan>> groups = new LinkedHashMap<>();
    for (CommitSpan commit : commits) {
      if (commit.min() == null || commit.max() == null) {
        continue;
      }
      String slot =
          slots == 0
              ? Long.toString(commit.snapshotId())
              : lanes.of(commit.writer())
                  + "/"
                  + (int) ((x.pixel(commit.at()) - x.fromPixel()) * slots / width);
      groups.computeIfAbsent(slot, any -> new ArrayList<>()).add(commit);
    }
    return groups.values().stream()
        .map(group -> of(group, shift(group.get(0), lanes), x))
        .collect(ImmutableList.toImmutableList());
  }

  /** Writers that commit at the same time stand beside each other. */
  private static double shift(CommitSpan commit, Lanes lanes) {
    return (lanes.of(commit.writer()) - (lanes.count() - 1) / 2.0) * LANE_PIXELS;
  }

  private static CommitBar of(List<CommitSpan> group, double shift, TimeAxis x) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    Long low = null;
    Long high = null;
    Long met = null;
    LateCount late = LateCount.NONE;
    boolean lost = true;
    long records = 0;
    for (CommitSpan commit : group) {
      Long least = Hours.millis(commit.min());
      Long most = Hours.millis(commit.max());
      min = least == null ? min : Math.min(min, least);
      max = most == null ? max : Math.max(max, most);
      Long l = Hours.millis(commit.low());
      Long h = Hours.millis(commit.high());
      low = l == null || (low != null && low < l) ? low : l;
      high = h == null || (high != null && high > h) ? high : h;
      if (commit.late().most() > 0 && commit.met() != null) {
        long own = commit.met().toEpochMilli();
        met = met == null || met < own ? Long.valueOf(own) : met;
      }
      late = late.plus(commit.late());
      lost &= commit.lost();
      records += commit.records();
    }
    Instant first = group.get(0).at();
    Instant last = group.get(group.size() - 1).at();
    double middle = (x.pixel(first) + x.pixel(last)) / 2;
    return new CommitBar(
        Math.min(x.untilPixel(), Math.max(x.fromPixel(), middle + shift)),
        group.get(0).writer(),
        min,
        max,
        low,
        high,
        met,
        late,
        lost,
        new Extent(
            group.size(),
            (int) group.stream().map(CommitSpan::writer).distinct().count(),
            records,
            first,
            last));
  }

  String title(Words words) {
    String who = extent.writers() == 1 ? writer : extent.writers() + " writers";
    String what =
        extent.commits() == 1
            ? who + " at " + words.shortTime(extent.first())
            : "%s, %d commits, %s to %s"
                .formatted(
                    who,
                    extent.commits(),
                    words.shortTime(extent.first()),
                    words.shortTime(extent.last()));
    String late = late().most() == 0 ? "" : ", late: " + Words.late(late());
    return "%s: %s, %s to %s%s%s"
        .formatted(
            what,
            Words.count(extent.records(), "record", "records"),
            words.shortTime(Instant.ofEpochMilli(min)),
            words.shortTime(Instant.ofEpochMilli(max)),
            late,
            lost ? ", rolled back" : "");
  }
}
