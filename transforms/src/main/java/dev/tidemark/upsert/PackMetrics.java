package dev.tidemark.upsert;

import java.io.Serializable;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Metrics;

/** What is counted before changes are processed; the package documentation says what each means. */
final class PackMetrics implements Serializable {
  final Distribution packedRows = Metrics.distribution(MaterializeUpserts.class, "packedRows");
  final Counter failedChanges = Metrics.counter(MaterializeUpserts.class, "failedChanges");
}
