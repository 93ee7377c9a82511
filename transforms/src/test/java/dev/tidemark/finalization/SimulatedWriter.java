package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;

import java.util.ArrayList;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Commits what its sources deliver every few minutes. While it is down its sources keep their
 * records for it. Attests its input watermark with each checkpoint, and only once all it had
 * received is committed.
 */
final class SimulatedWriter {

  final String name;
  final List<SimulatedSource> sources;
  boolean down;

  /** By how much the input watermark is ahead of what the sources really guarantee. */
  long optimismMillis;

  /** Whether it has an input watermark at all. */
  boolean hasWatermark = true;

  private final int commitEveryMinutes;
  private final List<SimulatedTable.Row> received = new ArrayList<>();
  private long nextCommitMillis;

  SimulatedWriter(
      String name, int commitEveryMinutes, long startMillis, List<SimulatedSource> sources) {
    this.name = name;
    this.commitEveryMinutes = commitEveryMinutes;
    this.sources = sources;
    this.nextCommitMillis = startMillis + commitEveryMinutes * MINUTE;
  }

  void tick(SimulatedTable table, long nowMillis) {
    if (down) {
      return;
    }
    for (SimulatedSource source : sources) {
      received.addAll(source.deliver(nowMillis));
    }
    if (nowMillis < nextCommitMillis) {
      return;
    }
    nextCommitMillis = nowMillis + commitEveryMinutes * MINUTE;
    Long watermark = watermark(nowMillis);
    if (!received.isEmpty()) {
      table.commit(name, nowMillis, received, watermark);
      received.clear();
    }
    table.attest(name, nowMillis, watermark);
    table.advance(nowMillis);
  }

  private @Nullable Long watermark(long nowMillis) {
    if (!hasWatermark) {
      return null;
    }
    long lowest = sources.stream().mapToLong(SimulatedSource::watermark).min().orElseThrow();
    return Math.min(lowest + optimismMillis, nowMillis);
  }
}
