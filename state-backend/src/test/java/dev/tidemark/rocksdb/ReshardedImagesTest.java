package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.TINY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.Resharding;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.Shards;
import dev.tidemark.candidates.UpsertMaterializer;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.candidates.testing.InMemoryShardState;
import dev.tidemark.change.ChangeKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Re-shards images of shards on RocksDB, and goes on with what they hold in other stores. */
@RunWith(JUnit4.class)
public final class ReshardedImagesTest {
  private static final int SEEDS = Boolean.getBoolean("tidemark.long") ? 40 : 3;
  private static final int FROM = 8;

  @Rule public final StoreFixture fixture = new StoreFixture();

  private long linked;

  @Test
  public void shardsOfOtherNumbersGoOnAsTheFormerOnes() throws IOException {
    for (UpsertStrategy strategy : UpsertStrategy.values()) {
      for (int to : new int[] {5, 13, 16}) {
        for (int seed = 0; seed < SEEDS; seed++) {
          UpsertSemantics rows = UpsertSemantics.of(strategy).withThresholds(6, 3);
          go(seed % 2 == 0 ? rows : rows.withUpsertKey(), to, new Random(seed));
        }
      }
    }
    assertThat(linked, greaterThan(100L));
  }

  private void go(UpsertSemantics semantics, int to, Random random) throws IOException {
    try (CandidateStore former = fixture.open(TINY);
        CandidateStore latter = fixture.open(TINY)) {
      Sharded before = new Sharded(semantics, FROM, former);
      for (int i = 0; i < 40; i++) {
        before.send(changes(semantics, random));
      }
      linked += before.materializer.statistics().migrations;
      Sharded after = new Sharded(semantics, to, latter);
      reshard(before, after);
      for (int i = 0; i < 40; i++) {
        List<Change> changes = changes(semantics, random);
        assertThat(after.send(changes), equalTo(before.send(changes)));
      }
    }
  }

  private static void reshard(Sharded before, Sharded after) throws IOException {
    List<byte[]> images = new ArrayList<>();
    for (int shard = 0; shard < FROM; shard++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (ShardImages.Sink sink = ShardImage.writeTo(out)) {
        ShardImages.copy(ShardImage.readFrom(shard, before.states.get(shard)), sink);
      }
      images.add(out.toByteArray());
    }
    Resharding.of("rows", FROM, after.states.size())
        .withOpenImages(3)
        .run(
            (shard, reader) ->
                reader.read(ShardImage.readFrom(new ByteArrayInputStream(images.get(shard)))),
            shard -> ShardImage.writeTo(shard, after.states.get(shard)));
  }

  /** A change by number: additions and retractions of few rows per key. */
  private record Change(boolean adds, String key, String identity, String payload) {}

  private static List<Change> changes(UpsertSemantics semantics, Random random) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      int key = Math.min(random.nextInt(40), random.nextInt(40));
      String identity = "id" + random.nextInt(15);
      String payload = semantics.hasUpsertKey() ? "row" + random.nextInt() : identity;
      changes.add(new Change(random.nextInt(3) > 0, "key" + key, identity, payload));
    }
    return changes;
  }

  /** A state of so many shards. */
  private static final class Sharded {
    final List<InMemoryShardState> states = new ArrayList<>();
    final UpsertMaterializer materializer;
    private final UpsertSemantics semantics;
    private final CandidateStore store;

    Sharded(UpsertSemantics plain, int shards, CandidateStore store) {
      this.semantics = plain.withDescription(Shards.describe(shards, "rows"));
      this.materializer = UpsertMaterializer.of(semantics);
      this.store = store;
      for (int i = 0; i < shards; i++) {
        states.add(InMemoryShardState.shuffled(i));
      }
    }

    /** Sends changes one by one, and returns what each emits. */
    List<String> send(List<Change> changes) {
      List<String> emitted = new ArrayList<>();
      for (Change change : changes) {
        byte[] key = change.key().getBytes(UTF_8);
        int shard = Shards.of(key, 0, key.length, states.size());
        KeyedChanges.Builder builder = KeyedChanges.builder();
        builder.add(
            change.adds() ? ChangeKind.INSERT : ChangeKind.DELETE,
            key,
            semantics.hasUpsertKey() ? change.identity().getBytes(UTF_8) : null,
            change.payload().getBytes(UTF_8),
            true,
            new byte[0]);
        ShardRecords records = store.begin(shard, states.get(shard));
        Emissions emissions = materializer.process(records, builder.build(), 0);
        records.commit();
        ChangeKind kind = emissions.kind(0);
        byte[] retained = emissions.retained(0);
        emitted.add(kind + " " + (retained == null ? "" : new String(retained, UTF_8)));
      }
      return emitted;
    }
  }
}
