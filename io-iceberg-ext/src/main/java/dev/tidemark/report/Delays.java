package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.CommitFacts;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Counts by how many hours after its own hour a record was committed. */
final class Delays {
  private static final ImmutableList<Long> FROM =
      ImmutableList.of(Long.MIN_VALUE, 0L, 1L, 2L, 3L, 4L, 6L, 12L, 24L, 48L, 96L, 168L, 720L);

  private final long[] records = new long[FROM.size()];
  private final long[] late = new long[FROM.size()];
  private long unplaced;

  void add(CommitFacts facts, @Nullable Long metMillis) {
    if (facts.buckets().isEmpty()) {
      unplaced += facts.count();
      return;
    }
    long width = facts.widthMillis();
    long hour = Math.floorDiv(facts.committedAtMillis(), Hours.MILLIS);
    for (Map.Entry<Long, Long> bucket : facts.buckets().entrySet()) {
      long start = bucket.getKey();
      int longest = index(hour - Math.floorDiv(start, Hours.MILLIS));
      int shortest = index(hour - Math.floorDiv(start + width - 1, Hours.MILLIS));
      if (longest != shortest) {
        unplaced += bucket.getValue();
        continue;
      }
      records[longest] += bucket.getValue();
      // Watermarks are multiples of the width in general; a bucket that one cuts is not all late.
      if (metMillis != null && start + width <= metMillis) {
        late[longest] += bucket.getValue();
      }
    }
  }

  /** Records whose hour is not stored, or only that of a wider count. */
  long unplaced() {
    return unplaced;
  }

  ImmutableList<DelayClass> classes() {
    ImmutableList.Builder<DelayClass> classes = ImmutableList.builder();
    for (int i = 0; i < records.length; i++) {
      long below = i == records.length - 1 ? Long.MAX_VALUE : FROM.get(i + 1);
      classes.add(new DelayClass(FROM.get(i), below, records[i], late[i]));
    }
    return classes.build();
  }

  private static int index(long hours) {
    int index = 0;
    while (index < FROM.size() - 1 && hours >= FROM.get(index + 1)) {
      index++;
    }
    return index;
  }
}
