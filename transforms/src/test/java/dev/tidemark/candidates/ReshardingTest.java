package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.testing.InMemoryShardImages;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Re-shards states of random changelogs, and goes on with more changes on both sides. */
@RunWith(JUnit4.class)
public final class ReshardingTest {
  private static final int SEEDS = Boolean.getBoolean("tidemark.long") ? 60 : 4;
  private static final int[][] NUMBERS = {{8, 5}, {8, 13}, {8, 16}, {6, 4}, {1, 3}, {4, 1}, {3, 3}};
  private static final double[] RATES = {1.5, 0.0, -0.0, Double.NaN, -2};

  private int linked;

  @Test
  public void fullRowsGoOnAsIfNothingHadHappened() throws IOException {
    for (UpsertStrategy strategy : UpsertStrategy.values()) {
      runAll(UpsertSemantics.of(strategy));
    }
    assertThat(linked, is(greaterThan(100)));
  }

  @Test
  public void upsertKeysGoOnAsIfNothingHadHappened() throws IOException {
    for (UpsertStrategy strategy : UpsertStrategy.values()) {
      runAll(UpsertSemantics.of(strategy).withUpsertKey());
      runAll(UpsertSemantics.of(strategy).withFloatUpsertKey(strategy == UpsertStrategy.VALUE));
    }
    assertThat(linked, is(greaterThan(100)));
  }

  @Test
  public void expiredListsAreLeftBehind() throws IOException {
    runAll(UpsertSemantics.of(UpsertStrategy.ADAPTIVE).withUpsertKey().withTtlMillis(300));
    runAll(UpsertSemantics.of(UpsertStrategy.MAP).withTtlMillis(300));
    assertThat(linked, is(greaterThan(100)));
  }

  private void runAll(UpsertSemantics semantics) throws IOException {
    for (int[] numbers : NUMBERS) {
      for (int seed = 0; seed < SEEDS; seed++) {
        UpsertSemantics run = semantics.withThresholds(5, 2).withDescription("rows");
        try {
          new Run(run, numbers[0], numbers[1], seed).run();
        } catch (RuntimeException | AssertionError e) {
          throw new AssertionError(run + ", " + Arrays.toString(numbers) + ", seed " + seed, e);
        }
      }
    }
  }

  /** All shards of a state. */
  private static final class ShardedState {
    final UpsertSemantics semantics;
    final List<Shard> shards = new ArrayList<>();

    ShardedState(UpsertSemantics plain, int count) {
      semantics = plain.withDescription(Shards.describe(count, plain.description()));
      for (int i = 0; i < count; i++) {
        shards.add(Shard.of(semantics));
      }
    }

    List<String> send(TestChange change, long nowMillis) {
      KeyedChanges.Builder builder = KeyedChanges.builder();
      builder.add(
          change.kind(),
          change.key(),
          change.storedIdentity(semantics),
          change.payload(),
          change.complete(),
          new byte[0]);
      return shard(change.key()).at(nowMillis).send(builder.build());
    }

    Shard shard(byte[] key) {
      return shards.get(Shards.of(key, 0, key.length, shards.size()));
    }
  }

  private final class Run {
    private final Random random;
    private final UpsertSemantics semantics;
    private final ShardedState old;
    private final ShardedState fresh;
    private final List<TestChange> sent = new ArrayList<>();
    private long now = 1000;

    Run(UpsertSemantics semantics, int from, int to, long seed) {
      this.semantics = semantics;
      this.random = new Random(seed);
      this.old = new ShardedState(semantics, from);
      this.fresh = new ShardedState(semantics, to);
    }

    void run() throws IOException {
      for (int i = 0; i < 400; i++) {
        old.send(change(), now);
        now += random.nextInt(5);
        if (semantics.ttlMillis() > 0 && random.nextInt(20) == 0) {
          old.shards.get(random.nextInt(old.shards.size())).at(now).sweep(60);
        }
      }
      Resharding resharding =
          Resharding.of("rows", old.shards.size(), fresh.shards.size())
              .withOpenImages(1 + random.nextInt(4));
      reshard(resharding, images(), fresh.shards);
      for (Shard shard : fresh.shards) {
        RawShard raw = shard.at(now).check();
        assertThat(raw.removedLists, is(0));
        linked += raw.linkedLists;
      }
      for (int i = 0; i < 400; i++) {
        now += random.nextInt(5);
        TestChange change = change();
        assertThat(change.toString(), fresh.send(change, now), is(old.send(change, now)));
      }
      fresh.shards.forEach(Shard::check);
    }

