package dev.tidemark.finalization;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.eventtime.EventTimeSketch;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Puts facts of neighbouring commits together so that policies can only become more careful: what
 * one of them lacks the result lacks, quantiles take the smaller value, and the result is as recent
 * as the newer one.
 */
final class FactsFolding {

  private FactsFolding() {}

  static CommitFacts fold(CommitFacts older, CommitFacts newer) {
    CommitFacts.Builder builder =
        newer.toBuilder()
            .setCommits(Math.addExact(older.commits(), newer.commits()))
            .setCount(Math.addExact(older.count(), newer.count()))
            .setPastCount(Math.addExact(older.pastCount(), newer.pastCount()))
            .setFutureCount(Math.addExact(older.futureCount(), newer.futureCount()))
            .setNullCount(Math.addExact(older.nullCount(), newer.nullCount()))
            .setUnparsableCount(Math.addExact(older.unparsableCount(), newer.unparsableCount()))
            .setMinMillis(null)
            .setMaxMillis(null)
            .setQuantilesMillis(ImmutableSortedMap.of())
            .setWidthMillis(0)
            .setBuckets(ImmutableSortedMap.of())
            .setSketch(null);
    Long olderMin = older.minMillis();
    Long olderMax = older.maxMillis();
    Long newerMin = newer.minMillis();
    Long newerMax = newer.maxMillis();
    if (olderMin == null || olderMax == null || newerMin == null || newerMax == null) {
      return builder.build();
    }
    builder
        .setMinMillis(Math.min(olderMin, newerMin))
        .setMaxMillis(Math.max(olderMax, newerMax))
        .setQuantilesMillis(smaller(older.quantilesMillis(), newer.quantilesMillis()));
    EventTimeSketch sketch = merge(older.sketch(), newer.sketch());
    if (sketch != null) {
      builder
          .setSketch(sketch)
          .setWidthMillis(sketch.widthMillis())
          .setBuckets(sketch.countsByBucket());
    } else if (older.widthMillis() > 0 && newer.widthMillis() > 0) {
      List<CommitFacts> both = List.of(older, newer);
      long width = widest(both);
      builder.setWidthMillis(width);
      if (!older.buckets().isEmpty() && !newer.buckets().isEmpty()) {
        builder.setBuckets(ImmutableSortedMap.copyOfSorted(sum(both, width)));
      }
    } else {
      builder.setQuantilesMillis(ImmutableSortedMap.of());
    }
    return builder.build();
  }

  /** The width that all of {@code facts} can be read at; all have a width. */
  static long widest(Iterable<CommitFacts> facts) {
    long width = 1;
    for (CommitFacts each : facts) {
      width = Boundaries.common(width, each.widthMillis());
    }
    return width;
  }

  /**
   * Exact counts of all {@code facts} together, per bucket of {@code widthMillis}, a multiple of
   * their own widths.
   */
  static SortedMap<Long, Long> sum(Iterable<CommitFacts> facts, long widthMillis) {
    SortedMap<Long, Long> sum = new TreeMap<>();
    for (CommitFacts each : facts) {
      each.buckets()
          .forEach(
              (start, count) ->
                  sum.merge(Boundaries.floor(start, widthMillis), count, Math::addExact));
    }
    return sum;
  }

  private static @Nullable EventTimeSketch merge(
      @Nullable EventTimeSketch older, @Nullable EventTimeSketch newer) {
    // Sketches of different boundaries do not merge; the counts per bucket still do.
    if (older == null || newer == null || older.boundaryMillis() != newer.boundaryMillis()) {
      return null;
    }
    return EventTimeSketch.merge(List.of(older, newer)).compressed();
  }

  private static ImmutableSortedMap<Integer, Long> smaller(
      Map<Integer, Long> older, Map<Integer, Long> newer) {
    ImmutableSortedMap.Builder<Integer, Long> smaller = ImmutableSortedMap.naturalOrder();
    older.forEach(
        (perMille, value) -> {
          Long other = newer.get(perMille);
          if (other != null) {
            smaller.put(perMille, Math.min(value, other));
          }
        });
    return smaller.build();
  }
}
