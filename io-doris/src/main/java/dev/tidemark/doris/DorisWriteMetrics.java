package dev.tidemark.doris;

import java.io.Serializable;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Metrics;

/** All metrics of a write; the package documentation says how to read them. */
final class DorisWriteMetrics implements Serializable {
  private static final long serialVersionUID = 1;

  final Counter packedRows = counter("packedRows");
  final Counter loads = counter("loads");
  final Counter loadedRows = counter("loadedRows");
  final Counter loadedDeletes = counter("loadedDeletes");
  final Counter loadedBytes = counter("loadedBytes");
  final Counter preCommits = counter("preCommits");
  final Distribution rowsPerLoad = distribution("rowsPerLoad");
  final Distribution loadMillis = distribution("loadMillis");

  final Counter replayedLoads = counter("replayedLoads");
  final Counter retriedAttempts = counter("retriedAttempts");
  final Counter slowedAttempts = counter("slowedAttempts");
  final Counter settledAttempts = counter("settledAttempts");
  final Counter abortedLeftOvers = counter("abortedLeftOvers");
  final Counter refusedRows = counter("refusedRows");

  final Counter rejectedRows = counter("rejectedRows");
  final Counter outdoneRows = counter("outdoneRows");

  void count(AttemptCounts attempts) {
    retriedAttempts.inc(attempts.retried());
    slowedAttempts.inc(attempts.slowed());
    settledAttempts.inc(attempts.settled());
    abortedLeftOvers.inc(attempts.aborted());
  }

  void count(DorisLoad load) {
    loads.inc();
    loadedRows.inc(load.rows());
    loadedDeletes.inc(load.deletes());
    loadedBytes.inc(load.bytes());
    rowsPerLoad.update(load.rows());
    loadMillis.update(load.durationMillis());
    if (load.replayed()) {
      replayedLoads.inc();
    }
  }

  private static Counter counter(String name) {
    return Metrics.counter(DorisIO.class, name);
  }

  private static Distribution distribution(String name) {
    return Metrics.distribution(DorisIO.class, name);
  }
}