    private List<NavigableMap<byte[], byte[]>> images() {
      List<NavigableMap<byte[], byte[]>> images = new ArrayList<>();
      old.shards.forEach(shard -> images.add(shard.records()));
      return images;
    }

    private TestChange change() {
      if (sent.size() > 20 && random.nextInt(3) == 0) {
        TestChange before = sent.get(random.nextInt(sent.size()));
        return new TestChange(
            ChangeKind.DELETE,
            before.key(),
            before.identity(),
            before.number(),
            before.payload(),
            true);
      }
      int id = random.nextInt(12);
      byte[] identity = ByteBuffer.allocate(id % 5 == 0 ? 70 : 4).putInt(id).array();
      double number = semantics.floatKey() ? RATES[random.nextInt(RATES.length)] : 0;
      TestChange change =
          new TestChange(
              ChangeKind.INSERT,
              ("key" + Math.min(random.nextInt(60), random.nextInt(60))).getBytes(UTF_8),
              identity,
              number,
              identity,
              true);
      sent.add(change);
      return change;
    }
  }

  /** The records of images in an order of their own. */
  private static ShardImages.Records shuffled(Map<byte[], byte[]> image, long seed) {
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>(image.entrySet());
    Collections.shuffle(entries, new Random(seed));
    return InMemoryShardImages.of(entries);
  }

  private static void reshard(
      Resharding resharding, List<NavigableMap<byte[], byte[]>> images, List<Shard> to)
      throws IOException {
    int[] open = {0};
    resharding.run(
        (shard, reader) -> reader.read(shuffled(images.get(shard), shard)),
        shard -> {
          open[0]++;
          assertThat(open[0], is(lessThanOrEqualTo(4)));
          ShardImages.Sink sink = new InMemoryShardImages().writeTo(shard, to.get(shard).state);
          return new ShardImages.Sink() {
            @Override
            public void put(byte[] key, byte[] value) throws IOException {
              sink.put(key, value);
            }

            @Override
            public void close() throws IOException {
              open[0]--;
              sink.close();
            }
          };
        });
    to.forEach(Shard::reload);
  }

