package dev.tidemark.eventtime;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.beam.sdk.coders.DefaultCoder;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.CompactSketch;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Union;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * An immutable estimate of the number of distinct values, a datasketches Theta sketch with 4,096
 * nominal entries: exact up to that many values, above with a standard error of about 1.6 %.
 * Merging commutes and associates to the bit.
 */
@DefaultCoder(DistinctCountCoder.class)
public final class DistinctCount implements Serializable {
  static final int NOMINAL_ENTRIES = 4096;

  private static final int TWO_STANDARD_DEVIATIONS = 2;

  private final byte[] image;

  private DistinctCount(byte[] image) {
    this.image = image;
  }

  static Union newUnion() {
    return SetOperation.builder().setNominalEntries(NOMINAL_ENTRIES).buildUnion();
  }

  static DistinctCount of(Union union) {
    return new DistinctCount(union.getResult(true, null).toByteArray());
  }

  /**
   * Reads a compact ordered Theta image.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static DistinctCount fromThetaImage(byte[] image) {
    Union union = newUnion();
    try {
      union.union(CompactSketch.heapify(Memory.wrap(image)));
    } catch (RuntimeException e) {
      // The library answers damaged bytes with exceptions of many kinds.
      throw new IllegalArgumentException(
          "Cannot read distinct count: the bytes are no Theta sketch. They are damaged.", e);
    }
    return of(union);
  }

  /** The count of the values of all of these; 0 for none. */
  public static DistinctCount merge(Iterable<DistinctCount> counts) {
    Union union = newUnion();
    counts.forEach(count -> union.union(count.sketch()));
    return of(union);
  }

  /** The estimated number of distinct values. */
  public double estimate() {
    return sketch().getEstimate();
  }

  /** The lower end of the interval that holds the true number with a confidence of about 95 %. */
  public double lowerBound() {
    return sketch().getLowerBound(TWO_STANDARD_DEVIATIONS);
  }

  /** The upper end of the interval that holds the true number with a confidence of about 95 %. */
  public double upperBound() {
    return sketch().getUpperBound(TWO_STANDARD_DEVIATIONS);
  }

  /** Whether {@link #estimate()} is the exact number. */
  public boolean isExact() {
    return !sketch().isEstimationMode();
  }

  /**
   * The compact ordered image, at most 32 KiB, which is what the Iceberg blob type {@code
   * apache-datasketches-theta-v1} holds.
   */
  public byte[] toThetaImage() {
    return image.clone();
  }

  CompactSketch sketch() {
    return CompactSketch.heapify(Memory.wrap(image));
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof DistinctCount that && Arrays.equals(image, that.image);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(image);
  }

  @Override
  public String toString() {
    return "DistinctCount{estimate=" + estimate() + "}";
  }
}
