package dev.tidemark.iceberg;

import java.io.Serializable;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Gauge;
import org.apache.beam.sdk.metrics.Metrics;

/** All metrics of a write; the package documentation says how to read them. */
final class IcebergWriteMetrics implements Serializable {
  final Counter writtenRows = counter("writtenRows");
  final Counter writtenFiles = counter("writtenFiles");
  final Distribution rowsPerFile = Metrics.distribution(TidemarkIcebergIO.class, "rowsPerFile");
  final Counter commits = counter("commits");
  final Counter committedRows = counter("committedRows");
  final Counter committedFiles = counter("committedFiles");
  final Counter advances = counter("advances");
  final Distribution advanceDurationMs =
      Metrics.distribution(TidemarkIcebergIO.class, "advanceDurationMs");
  final Gauge watermarkMillis = Metrics.gauge(TidemarkIcebergIO.class, "watermarkMillis");
  final Gauge watermarkLagMillis = Metrics.gauge(TidemarkIcebergIO.class, "watermarkLagMillis");

  final Counter replayedCommits = counter("replayedCommits");
  final Counter parkedResults = counter("parkedResults");
  final Counter acceptedRewinds = counter("acceptedRewinds");
  final Counter orphanFiles = counter("orphanFiles");
  final Counter failedAdvances = counter("failedAdvances");
  final Counter propertiesRefused = counter("propertiesRefused");
  final Counter hookFailures = counter("hookFailures");
  final Counter listenerFailures = counter("listenerFailures");
  final Counter undeliveredNotices = counter("undeliveredNotices");
  final Counter metadataTooLarge = counter("metadataTooLarge");
  final Counter droppedFacts = counter("droppedFacts");
  final Counter windowResets = counter("windowResets");

  final Counter rejectedRows = counter("rejectedRows");
  final Counter lateRecords = counter("lateRecords");
  final Counter pastEventTimes = counter("pastEventTimes");
  final Counter futureEventTimes = counter("futureEventTimes");
  final Counter nullEventTimes = counter("nullEventTimes");
  final Counter unparsableEventTimes = counter("unparsableEventTimes");
  final Counter foreignRecordsBelow = counter("foreignRecordsBelow");

  private static Counter counter(String name) {
    return Metrics.counter(TidemarkIcebergIO.class, name);
  }
}
