package dev.tidemark.cli;

import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.EventTimeRange;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.ForeignLate;
import dev.tidemark.sensor.LateCommit;

/** What came late into a range. */
record LateData(
    EventTimeRange range, ImmutableList<LateCommit> commits, ImmutableList<ForeignLate> foreign) {
  static LateData of(Finalization finalization, EventTimeRange range) {
    return new LateData(range, finalization.late(range), finalization.foreignLate());
  }

  boolean isEmpty() {
    return commits.isEmpty() && foreign.isEmpty();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (LateCommit commit : commits) {
      text.append(
          "%nLate: %s%s in snapshot %d of writer %s, committed at %s"
              .formatted(
                  commit.exact() ? "" : "at most ",
                  records(commit.recordsIn(range)),
                  commit.snapshotId(),
                  commit.writer(),
                  commit.committedAt()));
    }
    for (ForeignLate append : foreign) {
      text.append(
          "%nLate: at most %s in foreign snapshot %d%s"
              .formatted(
                  records(append.maxRecords()),
                  append.snapshotId(),
                  append.suspected() ? " (suspected: files without metrics)" : ""));
    }
    return text.toString();
  }

  private static String records(long count) {
    return count + (count == 1 ? " record" : " records");
  }
}
