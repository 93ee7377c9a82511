package dev.tidemark.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.UpsertMaterializer;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.candidates.testing.CountingRecords;
import dev.tidemark.candidates.testing.InMemoryShardState;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.Rule;
import org.junit.Test;

/** One key with very many candidates in a store with next to no memory. */
public final class ManyCandidatesTest {
  private static final int CANDIDATES = 10_000;
  private static final int BATCH = 50;
  private static final StoreLimits SIXTEEN_KIB = new StoreLimits(16 << 10, 1 << 20, 4 << 10);
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] NO_CONTEXT = {};
  private static final int SWEEP_BYTES = 64 << 10;

  @Rule public final StoreFixture fixture = new StoreFixture();

  private final InMemoryShardState state = InMemoryShardState.shuffled(1);
  private final Random random = new Random(2);

  /** Upsert keys in the order of their candidates. */
  private final List<Long> model = new ArrayList<>();

  private final UpsertMaterializer materializer =
      UpsertMaterializer.of(
          UpsertSemantics.of(UpsertStrategy.ADAPTIVE).withUpsertKey().withTtlMillis(1_000));

  private long nextUpsertKey;

  @Test
  public void tenThousandCandidatesWorkWithinSixteenKibAndAreRecovered() throws IOException {
    Path checkpoint = fixture.directory().resolve("checkpoint");
    try (RocksDbCandidateStore store = fixture.open(SIXTEEN_KIB)) {
      while (model.size() < CANDIDATES) {
        run(store, () -> true);
      }
      churn(store);
      RocksDbCandidateStores.checkpoint(store, checkpoint);
    }
    try (RocksDbCandidateStore store =
        RocksDbCandidateStore.openFromCheckpoint(SIXTEEN_KIB, fixture.directory(), checkpoint)) {
      churn(store);
      assertThat(store.statistics().rebuilds, is(0L));
    }
    try (RocksDbCandidateStore store = fixture.open(SIXTEEN_KIB)) {
      churn(store);
      assertThat(store.statistics().rebuilds, is(1L));
      assertThat(model.size() > CANDIDATES / 2, is(true));
      while (!model.isEmpty()) {
        run(store, () -> false);
      }
    }
  }

  @Test
  public void listOfAHundredThousandThatExpiresGoesInBoundedSteps() {
    RocksDbCandidateStore store = fixture.open(SIXTEEN_KIB);
    try {
      for (int batch = 0; batch < 100; batch++) {
        KeyedChanges.Builder builder = KeyedChanges.builder();
        for (int i = 0; i < 1_000; i++) {
          add(builder, ChangeKind.INSERT, nextUpsertKey++);
        }
        expiring(store, 0, builder.build());
      }
      assertThat(sweptBytes(store, 999), lessThanOrEqualTo(200L));
      assertThat(materializer.statistics().expiries, is(0L));

      KeyedChanges.Builder next = KeyedChanges.builder();
      add(next, ChangeKind.INSERT, 7);
      Emissions emissions = expiring(store, 1_000, next.build());
      assertThat(emissions.kind(0), is(ChangeKind.INSERT));
      assertThat(materializer.statistics().expiries, is(1L));
      assertThat(materializer.statistics().candidatesDelta, is(1L));

      int sweeps = 0;
      long liveBytes = header().liveBytes;
      while (materializer.isSweepDue() && header().liveRecords > 3) {
        long misses = store.statistics().misses;
        assertThat(sweptBytes(store, 1_000), lessThanOrEqualTo(SWEEP_BYTES + 200L));
        assertThat(store.statistics().misses - misses, lessThanOrEqualTo(SWEEP_BYTES / 20L));
        assertThat(store.meter().bytes, lessThanOrEqualTo(SIXTEEN_KIB.heapBytes()));
        assertThat(header().liveBytes, lessThan(liveBytes));
        liveBytes = header().liveBytes;
        sweeps++;
        if (sweeps == 20) {
          InMemoryShardState.Snapshot before = state.snapshot();
          sweptBytes(store, 1_000);
          state.restore(before);
        } else if (sweeps == 40) {
          store.close();
          store = fixture.open(SIXTEEN_KIB);
        }
      }
      assertThat(sweeps, greaterThan(50));
      assertThat(header().liveRecords, is(3L));

      sweptBytes(store, 2_000);
      assertThat(header().liveRecords, is(2L));
      assertThat(header().liveBytes, lessThanOrEqualTo(40L));
    } finally {
      store.close();
    }
  }

  private ShardHeader header() {
    return ShardHeader.decode(state.header(), 0);
  }

  private Emissions expiring(RocksDbCandidateStore store, long nowMillis, KeyedChanges changes) {
    ShardRecords records = store.begin(0, state);
    Emissions emissions = materializer.process(records, changes, nowMillis);
    records.commit();
    return emissions;
  }

  /** Sweeps in a batch of its own, and returns the bytes of records that were looked at. */
  private long sweptBytes(RocksDbCandidateStore store, long nowMillis) {
    ShardRecords records = store.begin(0, state);
    CountingRecords counted = new CountingRecords();
    materializer.sweep(counted.of(records), nowMillis, SWEEP_BYTES);
    records.commit();
    return counted.readBytes;
  }

  private void churn(RocksDbCandidateStore store) {
    for (int batch = 0; batch < 40; batch++) {
      run(store, random::nextBoolean);
    }
  }

  /** Adds or retracts candidates, and compares what is emitted with the model. */
  private void run(RocksDbCandidateStore store, BooleanSupplier adds) {
    KeyedChanges.Builder builder = KeyedChanges.builder();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      if (adds.getAsBoolean()) {
        model.add(nextUpsertKey);
        add(builder, ChangeKind.UPDATE_AFTER, nextUpsertKey++);
        expected.add(model.size() == 1 ? "+I" : "+U");
      } else if (!model.isEmpty()) {
        // The last one often, so that the one before comes up.
        int slot = random.nextInt(4) == 0 ? model.size() - 1 : random.nextInt(model.size());
        boolean last = slot == model.size() - 1;
        add(builder, ChangeKind.DELETE, model.remove(slot));
        expected.add(
            model.isEmpty() ? "-D" : last ? "+U " + text(model.get(model.size() - 1)) : "");
      }
    }
    assertThat(process(store, builder.build()), equalTo(expected));
    assertThat(store.meter().bytes, lessThanOrEqualTo(SIXTEEN_KIB.heapBytes()));
  }

  private List<String> process(RocksDbCandidateStore store, KeyedChanges changes) {
    ShardRecords records = store.begin(0, state);
    UpsertMaterializer materializer =
        UpsertMaterializer.of(UpsertSemantics.of(UpsertStrategy.ADAPTIVE).withUpsertKey());
    Emissions emissions = materializer.process(records, changes, 0);
    records.commit();
    List<String> emitted = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      ChangeKind kind = emissions.kind(i);
      byte[] retained = emissions.retained(i);
      emitted.add(
          kind == null
              ? ""
              : retained == null
                  ? kind.symbol()
                  : kind.symbol() + " " + new String(retained, UTF_8));
    }
    return emitted;
  }

  private static void add(KeyedChanges.Builder builder, ChangeKind kind, long upsertKey) {
    byte[] identity = ByteBuffer.allocate(Long.BYTES).putLong(upsertKey).array();
    builder.add(kind, KEY, identity, text(upsertKey).getBytes(UTF_8), true, NO_CONTEXT);
  }

  private static String text(long upsertKey) {
    return "row of " + upsertKey;
  }
}
