package dev.tidemark.iceberg;

import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;

/** Reads the metrics of a write after a run. */
final class WriteMetrics {
  private WriteMetrics() {}

  /** The sum of a counter over all steps. */
  static long counter(PipelineResult result, String name) {
    long sum = 0;
    for (MetricResult<Long> counter : query(result, name).getCounters()) {
      sum += counter.getAttempted();
    }
    return sum;
  }

  /** The value of a gauge that one step sets. */
  static long gauge(PipelineResult result, String name) {
    return query(result, name).getGauges().iterator().next().getAttempted().getValue();
  }

  private static MetricQueryResults query(PipelineResult result, String name) {
    return result
        .metrics()
        .queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.named(TidemarkIcebergIO.class, name))
                .build());
  }
}
