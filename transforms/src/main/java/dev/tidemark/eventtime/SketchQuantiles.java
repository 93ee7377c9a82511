package dev.tidemark.eventtime;

/**
 * Interpolation over the centroids of a compressed sketch. A centroid of weight 1 is a point; any
 * other spreads half of its weight to either side: towards a neighbour in the same bucket up to
 * where both share the distance by weight, and at the edge of its bucket as far as on its other
 * side, but never over the boundary. So no mass is invented in a gap between buckets.
 */
final class SketchQuantiles {
  private SketchQuantiles() {}

  static long quantile(EventTimeSketch sketch, double q) {
    long[] means = sketch.means();
    long[] weights = sketch.weights();
    double rank = q * (double) sketch.count();
    if (rank <= 0) {
      return sketch.minMillis();
    }
    double below = 0;
    for (int i = 0; i < means.length; i++) {
      double weight = (double) weights[i];
      if (rank < below + weight) {
        double share = (rank - below) / weight;
        double offset =
            share < 0.5
                ? -reachDown(sketch, i) * (1 - 2 * share)
                : reachUp(sketch, i) * (2 * share - 1);
        long estimate = means[i] + Math.round(offset);
        return Math.max(sketch.minMillis(), Math.min(sketch.maxMillis(), estimate));
      }
      below += weight;
    }
    return sketch.maxMillis();
  }

  /** An estimate for a time within (min, max] that is no boundary. */
  static long countBelow(EventTimeSketch sketch, long millis) {
    long[] means = sketch.means();
    long width = sketch.widthMillis();
    long end = BucketWidths.bucketStart(millis, width) + width;
    long below = 0;
    double within = 0;
    for (int i = 0; i < means.length && means[i] < end; i++) {
      if (means[i] < end - width) {
        below += sketch.weights()[i];
      } else {
        within += weightBelow(sketch, i, millis);
      }
    }
    // The minimum is below, the maximum is not.
    return Math.max(1, Math.min(sketch.count() - 1, below + Math.round(within)));
  }

  /** How much of one centroid lies below a time. */
  static double weightBelow(EventTimeSketch sketch, int i, long millis) {
    double weight = (double) sketch.weights()[i];
    double offset = (double) (millis - sketch.means()[i]);
    if (offset <= 0) {
      double reach = reachDown(sketch, i);
      return -offset >= reach ? 0 : weight / 2 * (1 + offset / reach);
    }
    double reach = reachUp(sketch, i);
    return offset >= reach ? weight : weight / 2 * (1 + offset / reach);
  }

  private static double reachDown(EventTimeSketch sketch, int i) {
    if (sketch.weights()[i] == 1) {
      return 0;
    } else if (i == 0) {
      return (double) (sketch.means()[0] - sketch.minMillis());
    } else if (sameBucket(sketch, i - 1, i)) {
      return towards(sketch, i, i - 1);
    }
    long mean = sketch.means()[i];
    double toEdge = (double) (mean - BucketWidths.bucketStart(mean, sketch.widthMillis()));
    return Math.min(toEdge, oppositeReach(sketch, i, i + 1, sketch.maxMillis()));
  }

  private static double reachUp(EventTimeSketch sketch, int i) {
    int last = sketch.means().length - 1;
    if (sketch.weights()[i] == 1) {
      return 0;
    } else if (i == last) {
      return (double) (sketch.maxMillis() - sketch.means()[i]);
    } else if (sameBucket(sketch, i, i + 1)) {
      return towards(sketch, i, i + 1);
    }
    long mean = sketch.means()[i];
    long width = sketch.widthMillis();
    double toEdge = (double) (BucketWidths.bucketStart(mean, width) + width - 1 - mean);
    return Math.min(toEdge, oppositeReach(sketch, i, i - 1, sketch.minMillis()));
  }

  /** How far a centroid at one edge of its bucket reaches to the other side. */
  private static double oppositeReach(EventTimeSketch sketch, int i, int neighbour, long extreme) {
    long mean = sketch.means()[i];
    if (neighbour < 0 || neighbour >= sketch.means().length) {
      return (double) Math.abs(extreme - mean);
    }
    if (sameBucket(sketch, i, neighbour)) {
      return towards(sketch, i, neighbour);
    }
    long start = BucketWidths.bucketStart(mean, sketch.widthMillis());
    return neighbour < i
        ? (double) (mean - start)
        : (double) (start + sketch.widthMillis() - 1 - mean);
  }

  private static double towards(EventTimeSketch sketch, int i, int neighbour) {
    double distance = (double) Math.abs(sketch.means()[neighbour] - sketch.means()[i]);
    double weight = (double) sketch.weights()[i];
    long other = sketch.weights()[neighbour];
    return other == 1 ? distance : distance * weight / (weight + (double) other);
  }

  private static boolean sameBucket(EventTimeSketch sketch, int i, int j) {
    long width = sketch.widthMillis();
    return Math.floorDiv(sketch.means()[i], width) == Math.floorDiv(sketch.means()[j], width);
  }
}
