package dev.tidemark.candidates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.candidates.testing.InMemoryShardState;
import dev.tidemark.change.ChangeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.Test;

/** Compares the materializer with {@link ReferenceLists} on random changelogs. */
public final class UpsertMaterializerPropertyTest {
  private static final int[][] THRESHOLDS = {{1, 0}, {2, 1}, {4, 2}, {50, 40}, {400, 300}};
  private static final int[] BATCHES = {1, 7, 1000};
  private static final double[] NUMBERS = {
    1.5, 0.0, -0.0, Double.NaN, Double.longBitsToDouble(0x7ff8000000000001L), -2
  };
  private static final int SCALE = Boolean.getBoolean("tidemark.long") ? 20 : 1;

  private int migrations;
  private int expiries;
  private int dropped;

  @Test
  public void fullRowsMeanWhatTheReferenceSays() {
    for (UpsertStrategy strategy : UpsertStrategy.values()) {
      runAll(UpsertSemantics.of(strategy), 6 * SCALE);
    }
    assertThat(migrations, is(greaterThan(1000)));
  }

  @Test
  public void upsertKeysMeanWhatTheReferenceSays() {
    for (UpsertStrategy strategy : UpsertStrategy.values()) {
      runAll(UpsertSemantics.of(strategy).withUpsertKey(), 6 * SCALE);
    }
    assertThat(migrations, is(greaterThan(1000)));
  }

  @Test
  public void floatKeysMeanWhatTheReferenceSays() {
    for (UpsertStrategy strategy : UpsertStrategy.values()) {
      runAll(UpsertSemantics.of(strategy).withFloatUpsertKey(false), 4 * SCALE);
      runAll(UpsertSemantics.of(strategy).withFloatUpsertKey(true), 4 * SCALE);
    }
    assertThat(migrations, is(greaterThan(1000)));
  }

  @Test
  public void keysExpireAsTheReferenceSays() {
    for (UpsertStrategy strategy : List.of(UpsertStrategy.MAP, UpsertStrategy.ADAPTIVE)) {
      runAll(UpsertSemantics.of(strategy).withTtlMillis(200), 6 * SCALE);
      runAll(UpsertSemantics.of(strategy).withUpsertKey().withTtlMillis(200), 6 * SCALE);
    }
    assertThat(expiries, is(greaterThan(1000)));
  }

  @Test
  public void oldestCandidatesAreDroppedAsTheReferenceSays() {
    for (int bound : new int[] {1, 2, 3, 45, 60}) {
      UpsertSemantics semantics =
          UpsertSemantics.of(UpsertStrategy.ADAPTIVE)
              .withHardBound(bound, HardBound.DROP_OLDEST)
              .withDescription("bound " + bound);
      runAll(semantics, 2 * SCALE);
      runAll(semantics.withUpsertKey(), 2 * SCALE);
      runAll(semantics.withFloatUpsertKey(false), 2 * SCALE);
    }
    assertThat(dropped, is(greaterThan(1000)));
  }

