package dev.tidemark.eventtime;

import java.util.Arrays;

/**
 * A growable list of t-digest centroids, strictly ascending by mean. Means are whole milliseconds;
 * doubles only ever hold differences between means and numbers of records.
 */
final class CentroidList {
  /** The t-digest parameter {@code k}; its compression is twice as much. */
  static final int K = 50;

  private static final double COMPRESSION = 2.0 * K;

  long[] means;
  long[] weights;
  int size;

  CentroidList(int capacity) {
    means = new long[capacity];
    weights = new long[capacity];
  }

  /** Appends a centroid that is not below the last one; equal means become one centroid. */
  private void append(long mean, long weight) {
    if (size > 0 && means[size - 1] == mean) {
      weights[size - 1] += weight;
      return;
    }
    means[size] = mean;
    weights[size] = weight;
    size++;
  }

  private void clear(int capacity) {
    size = 0;
    if (means.length < capacity) {
      means = new long[capacity];
      weights = new long[capacity];
    }
  }

  /** Replaces the content by the multiset union of a list and of ascending single records. */
  void setUnion(CentroidList left, long[] records, int recordCount) {
    clear(left.size + recordCount);
    int l = 0;
    for (int r = 0; r < recordCount; r++) {
      long record = records[r];
      while (l < left.size && left.means[l] <= record) {
        append(left.means[l], left.weights[l]);
        l++;
      }
      append(record, 1);
    }
    while (l < left.size) {
      append(left.means[l], left.weights[l]);
      l++;
    }
  }

  /** The multiset union of two lists of centroids; commutes and associates to the bit. */
  static CentroidList union(long[] means1, long[] weights1, long[] means2, long[] weights2) {
    CentroidList union = new CentroidList(means1.length + means2.length);
    int i = 0;
    int j = 0;
    while (i < means1.length || j < means2.length) {
      if (j == means2.length || (i < means1.length && means1[i] <= means2[j])) {
        union.append(means1[i], weights1[i]);
        i++;
      } else {
        union.append(means2[j], weights2[j]);
        j++;
      }
    }
    return union;
  }

  static CentroidList copyOf(long[] means, long[] weights) {
    CentroidList copy = new CentroidList(0);
    copy.means = means.clone();
    copy.weights = weights.clone();
    copy.size = means.length;
    return copy;
  }

  long[] meansArray() {
    return Arrays.copyOf(means, size);
  }

  long[] weightsArray() {
    return Arrays.copyOf(weights, size);
  }

  /**
   * Merges neighbours in one pass, as far as the scale function k2 of the merging t-digest allows
   * (Dunning and Ertl, "Computing extremely accurate quantiles using t-digests"), but never across
   * a multiple of the width. A merged mean is rounded to the nearest millisecond: it stays between
   * the means it is made of, so it stays in their bucket, and strictly below its successor.
   *
   * @return the number of occupied buckets
   */
  int compress(long total, long widthMillis) {
    // A centroid that ends at cumulated weight W may weigh W (total - W) / (total * normalizer).
    double normalizer = COMPRESSION / (4 * StrictMath.log((double) total / COMPRESSION) + 24);
    return merge(total, widthMillis, normalizer * (double) total);
  }

  /** Leaves one centroid for each occupied bucket. */
  void compressToBuckets(long total, long widthMillis) {
    merge(total, widthMillis, 0);
  }

  private int merge(long total, long widthMillis, double scale) {
    if (size == 0) {
      return 0;
    }
    double n = (double) total;
    int out = 0;
    int occupied = 1;
    long base = means[0];
    long end = BucketWidths.bucketStart(base, widthMillis) + widthMillis;
    double weight = (double) weights[0];
    double offsets = 0;
    double before = 0;
    double limitBefore = 0;
    for (int i = 1; i < size; i++) {
      long mean = means[i];
      double w = (double) weights[i];
      if (mean < end) {
        double merged = weight + w;
        double upTo = before + merged;
        if (merged * scale <= Math.min(limitBefore, upTo * (n - upTo))) {
          offsets += (double) (mean - base) * w;
          weight = merged;
          continue;
        }
      } else {
        occupied++;
        end = BucketWidths.bucketStart(mean, widthMillis) + widthMillis;
      }
      means[out] = base + (long) (offsets / weight + 0.5);
      weights[out] = (long) weight;
      out++;
      before += weight;
      limitBefore = before * (n - before);
      base = mean;
      weight = w;
      offsets = 0;
    }
    means[out] = base + (long) (offsets / weight + 0.5);
    weights[out] = (long) weight;
    size = out + 1;
    return occupied;
  }
}
