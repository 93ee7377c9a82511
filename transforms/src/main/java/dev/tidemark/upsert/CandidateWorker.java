package dev.tidemark.upsert;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import dev.tidemark.candidates.UpsertMaterializer;
import dev.tidemark.candidates.UpsertSemantics;
import java.time.Clock;

/** Applies batches to the candidates in the store of one instance of a function. */
final class CandidateWorker {
  /** Bounds what a sweep for what expired reads beside each batch. */
  private static final int SWEEP_BYTES = 64 << 10;

  private final CandidateStore store;
  private final UpsertMaterializer materializer;
  private final Clock clock;
  private final int shards;
  private final MaterializeMetrics metrics;
  private final UnmatchedLog unmatchedLog;

  private CandidateWorker(CandidateSettings settings, CandidateStoreProvider provider) {
    UpsertSemantics semantics = settings.semantics(provider.inMemory());
    this.clock = settings.clock();
    this.shards = settings.shards();
    this.materializer = UpsertMaterializer.of(semantics);
    this.store = provider.open(settings.storeOptions());
    this.metrics = new MaterializeMetrics(materializer.statistics(), store.statistics());
    this.unmatchedLog = new UnmatchedLog();
  }

  static CandidateWorker open(CandidateSettings settings) {
    return new CandidateWorker(settings, settings.findProvider());
  }

  MaterializedBatch process(int shard, ShardState state, KeyedChanges changes) {
    if (shard < 0 || shard >= shards) {
      throw new IllegalArgumentException(
          String.format("Invalid shard: %d (must be >= 0 and < %d)", shard, shards));
    }
    long nowMillis = clock.millis();
    ShardRecords records = store.begin(shard, state);
    Emissions emissions = materializer.process(records, changes, nowMillis);
    if (materializer.isSweepDue()) {
      materializer.sweep(records, nowMillis, SWEEP_BYTES);
    }
    records.commit();
    MaterializedBatch batch = MaterializedBatch.of(changes, emissions);
    metrics.update(batch);
    if (emissions.anUnmatched() >= 0) {
      unmatchedLog.report(
          shard, changes, emissions.anUnmatched(), materializer.statistics(), nowMillis);
    }
    return batch;
  }

  void close() {
    store.close();
  }
}