  /** Shards of "d" with a time to live, as they are after each was sent something at some time. */
  private static List<NavigableMap<byte[], byte[]>> timed(Function<Integer, Shard> shards) {
    List<NavigableMap<byte[], byte[]>> images = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      images.add(shards.apply(i).records());
    }
    return images;
  }

  private static String keyOf(int shard, int shards) {
    for (int i = 0; ; i++) {
      byte[] key = ("k" + i).getBytes(UTF_8);
      if (Shards.of(key, 0, key.length, shards) == shard) {
        return "k" + i;
      }
    }
  }

  private static final UpsertSemantics TTL =
      UpsertSemantics.of(UpsertStrategy.MAP).withUpsertKey().withTtlMillis(100);
  private static final UpsertSemantics TTL_OF_TWO = TTL.withDescription(Shards.describe(2, "d"));
  private static final UpsertSemantics TTL_OF_ONE = TTL.withDescription(Shards.describe(1, "d"));

  @Test
  public void timeToLiveCountsFromTheLatestTimeItWasEnabled() throws IOException {
    UpsertSemantics forever = TTL_OF_TWO.withTtlMillis(0);
    Shard merged = Shard.of(TTL_OF_ONE);
    reshard(
        Resharding.of("d", 2, 1),
        timed(
            i -> {
              Shard shard = Shard.of(forever);
              shard.at(0).send("+I " + keyOf(i, 2) + " 1 a");
              shard.restart(TTL_OF_TWO).at(i == 0 ? 50 : 80).send("-D " + keyOf(i, 2) + " 9 z");
              return shard;
            }),
        List.of(merged));

    assertThat(merged.at(179).send("+U " + keyOf(0, 2) + " 2 b").get(0), is("+U b"));
    assertThat(merged.at(180).send("+U " + keyOf(1, 2) + " 2 b").get(0), is("+I b"));
  }

  @Test
  public void timeToLiveBeginsAnewIfAShardDidNotKnowOfIt() throws IOException {
    Shard merged = Shard.of(TTL_OF_ONE);
    reshard(
        Resharding.of("d", 2, 1),
        timed(
            i -> {
              Shard shard = Shard.of(i == 0 ? TTL_OF_TWO : TTL_OF_TWO.withTtlMillis(0));
              shard.at(0).send("+I " + keyOf(i, 2) + " 1 a");
              return shard;
            }),
        List.of(merged));

    merged.at(1000).send("-D other 1 a");
    assertThat(merged.at(1099).send("+U " + keyOf(0, 2) + " 2 b").get(0), is("+U b"));
    assertThat(merged.at(1100).send("+U " + keyOf(1, 2) + " 2 b").get(0), is("+I b"));
  }

  @Test
  public void shardsWithoutRecordsGiveShardsWithoutRecords() throws IOException {
    List<Shard> to = List.of(Shard.of(TTL), Shard.of(TTL), Shard.of(TTL));
    reshard(
        Resharding.of("d", 2, 3),
        List.of(new TreeMap<>(Arrays::compareUnsigned), new TreeMap<>(Arrays::compareUnsigned)),
        to);

    for (Shard shard : to) {
      assertThat(shard.records().size(), is(0));
      assertThat(shard.state.header() != null, is(true));
    }
  }

  private static void assertRefused(List<NavigableMap<byte[], byte[]>> images, String reason) {
    List<Shard> to = List.of(Shard.of(TTL), Shard.of(TTL), Shard.of(TTL));
    Exception e =
        assertThrows(
            CorruptStateException.class, () -> reshard(Resharding.of("d", 2, 3), images, to));
    assertThat(e.getMessage(), containsString(reason));
  }

  /** Images of two shards, each of which has a long list and a short one. */
  private static List<NavigableMap<byte[], byte[]>> images(UpsertSemantics semantics) {
    return timed(
        i -> {
          Shard shard = Shard.of(semantics.withThresholds(3, 1));
          String key = keyOf(i, 2);
          shard.send("+I " + key + " 1 a", "+I " + key + " 2 b", "+I " + key + " 3 c");
          return shard;
        });
  }

  @Test
  public void imagesOfOtherSettingsAreRefused() {
    List<NavigableMap<byte[], byte[]>> images = images(TTL_OF_TWO);
    List<NavigableMap<byte[], byte[]>> others = images(TTL_OF_TWO.withDescription("2 shards; e"));
    assertRefused(
        List.of(images.get(0), others.get(1)), "it belongs to [2 shards; e], not to [2 shards; d]");
    others = images(TTL.withDescription("4 shards; d"));
    assertRefused(others, "it belongs to [4 shards; d], not to [2 shards; d]");
    List<NavigableMap<byte[], byte[]>> byRow =
        timed(
            i -> {
              Shard shard =
                  Shard.of(
                      UpsertSemantics.of(UpsertStrategy.MAP)
                          .withDescription(TTL_OF_TWO.description()));
              shard.send("+I " + keyOf(i, 2) + " a");
              return shard;
            });
    assertRefused(List.of(images.get(0), byRow.get(1)), "its strategy matches candidates");
  }

  @Test
  public void imagesThatWereMixedUpAreRefused() {
    List<NavigableMap<byte[], byte[]>> images = images(TTL_OF_TWO);
    assertRefused(List.of(images.get(1), images.get(0)), "it has a key of shard 1");
  }

  @Test
  public void imagesThatLackARecordAreRefused() {
    for (int i = 0; i < images(TTL_OF_TWO).get(0).size(); i++) {
      List<NavigableMap<byte[], byte[]>> images = images(TTL_OF_TWO);
      byte[] key = images.get(0).keySet().toArray(byte[][]::new)[i];
      if (key[0] != RecordKeys.INDEX) {
        images.get(0).remove(key);
        assertRefused(images, "Cannot re-shard shard 0 of 2");
      }
    }
  }

  @Test
  public void keysGoWhereTheirHashNames() {
    byte[] key = "hello, world".getBytes(UTF_8);
    assertThat(Shards.of(key, 0, key.length, 1_000), is(0x149bbb7f % 1_000));
    assertThat(Shards.describe(8, "rows"), is("8 shards; rows"));
  }
}
