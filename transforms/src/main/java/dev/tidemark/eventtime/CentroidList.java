package dev.tidemark.eventtime;

import java.util.Arrays;

/**
 * A growable list of t-digest centroids, strictly ascending by mean. Means are whole milliseconds;
 * doubles only ever hold differences between means and numbers of records.
 */
final class CentroidList {
  long[] means;
  long[] weights;
  int size;
  private int[] starts = {};

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

  /** Merges neighbours as far as a t-digest of this k, a width and a cap on weights allow. */
  void compress(long total, long widthMillis, int k, double cap) {
    if (starts.length < size) {
      starts = new int[means.length];
    }
    mergeGroups(starts, groups(total, widthMillis, k, cap, starts));
  }

  /**
   * Finds out which neighbours to merge in one pass, as far as the scale function k2 of the merging
   * t-digest allows (Dunning and Ertl, "Computing extremely accurate quantiles using t-digests"),
   * but never across a multiple of the width.
   *
   * @param cap the greatest weight of a merged centroid, on top of what k2 says
   * @param starts receives the first centroid of each group
   * @return the number of groups
   */
  int groups(long total, long widthMillis, int k, double cap, int[] starts) {
    if (size == 0) {
      return 0;
    }
    double n = (double) total;
    // A centroid that ends at cumulated weight W may weigh W (total - W) / (total * normalizer).
    double scale = n * 2 * k / (4 * StrictMath.log(n / (2 * k)) + 24);
    int groups = 1;
    starts[0] = 0;
    long end = BucketWidths.bucketStart(means[0], widthMillis) + widthMillis;
    double weight = (double) weights[0];
    double before = 0;
    double limitBefore = 0;
    for (int i = 1; i < size; i++) {
      long mean = means[i];
      double w = (double) weights[i];
      if (mean < end) {
        double merged = weight + w;
        double upTo = before + merged;
        if (merged <= cap && merged * scale <= Math.min(limitBefore, upTo * (n - upTo))) {
          weight = merged;
          continue;
        }
      } else {
        end = BucketWidths.bucketStart(mean, widthMillis) + widthMillis;
      }
      starts[groups++] = i;
      before += weight;
      limitBefore = before * (n - before);
      weight = w;
    }
    return groups;
  }

  /** Makes one group of each occupied bucket. */
  int bucketGroups(long widthMillis, int[] starts) {
    int groups = 0;
    long end = Long.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      if (i == 0 || means[i] >= end) {
        starts[groups++] = i;
        end = BucketWidths.bucketStart(means[i], widthMillis) + widthMillis;
      }
    }
    return groups;
  }

  /** Replaces each group by one centroid. */
  void mergeGroups(int[] starts, int groups) {
    for (int g = 0; g < groups; g++) {
      mergeInto(g, starts[g], g + 1 < groups ? starts[g + 1] : size);
    }
    size = groups;
  }

  /**
   * Stores the mean and weight of a range at a position not after it. The mean is rounded to the
   * nearest millisecond: it stays between the means it is made of, so it stays in their bucket, and
   * strictly below the one of the next range.
   */
  private void mergeInto(int position, int from, int to) {
    long base = means[from];
    long weight = weights[from];
    double offsets = 0;
    for (int i = from + 1; i < to; i++) {
      offsets += (double) (means[i] - base) * (double) weights[i];
      weight += weights[i];
    }
    means[position] = base + (long) (offsets / (double) weight + 0.5);
    weights[position] = weight;
  }
}
