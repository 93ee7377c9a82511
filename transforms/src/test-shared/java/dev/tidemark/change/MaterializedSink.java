package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.MaterializerStatistics;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.UpsertMaterializer;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.testing.InMemoryShardState;
import dev.tidemark.upsert.KeyEncoding;
import dev.tidemark.upsert.RowEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a sink holds that gets the materialized changes of a table by key. */
final class MaterializedSink implements AutoCloseable {
  private static final byte[] NOTHING = {};
  private static final int SHARDS = 3;
  private static final int BATCH = 20;
  private static final int BATCHES_UNTIL_RESTART = 11;

  private final Supplier<CandidateStore> stores;
  private final List<String> sinkColumns;
  private final RowEncoding rows;
  private final KeyEncoding sinkKey;
  private final @Nullable KeyEncoding upsertKey;
  private final UpsertMaterializer materializer;
  private final InMemoryShardState[] states = new InMemoryShardState[SHARDS];
  private final KeyedChanges.Builder[] batches = new KeyedChanges.Builder[SHARDS];
  private final Map<List<Object>, Row> contents = new HashMap<>();
  private CandidateStore store;
  private int processed;

  MaterializedSink(
      Supplier<CandidateStore> stores,
      Schema schema,
      List<String> sinkColumns,
      List<String> upsertColumns,
      UpsertSemantics semantics) {
    this.stores = stores;
    this.sinkColumns = sinkColumns;
    this.rows = RowEncoding.of(schema);
    this.sinkKey = KeyEncoding.ofSinkKey(schema, sinkColumns);
    this.upsertKey =
        upsertColumns.isEmpty() ? null : KeyEncoding.ofUpsertKey(schema, upsertColumns);
    this.materializer =
        UpsertMaterializer.of(upsertKey == null ? semantics : semantics.withUpsertKey());
    for (int shard = 0; shard < SHARDS; shard++) {
      states[shard] = InMemoryShardState.shuffled(shard);
      batches[shard] = KeyedChanges.builder();
    }
    this.store = stores.get();
  }

  void add(Change change) {
    byte[] key = sinkKey.encode(change.row());
    byte[] identity = upsertKey == null ? null : upsertKey.encode(change.row());
    int shard = Math.floorMod(Arrays.hashCode(key), SHARDS);
    batches[shard].add(
        change.kind(), key, identity, rows.encode(change.row()), change.imageComplete(), NOTHING);
    if (batches[shard].size() == BATCH) {
      process(shard);
    }
  }

  /** Rows by sink key. */
  Map<List<Object>, Row> contents() {
    for (int shard = 0; shard < SHARDS; shard++) {
      process(shard);
    }
    return contents;
  }

  MaterializerStatistics statistics() {
    return materializer.statistics();
  }

  private void process(int shard) {
    KeyedChanges changes = batches[shard].build();
    ShardRecords records = store.begin(shard, states[shard]);
    Emissions emissions = materializer.process(records, changes, 0);
    records.commit();
    for (int i = 0; i < changes.size(); i++) {
      if (emissions.kind(i) != null) {
        apply(emissions.kind(i), emitted(changes, emissions, i));
      }
    }
    if (++processed % BATCHES_UNTIL_RESTART == 0) {
      store.close();
      store = stores.get();
    }
  }

  private Row emitted(KeyedChanges changes, Emissions emissions, int index) {
    byte[] retained = emissions.retained(index);
    if (retained != null) {
      return rows.decode(retained);
    }
    assertThat("payload that is emitted is whole", changes.complete(index), is(true));
    return rows.decode(changes.data(), changes.payloadOffset(index), changes.payloadLength(index));
  }

  private void apply(ChangeKind kind, Row row) {
    List<Object> key = new ArrayList<>();
    sinkColumns.forEach(column -> key.add(row.getValue(column)));
    Row before = kind == ChangeKind.DELETE ? contents.remove(key) : contents.put(key, row);
    assertThat("sink has the key before " + kind, before != null, is(kind != ChangeKind.INSERT));
    if (kind == ChangeKind.DELETE) {
      assertThat("row that is deleted", row, equalTo(before));
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
