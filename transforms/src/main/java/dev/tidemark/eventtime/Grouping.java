package dev.tidemark.eventtime;

/**
 * Tells which neighbours among ascending centroids to merge in one pass, as far as the scale
 * function k2 of the merging t-digest allows (Dunning and Ertl, "Computing extremely accurate
 * quantiles using t-digests"), but never across a multiple of the width.
 */
final class Grouping {
  private final double total;
  private final long widthMillis;
  private final double cap;
  private final double scale;

  private long bucketEnd = Long.MIN_VALUE;
  private double weight;
  private double before;
  private double limitBefore;

  /**
   * Starts with the least centroid.
   *
   * @param cap the greatest weight of a merged centroid, on top of what k2 says
   */
  Grouping(long total, long widthMillis, int k, double cap) {
    this.total = (double) total;
    this.widthMillis = widthMillis;
    this.cap = cap;
    // A centroid that ends at cumulated weight W may weigh W (total - W) / (total * normalizer).
    this.scale = this.total * 2 * k / (4 * StrictMath.log(this.total / (2 * k)) + 24);
  }

  /** Whether the next centroid joins the group of the one before it, rather than starting one. */
  boolean joins(long mean, double more) {
    if (mean < bucketEnd) {
      double merged = weight + more;
      double upTo = before + merged;
      if (merged <= cap && merged * scale <= Math.min(limitBefore, upTo * (total - upTo))) {
        weight = merged;
        return true;
      }
    } else {
      bucketEnd = BucketWidths.bucketStart(mean, widthMillis) + widthMillis;
    }
    before += weight;
    limitBefore = before * (total - before);
    weight = more;
    return false;
  }
}
