package dev.tidemark.once;

import java.io.Serializable;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Metrics;

/** All metrics of {@link PerformOnce}; the package documentation says how to read them. */
final class PerformMetrics implements Serializable {
  final Counter performed = counter("performed");
  final Counter calls = counter("calls");
  final Distribution callMillis = Metrics.distribution(PerformOnce.class, "callMillis");
  final Counter heartbeats = counter("heartbeats");
  final Counter postponed = counter("postponed");
  final Counter restored = counter("restored");
  final Counter flushedAtEnd = counter("flushedAtEnd");
  final Distribution heldElements = Metrics.distribution(PerformOnce.class, "heldElements");

  private static Counter counter(String name) {
    return Metrics.counter(PerformOnce.class, name);
  }
}
