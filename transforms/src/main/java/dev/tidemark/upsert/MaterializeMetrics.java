package dev.tidemark.upsert;

import dev.tidemark.candidates.CandidateStoreStatistics;
import dev.tidemark.candidates.MaterializerStatistics;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.Metrics;

/**
 * What is counted where candidates are kept, taken from statistics after each batch; the package
 * documentation says what each means.
 */
final class MaterializeMetrics {
  private final Counter inserts = counter("inserts");
  private final Counter updates = counter("updates");
  private final Counter deletes = counter("deletes");
  private final Distribution batchRows =
      Metrics.distribution(MaterializeUpserts.class, "batchRows");
  private final List<Followed> followed = new ArrayList<>();

  /** A statistic and what of it has been reported. */
  private abstract static class Followed {
    private final LongSupplier statistic;
    private long reported;

    Followed(LongSupplier statistic) {
      this.statistic = statistic;
      this.reported = 0;
    }

    final void update() {
      long now = statistic.getAsLong();
      if (now != reported) {
        report(now, now - reported);
        reported = now;
      }
    }

    abstract void report(long now, long change);
  }

  MaterializeMetrics(MaterializerStatistics keys, CandidateStoreStatistics store) {
    count("additions", () -> keys.additions);
    count("retractions", () -> keys.retractions);
    count("silentRetractions", () -> keys.silent);
    count("rollbacks", () -> keys.rollbacks);
    count("olderSlotReplacements", () -> keys.olderSlotReplacements);
    count("migrations", () -> keys.migrations);
    count("expiredKeys", () -> keys.expiries);
    count("keyGrowth", () -> keys.keysDelta);
    count("candidateGrowth", () -> keys.candidatesDelta);
    count("unmatchedKeyKnown", () -> keys.unmatchedKeyKnown);
    count("unmatchedKeyAbsent", () -> keys.unmatchedKeyAbsent);
    count("droppedCandidates", () -> keys.dropped);
    count("beyondSoftBound", () -> keys.beyondSoftBound);
    largest("longestList", () -> keys.longestList);
    count("recordHits", () -> store.hits);
    count("recordMisses", () -> store.misses);
    count("journalBytes", () -> store.journalBytes);
    count("baseBytes", () -> store.baseBytes);
    count("bases", () -> store.bases);
    count("spilledBytes", () -> store.spilledBytes);
    count("rebuilds", () -> store.rebuilds);
    count("rebuiltBytes", () -> store.rebuiltBytes);
    largest("largestShardBytes", () -> store.largestShardBytes);
  }

  private static Counter counter(String name) {
    return Metrics.counter(MaterializeUpserts.class, name);
  }

  private void count(String name, LongSupplier statistic) {
    Counter counter = counter(name);
    followed.add(
        new Followed(statistic) {
          @Override
          void report(long now, long change) {
            counter.inc(change);
          }
        });
  }

  private void largest(String name, LongSupplier statistic) {
    Distribution distribution = Metrics.distribution(MaterializeUpserts.class, name);
    followed.add(
        new Followed(statistic) {
          @Override
          void report(long now, long change) {
            distribution.update(now);
          }
        });
  }

  void update(MaterializedBatch batch) {
    int size = batch.changes().size();
    batchRows.update(size);
    long inserted = 0;
    long updated = 0;
    long deleted = 0;
    for (int i = 0; i < size; i++) {
      ChangeKind kind = batch.kind(i);
      if (kind == ChangeKind.INSERT) {
        inserted++;
      } else if (kind == ChangeKind.DELETE) {
        deleted++;
      } else if (kind != null) {
        updated++;
      }
    }
    inserts.inc(inserted);
    updates.inc(updated);
    deletes.inc(deleted);
    followed.forEach(Followed::update);
  }
}
