package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.candidates.testing.CountingRecords;
import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.candidates.testing.InMemoryShardState;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One shard with a store of its own, to which tests send changes written as text. */
final class Shard {
  final InMemoryShardState state = InMemoryShardState.shuffled(0);
  private InMemoryCandidateStore store = InMemoryCandidateStore.create();
  private UpsertSemantics semantics;
  private UpsertMaterializer materializer;
  private @Nullable CountingRecords counting;
  private long now;

  private Shard(UpsertSemantics semantics) {
    this.semantics = semantics;
    this.materializer = UpsertMaterializer.of(semantics);
  }

  static Shard of(UpsertSemantics semantics) {
    return new Shard(semantics);
  }

  /** Goes on as another pipeline would, with what the runner kept. */
  Shard restart(UpsertSemantics next) {
    semantics = next;
    materializer = UpsertMaterializer.of(next);
    store = InMemoryCandidateStore.create();
    return this;
  }

  Shard at(long nowMillis) {
    now = nowMillis;
    return this;
  }

  /**
   * Sends one batch. A change is a kind, a key, an identity and a payload, as in {@code "+I k i
   * p"}; without an upsert key there is no identity. A question mark for a payload means that it is
   * not complete.
   *
   * @return what each change emits: a kind and a payload, empty for nothing
   */
  List<String> send(String... changes) {
    KeyedChanges.Builder builder = KeyedChanges.builder();
    for (String change : changes) {
      String[] parts = change.split(" ", -1);
      String payload = parts[parts.length - 1];
      builder.add(
          ChangeKind.ofSymbol(parts[0]),
          parts[1].getBytes(UTF_8),
          semantics.hasUpsertKey() ? parts[2].getBytes(UTF_8) : null,
          payload.getBytes(UTF_8),
          !payload.equals("?"),
          new byte[0]);
    }
    return send(builder.build());
  }

  List<String> send(KeyedChanges changes) {
    ShardRecords records = begin();
    Emissions emissions = materializer.process(records, changes, now);
    records.commit();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      ChangeKind kind = emissions.kind(i);
      byte[] retained = emissions.retained(i);
      texts.add(
          kind == null
              ? ""
              : kind.symbol()
                  + " "
                  + (retained == null
                      ? new String(
                          changes.data(), changes.payloadOffset(i), changes.payloadLength(i), UTF_8)
                      : new String(retained, UTF_8)));
    }
    return texts;
  }

  boolean sweep(int maxBytes) {
    ShardRecords records = begin();
    boolean complete = materializer.sweep(records, now, maxBytes);
    records.commit();
    return complete;
  }

  /** A sweep in a batch that is never committed. */
  void failSweep(int maxBytes) {
    materializer.sweep(begin(), now, maxBytes);
    materializer = UpsertMaterializer.of(semantics);
    store = InMemoryCandidateStore.create();
  }

  /** Takes over state that was written by others. */
  void reload() {
    begin().commit();
  }

  boolean isSweepDue() {
    return materializer.isSweepDue();
  }

  /** From here on counts what batches do to records. */
  CountingRecords count() {
    counting = new CountingRecords();
    return counting;
  }

  MaterializerStatistics statistics() {
    return materializer.statistics();
  }

  NavigableMap<byte[], byte[]> records() {
    return store.records(0);
  }

  RawShard check() {
    return RawShard.check(records(), semantics);
  }

  private ShardRecords begin() {
    ShardRecords records = store.begin(0, state);
    return counting == null ? records : counting.of(records);
  }
}
