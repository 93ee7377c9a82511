package dev.tidemark.doris;

import com.google.common.base.Joiner;
import dev.tidemark.streamload.RejectedException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/**
 * Finds the rows for which the server refuses a load by trying halves of it, so that one bad row
 * does not keep the others out.
 */
final class RefusedRows {
  /** Tries a part of a load. */
  @FunctionalInterface
  interface Trial {
    /**
     * Sends it.
     *
     * @throws RejectedException if the server filters rows of it
     */
    void attempt(LoadBody body);
  }

  private static final int SHOWN_REASONS = 3;

  private final BodyRows bodies;

  RefusedRows(BufferAllocator allocator) {
    this.bodies = new BodyRows(allocator);
  }

  /**
   * Tries the halves of a body that was rejected, and their halves, down to single rows.
   *
   * @param good takes the largest parts that were not rejected
   * @param bad takes the rows that were
   */
  void search(
      DorisTable table,
      LoadBody rejected,
      RejectedException rejection,
      Trial trial,
      List<LoadBody> good,
      List<BadRecord> bad) {
    if (rejected.rows() == 1 || rejection.filteredRows() >= rejected.rows()) {
      bad.addAll(bodies.failures(table, rejected, reason(rejection)));
      return;
    }
    for (LoadBody half : bodies.halves(rejected)) {
      try {
        trial.attempt(half);
        good.add(half);
      } catch (RejectedException e) {
        search(table, half, e, trial, good, bad);
      }
    }
  }

  private static String reason(RejectedException rejection) {
    List<String> reasons = rejection.reasons();
    return reasons.isEmpty()
        ? rejection.getMessage()
        : Joiner.on("; ").join(reasons.subList(0, Math.min(SHOWN_REASONS, reasons.size())));
  }
}