  private void runAll(UpsertSemantics semantics, int seeds) {
    for (int[] thresholds : THRESHOLDS) {
      for (int batch : BATCHES) {
        int runs = thresholds[0] > 100 ? (seeds + 2) / 3 : seeds;
        for (int seed = 0; seed < runs; seed++) {
          UpsertSemantics run = semantics.withThresholds(thresholds[0], thresholds[1]);
          try {
            new Run(run, batch, seed).run();
          } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(run + ", batches of " + batch + ", seed " + seed, e);
          }
        }
      }
    }
  }

  /** One random changelog. */
  private final class Run {
    private final Random random;
    private final int maxBatch;
    private final int keys;
    private final int identities;
    private final int length;
    private final InMemoryShardState state;
    private final ReferenceLists reference;
    private final Map<Long, TestChange> recent = new TreeMap<>();
    private final UpsertSemantics semantics;
    private UpsertSemantics running;
    private InMemoryCandidateStore store = InMemoryCandidateStore.create();
    private UpsertMaterializer materializer;
    private long now = 1000;

    Run(UpsertSemantics semantics, int maxBatch, int seed) {
      this.semantics = semantics;
      this.running = semantics;
      this.maxBatch = maxBatch;
      this.random = new Random(seed * 31L + maxBatch);
      this.state = InMemoryShardState.shuffled(seed);
      this.reference = new ReferenceLists(semantics);
      this.materializer = UpsertMaterializer.of(semantics);
      int high = semantics.high();
      this.keys = 1 + random.nextInt(high > 4 ? 2 : 6);
      this.identities = 2 + random.nextInt(3 * high + 4);
      this.length = 100 + (maxBatch == 1 ? 1 : 3) * (high > 100 ? 1200 : 2 * high);
    }

    void run() {
      double additions = 0.8;
      for (int done = 0; done < length; ) {
        if (random.nextInt(1 + length / 3) < maxBatch) {
          additions = random.nextBoolean() ? 0.75 : 0.3;
        }
        List<TestChange> changes = new ArrayList<>();
        for (int i = 1 + random.nextInt(maxBatch); i > 0 && done < length; i--, done++) {
          changes.add(change(additions));
        }
        disturb();
        process(changes);
        if (random.nextInt(20) == 0) {
          check();
        }
      }
      check();
      empty();
    }

    private TestChange change(double additions) {
      byte[] key = {(byte) random.nextInt(keys)};
      boolean add = random.nextDouble() < additions;
      int id = random.nextInt(identities);
      double number = semantics.floatKey() ? NUMBERS[random.nextInt(NUMBERS.length)] : 0;
      byte[] identity = identity(semantics.floatKey() ? id / NUMBERS.length : id);
      byte[] payload =
          semantics.hasUpsertKey()
              ? ByteBuffer.allocate(8).putInt(id).putInt(random.nextInt()).array()
              : identity;
      ChangeKind kind =
          add
              ? random.nextBoolean() ? ChangeKind.INSERT : ChangeKind.UPDATE_AFTER
              : random.nextBoolean() ? ChangeKind.DELETE : ChangeKind.UPDATE_BEFORE;
      boolean complete = add || !semantics.hasUpsertKey() || random.nextBoolean();
      TestChange change = new TestChange(kind, key, identity, number, payload, complete);
      return known(change, add);
    }

    /** Mostly retracts what was added lately, so that lists also shrink. */
    private TestChange known(TestChange change, boolean add) {
      if (add) {
        recent.put((long) random.nextInt(2 * semantics.high() + 4), change);
        return change;
      }
      TestChange before = recent.get((long) random.nextInt(2 * semantics.high() + 4));
      if (before == null || random.nextInt(8) == 0) {
        return change;
      }
      return new TestChange(
          change.kind(),
          before.key(),
          before.identity(),
          before.number(),
          semantics.hasUpsertKey() ? change.payload() : before.payload(),
          change.complete());
    }

    /** Some are longer than what an index entry holds as it is. */
    private byte[] identity(int id) {
      return ByteBuffer.allocate(id % 5 == 0 ? 70 : 4).putInt(id).array();
    }

    private void disturb() {
      now += random.nextInt(8) == 0 ? random.nextInt(500) : random.nextInt(10);
      if (random.nextInt(30) == 0) {
        store = InMemoryCandidateStore.create();
      }
      if (random.nextInt(30) == 0) {
        restartMaterializer(semantics);
      }
      if (semantics.ttlMillis() > 0) {
        if (random.nextInt(40) == 0) {
          restartMaterializer(semantics.withTtlMillis(0));
          process(List.of(change(0.5)));
          restartMaterializer(semantics);
        }
        if (random.nextInt(20) == 0) {
          sweep();
        }
      }
    }

    private void restartMaterializer(UpsertSemantics next) {
      migrations += (int) materializer.statistics().migrations;
      expiries += (int) materializer.statistics().expiries;
      dropped += (int) materializer.statistics().dropped;
      materializer = UpsertMaterializer.of(next);
      running = next;
    }

    /** Sweeps twice to the end: the first time may have begun in the middle of the shard. */
    private void sweep() {
      for (int ends = 0; ends < 2; ) {
        ShardRecords records = store.begin(0, state);
        ends += materializer.sweep(records, now, 30) ? 1 : 0;
        records.commit();
      }
      reference.begin(running, now);
      reference.sweep(now);
      check();
    }

    private void process(List<TestChange> changes) {
      KeyedChanges.Builder builder = KeyedChanges.builder();
      for (TestChange change : changes) {
        builder.add(
            change.kind(),
            change.key(),
            change.storedIdentity(semantics),
            change.payload(),
            change.complete(),
            new byte[0]);
      }
      KeyedChanges batch = builder.build();
      ShardRecords records = store.begin(0, state);
      Emissions emissions = materializer.process(records, batch, now);
      records.commit();
      reference.begin(running, now);
      for (int i = 0; i < changes.size(); i++) {
        String expected = reference.apply(changes.get(i), now);
        assertThat(
            changes.get(i).toString(), text(batch, emissions, i), is(String.valueOf(expected)));
      }
    }

    private String text(KeyedChanges batch, Emissions emissions, int index) {
      if (emissions.kind(index) == null) {
        return "null";
      }
      byte[] payload = emissions.retained(index);
      if (payload == null) {
        payload = new byte[batch.payloadLength(index)];
        System.arraycopy(batch.data(), batch.payloadOffset(index), payload, 0, payload.length);
      }
      return ReferenceLists.emission(emissions.kind(index), payload);
    }

    private void check() {
      RawShard shard = RawShard.check(store.records(0), semantics);
      Map<ByteBuffer, List<String>> expected = new TreeMap<>();
      reference.lists.forEach(
          (key, list) ->
              expected.put(
                  key, list.candidates.stream().map(c -> TestChange.hex(c.payload())).toList()));
      assertThat(shard.lists, is(expected));
      int large = (int) reference.lists.values().stream().filter(list -> list.large).count();
      assertThat(shard.linkedLists, is(large));
    }

    /** Retracts all that can be retracted, after which no candidate may be left in a record. */
    private void empty() {
      List<TestChange> changes = new ArrayList<>();
      reference.lists.forEach(
          (key, list) ->
              list.candidates.forEach(
                  candidate ->
                      changes.add(
                          new TestChange(
                              ChangeKind.DELETE,
                              candidate.key(),
                              candidate.identity(),
                              candidate.number(),
                              candidate.payload(),
                              true))));
      if (!changes.isEmpty()) {
        process(changes);
      }
      check();
      if (semantics.ttlMillis() > 0) {
        sweep();
      }
      if (reference.lists.isEmpty()) {
        assertThat(store.records(0).size(), is(2));
      }
      restartMaterializer(semantics);
    }
  }
}
