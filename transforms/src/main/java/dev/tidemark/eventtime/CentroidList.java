package dev.tidemark.eventtime;

import java.util.Arrays;

/**
 * A growable list of t-digest centroids, strictly ascending by mean. Means are whole milliseconds;
 * doubles only ever hold differences between means and numbers of records.
 */
final class CentroidList {
  private static final int FIRST_CAPACITY = 64;

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

  /**
   * Replaces the content by the multiset union of a list and of ascending single records, with
   * neighbours merged at once. Gives what {@link #compress} makes of that union.
   */
  void setMerged(CentroidList left, long[] records, int recordCount, Grouping grouping) {
    size = 0;
    int l = 0;
    int r = 0;
    long nextLeft = left.size > 0 ? left.means[0] : Long.MAX_VALUE;
    long base = 0;
    long weight = 0;
    double offsets = 0;
    while (r < recordCount || l < left.size) {
      long mean = nextLeft;
      long more = 0;
      if (r < recordCount && records[r] < nextLeft) {
        mean = records[r];
      } else {
        more = left.weights[l++];
        nextLeft = l < left.size ? left.means[l] : Long.MAX_VALUE;
      }
      while (r < recordCount && records[r] == mean) {
        more++;
        r++;
      }
      if (grouping.joins(mean, (double) more)) {
        offsets += (double) (mean - base) * (double) more;
        weight += more;
        continue;
      }
      if (weight > 0) {
        addMerged(base, offsets, weight);
      }
      base = mean;
      weight = more;
      offsets = 0;
    }
    if (weight > 0) {
      addMerged(base, offsets, weight);
    }
  }

  private void addMerged(long base, double offsets, long weight) {
    if (size == means.length) {
      int capacity = Math.max(FIRST_CAPACITY, 2 * size);
      means = Arrays.copyOf(means, capacity);
      weights = Arrays.copyOf(weights, capacity);
    }
    means[size] = mean(base, offsets, weight);
    weights[size] = weight;
    size++;
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

  /** Merges neighbours. */
  void compress(Grouping grouping) {
    int[] starts = new int[size];
    mergeGroups(starts, groups(grouping, starts));
  }

  /**
   * Finds out which neighbours to merge.
   *
   * @param starts receives the first centroid of each group
   * @return the number of groups
   */
  int groups(Grouping grouping, int[] starts) {
    int groups = 0;
    for (int i = 0; i < size; i++) {
      if (!grouping.joins(means[i], (double) weights[i])) {
        starts[groups++] = i;
      }
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

  /** Stores the mean and weight of a range at a position not after it. */
  private void mergeInto(int position, int from, int to) {
    long base = means[from];
    long weight = weights[from];
    double offsets = 0;
    for (int i = from + 1; i < to; i++) {
      offsets += (double) (means[i] - base) * (double) weights[i];
      weight += weights[i];
    }
    means[position] = mean(base, offsets, weight);
    weights[position] = weight;
  }

  /**
   * The mean of a group, rounded to the nearest millisecond: it stays between the means it is made
   * of, so it stays in their bucket, and strictly below the one of the next group.
   */
  private static long mean(long base, double offsets, long weight) {
    return base + (long) (offsets / (double) weight + 0.5);
  }
}
