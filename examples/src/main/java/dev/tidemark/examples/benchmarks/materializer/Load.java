package dev.tidemark.examples.benchmarks.materializer;

import com.google.common.collect.ImmutableList;
import java.util.regex.Pattern;

/**
 * A workload with rows of one size.
 *
 * @param rowBytes the size of a row in Flink's binary form
 */
record Load(Workload workload, int rowBytes) {
  /** All but the payload in Flink's binary form. */
  private static final int FIXED_BYTES = 40;

  private static final ImmutableList<Integer> SIZES = ImmutableList.of(64, 200);

  static ImmutableList<Load> matching(Pattern pattern) {
    ImmutableList.Builder<Load> loads = ImmutableList.builder();
    for (Workload workload : Workload.values()) {
      for (int size : SIZES) {
        Load load = new Load(workload, size);
        if (pattern.matcher(load.toString()).find()) {
          loads.add(load);
        }
      }
    }
    return loads.build();
  }

  int payloadLength() {
    return rowBytes - FIXED_BYTES;
  }

  @Override
  public String toString() {
    return workload.label() + " " + rowBytes;
  }
}
