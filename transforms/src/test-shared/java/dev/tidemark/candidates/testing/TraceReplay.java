package dev.tidemark.candidates.testing;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.UpsertMaterializer;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.upsert.KeyEncoding;
import dev.tidemark.upsert.MapOrder;
import dev.tidemark.upsert.RowEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One trace on a store. */
final class TraceReplay {
  private static final byte[] NOTHING = {};

  private final RecordedTrace trace;
  private final int shard;
  private final Store store;
  private final RecordedTraces options;
  private final RowEncoding rows;
  private final KeyEncoding sinkKey;
  private final @Nullable String[] expected;
  private final KeyedChanges.Builder batch = KeyedChanges.builder();
  private final List<Integer> batchSteps = new ArrayList<>();

  private InMemoryShardState state;
  private @Nullable KeyEncoding upsertKey;
  private UpsertMaterializer materializer;
  private long keys;
  private long now;

  TraceReplay(RecordedTrace trace, int shard, Store store, RecordedTraces options) {
    this.trace = trace;
    this.shard = shard;
    this.store = store;
    this.options = options;
    this.rows = RowEncoding.of(trace.schema()).withMapOrder(MapOrder.AS_GIVEN);
    this.sinkKey =
        KeyEncoding.ofSinkKey(trace.schema(), trace.sinkKey()).withMapOrder(MapOrder.AS_GIVEN);
    this.expected = trace.emitted();
    this.state = InMemoryShardState.shuffled(shard);
  }

  void run(TraceResults results) {
    if (!trace.upsertKey().isEmpty()) {
      try {
        upsertKey =
            KeyEncoding.ofUpsertKey(trace.schema(), trace.upsertKey())
                .withMapOrder(MapOrder.AS_GIVEN);
      } catch (IllegalArgumentException e) {
        results.addRefused(trace);
        return;
      }
    }
    materializer = UpsertMaterializer.of(semantics());
    String failure;
    try {
      failure =
          trace.failed()
              ? "it stops at an error of the operator; its repaired form is missing"
              : replay();
    } catch (RuntimeException e) {
      failure = "steps " + batchSteps + " failed: " + stackTop(e);
      // What the failure left of the batch must not reach the next trace.
      store.close();
    }
    if (failure == null) {
      results.addPassed(trace);
    } else {
      results.addFailed(trace, "Trace " + trace.id() + ": " + failure);
    }
  }

  private UpsertSemantics semantics() {
    UpsertSemantics semantics =
        UpsertSemantics.of(trace.strategy())
            .withTtlMillis(trace.ttlMillis())
            .withDescription(rows.description());
    if (upsertKey != null) {
      semantics =
          upsertKey.isFloatKey()
              ? semantics.withFloatUpsertKey(trace.onHeap())
              : semantics.withUpsertKey();
    }
    if (trace.thresholds() != null) {
      return semantics.withThresholds(
          trace.thresholds().get("high").intValue(), trace.thresholds().get("low").intValue());
    }
    if (options.thresholds() != null && trace.strategy() != UpsertStrategy.ADAPTIVE) {
      return semantics.withThresholds(options.thresholds()[0], options.thresholds()[1]);
    }
    return trace.onHeap()
        ? semantics.withThresholds(UpsertSemantics.MEMORY_HIGH, UpsertSemantics.MEMORY_LOW)
        : semantics.withThresholds(UpsertSemantics.ROCKSDB_HIGH, UpsertSemantics.ROCKSDB_LOW);
  }

  /** What went wrong; null if nothing did. */
  private @Nullable String replay() {
    for (int step = 0; step < trace.steps(); step++) {
      String failure = null;
      switch (trace.action(step)) {
        case "@time" -> {
          failure = flush();
          now = trace.timeMillis(step);
        }
        case "@restore" -> {
          failure = flush();
          restore();
        }
        default -> {
          add(step);
          if (batch.size() == options.batchSize()) {
            failure = flush();
          }
        }
      }
      if (failure != null) {
        return failure;
      }
    }
    String failure = flush();
    if (failure == null && trace.keysLeft() >= 0 && trace.keysLeft() != keys) {
      return String.format("at the end expected %d keys, but %d are left", trace.keysLeft(), keys);
    }
    return failure;
  }

  private void add(int step) {
    Row row = trace.row(step);
    ChangeKind kind = ChangeKind.ofSymbol(trace.action(step));
    byte[] identity = upsertKey == null ? null : upsertKey.encode(row);
    batch.add(kind, sinkKey.encode(row), identity, rows.encode(row), true, NOTHING);
    batchSteps.add(step);
  }

  private @Nullable String flush() {
    if (batch.size() == 0) {
      return null;
    }
    KeyedChanges changes = batch.build();
    long keysBefore = materializer.statistics().keysDelta;
    ShardRecords records = store.get().begin(shard, state);
    Emissions emissions = materializer.process(records, changes, now);
    records.commit();
    keys += materializer.statistics().keysDelta - keysBefore;
    for (int i = 0; i < changes.size(); i++) {
      String actual = emitted(changes, emissions, i);
      int step = batchSteps.get(i);
      if (!Objects.equals(actual, expected[step])) {
        return String.format(
            "step %d (%s) expected %s, but was %s",
            step,
            trace.text(changes.kind(i), trace.row(step)),
            expected[step] == null ? "nothing" : expected[step],
            actual == null ? "nothing" : actual);
      }
    }
    batchSteps.clear();
    if (options.isReopening()) {
      restore();
    }
    return null;
  }

  private @Nullable String emitted(KeyedChanges changes, Emissions emissions, int index) {
    ChangeKind kind = emissions.kind(index);
    if (kind == null) {
      return null;
    }
    byte[] retained = emissions.retained(index);
    Row row =
        retained == null
            ? rows.decode(
                changes.data(), changes.payloadOffset(index), changes.payloadLength(index))
            : rows.decode(retained);
    return trace.text(kind, row);
  }

  /** A new store and a new materializer, as after a restart: the state alone is left. */
  private void restore() {
    store.close();
    InMemoryShardState restored = InMemoryShardState.shuffled(shard);
    restored.restore(state.snapshot());
    state = restored;
    materializer = UpsertMaterializer.of(semantics());
  }

  private static String stackTop(RuntimeException e) {
    return e + " at " + (e.getStackTrace().length == 0 ? "?" : e.getStackTrace()[0]);
  }

  /** The store in use; one serves many traces. */
  static final class Store {
    private final Supplier<CandidateStore> stores;
    private @Nullable CandidateStore current;

    Store(Supplier<CandidateStore> stores) {
      this.stores = stores;
    }

    CandidateStore get() {
      if (current == null) {
        current = stores.get();
      }
      return current;
    }

    /** The next use opens another one. */
    void close() {
      if (current != null) {
        current.close();
        current = null;
      }
    }
  }
}
