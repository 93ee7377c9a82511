package dev.tidemark.upsert;

import java.io.Serializable;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;

/**
 * What is counted where change batches are emitted; the package documentation says what it means.
 */
final class ColumnMetrics implements Serializable {
  private final Counter decodedRows = Metrics.counter(MaterializeUpserts.class, "decodedRows");
  private final Counter copiedRows = Metrics.counter(MaterializeUpserts.class, "copiedRows");
  private final Counter forwardedRows = Metrics.counter(MaterializeUpserts.class, "forwardedRows");

  /** Counts the rows of a batch: those that were decoded, and those that were not. */
  void count(int emitted, int decoded, boolean forwarded) {
    decodedRows.inc(decoded);
    (forwarded ? forwardedRows : copiedRows).inc(emitted - decoded);
  }
}
