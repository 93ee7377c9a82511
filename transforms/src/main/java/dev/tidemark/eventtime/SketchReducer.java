package dev.tidemark.eventtime;

/**
 * Reduces the many centroids of a builder or of a union to those of the stored form: first as far
 * as a t-digest of k = {@value #K} allows; then, while reading out the result would miss a rank
 * known before by more than a tolerance, the group with the worst miss is split there. So a bucket
 * whose records crowd at one end costs a few centroids more, and no other does.
 *
 * <p>A function of the multiset of centroids alone.
 */
final class SketchReducer {
  /** The t-digest parameter {@code k} of the stored form; its compression is twice as much. */
  static final int K = 50;

  private static final int FINE_K = 2 * K;

  /** The greatest weight of a fine centroid, by share of all records. */
  private static final double FINE_SHARE = 1.0 / 512;

  private static final int MAX_FINE = 4096;
  private static final double TOLERANCE = 0.0015;
  private static final int MAX_SPLITS = 16;

  private final EventTimeSketch fine;
  // The first centroids of the groups.
  private final int[] starts;
  private int groups;

  private SketchReducer(EventTimeSketch fine) {
    this.fine = fine;
    this.starts = new int[fine.means().length + MAX_SPLITS];
  }

  /**
   * What builders and the first step over large unions keep: finer than what is stored, in the
   * middle above all, so that parts merge with little loss.
   */
  static Grouping fineGrouping(long total, long widthMillis) {
    return new Grouping(total, widthMillis, FINE_K, (double) total * FINE_SHARE);
  }

  static EventTimeSketch reduce(EventTimeSketch sketch) {
    EventTimeSketch fine = sketch;
    if (sketch.means().length > MAX_FINE) {
      // Bounds the work below for unions of many parts.
      CentroidList list = CentroidList.copyOf(sketch.means(), sketch.weights());
      list.compress(fineGrouping(sketch.count(), sketch.widthMillis()));
      fine = sketch.withReduced(list);
    }
    SketchReducer reducer = new SketchReducer(fine);
    Grouping grouping = new Grouping(fine.count(), fine.widthMillis(), K, (double) fine.count());
    reducer.groups = reducer.centroids().groups(grouping, reducer.starts);
    EventTimeSketch reduced = reducer.merged();
    for (int splits = 0; splits < MAX_SPLITS && reducer.splitWorst(reduced); splits++) {
      reduced = reducer.merged();
    }
    return reduced;
  }

  /** One centroid for each bucket: the exact part alone. */
  static EventTimeSketch reduceToBuckets(EventTimeSketch fine) {
    SketchReducer reducer = new SketchReducer(fine);
    reducer.groups = reducer.centroids().bucketGroups(fine.widthMillis(), reducer.starts);
    return reducer.merged();
  }

  private CentroidList centroids() {
    return CentroidList.copyOf(fine.means(), fine.weights());
  }

  private EventTimeSketch merged() {
    CentroidList list = centroids();
    list.mergeGroups(starts, groups);
    return fine.withReduced(list);
  }

  /** Splits the group within which a known rank is missed most; false if none is missed by much. */
  private boolean splitWorst(EventTimeSketch reduced) {
    double worst = TOLERANCE * (double) fine.count();
    int worstGroup = -1;
    int worstCentroid = -1;
    double rank = 0;
    double before = 0;
    for (int g = 0; g < groups; g++) {
      int end = g + 1 < groups ? starts[g + 1] : fine.means().length;
      boolean splittable = end - starts[g] > 1;
      for (int i = starts[g]; i < end; i++) {
        double half = (double) fine.weights()[i] / 2;
        if (splittable) {
          double estimate = before + estimateAround(reduced, g, fine.means()[i]);
          double missed = Math.abs(estimate - (rank + half));
          if (missed > worst) {
            worst = missed;
            worstGroup = g;
            worstCentroid = i;
          }
        }
        rank += 2 * half;
      }
      before += g > 0 ? (double) reduced.weights()[g - 1] : 0;
    }
    if (worstGroup < 0) {
      return false;
    }
    int at = worstCentroid == starts[worstGroup] ? worstCentroid + 1 : worstCentroid;
    System.arraycopy(starts, worstGroup + 1, starts, worstGroup + 2, groups - worstGroup - 1);
    starts[worstGroup + 1] = at;
    groups++;
    return true;
  }

  /** What the group and its neighbours hold below a time; all before those is below it. */
  private static double estimateAround(EventTimeSketch reduced, int group, long millis) {
    double sum = 0;
    int last = Math.min(group + 1, reduced.means().length - 1);
    for (int i = Math.max(group - 1, 0); i <= last; i++) {
      sum += SketchQuantiles.weightBelow(reduced, i, millis);
    }
    return sum;
  }
}
