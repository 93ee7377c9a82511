package dev.tidemark.runner;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.junit.Assert.assertThrows;

import com.google.common.hash.Hashing;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.beam.sdk.util.SerializableUtils;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class BalancedKeysTest {
  private static final int MOST_WORKERS = 64;

  /** Groups by a checksum. */
  private record ChecksumGroups(int count) implements KeyGroups {
    @Override
    public int groupOf(byte[] encodedKey) {
      return Integer.remainderUnsigned(Hashing.crc32c().hashBytes(encodedKey).asInt(), count);
    }
  }

  private static byte[] encode(int shard, int number) {
    return (shard + "/" + number).getBytes(US_ASCII);
  }

  private static BalancedKeys distinct(int shards, int groups) {
    return BalancedKeys.distinct(new ChecksumGroups(groups), shards, BalancedKeysTest::encode);
  }

  private static int most(int[] groupsOfShards, int groups, int workers) {
    int[] counts = new int[workers];
    for (int group : groupsOfShards) {
      counts[group * workers / groups]++;
    }
    return Arrays.stream(counts).max().orElseThrow();
  }

  private static int[] groupsOfDistinct(int shards, int groups) {
    BalancedKeys keys = distinct(shards, groups);
    int[] result = new int[shards];
    for (int shard = 0; shard < shards; shard++) {
      result[shard] = new ChecksumGroups(groups).groupOf(encode(0, keys.number(shard)));
    }
    return result;
  }

  @Test
  public void noWorkerHasMoreThanItsShareWhereShardsDivideGroups() {
    int[][] shardsAndGroups = {{1024, 1024}, {1024, 4096}, {48, 96}, {7, 7}, {60, 120}, {1, 128}};
    for (int[] pair : shardsAndGroups) {
      int[] placed = groupsOfDistinct(pair[0], pair[1]);
      for (int workers = 1; workers <= Math.min(MOST_WORKERS, pair[1]); workers++) {
        int share = (pair[0] + workers - 1) / workers;
        assertThat(
            Arrays.toString(pair) + " among " + workers,
            most(placed, pair[1], workers),
            lessThanOrEqualTo(share));
      }
    }
  }

  @Test
  public void tablesBeginAtDifferentGroupsAndEachStaysBalanced() {
    int groups = 128;
    Set<Integer> firstGroups = new HashSet<>();
    for (int shards : new int[] {1, 2, 4, 8, 16, 32, 64}) {
      for (int turn = -20; turn < 20; turn++) {
        BalancedKeys keys =
            BalancedKeys.perShard(
                new ChecksumGroups(groups), shards, turn, BalancedKeysTest::encode);
        int[] placed = new int[shards];
        for (int shard = 0; shard < shards; shard++) {
          placed[shard] = new ChecksumGroups(groups).groupOf(encode(shard, keys.number(shard)));
        }
        if (shards == 4) {
          firstGroups.add(placed[0]);
        }
        for (int workers = 1; workers <= MOST_WORKERS; workers++) {
          assertThat(
              shards + " shards, turn " + turn + ", among " + workers,
              most(placed, groups, workers),
              lessThanOrEqualTo((shards + workers - 1) / workers));
        }
      }
    }
    assertThat(firstGroups.size(), greaterThan(10));
  }

  @Test
  public void otherNumbersOfGroupsSpreadAsTheTableSays() {
    int[] counts = BalancedKeys.shardsOfWorkers(1_024, 128, 3);
    assertThat(Arrays.toString(counts), is("[344, 344, 336]"));
    assertThat(most(groupsOfDistinct(1_024, 128), 128, 3), is(344));
    assertThat(most(groupsOfDistinct(10, 4), 4, 2), is(5));
  }

  @Test
  public void shardIsToldByItsNumberAlsoAfterATransfer() {
    BalancedKeys keys = SerializableUtils.clone(distinct(1_024, 2_048));
    Set<Integer> numbers = new HashSet<>();
    for (int shard = 0; shard < 1_024; shard++) {
      assertThat(keys.shard(keys.number(shard)), is(shard));
      numbers.add(keys.number(shard));
    }
    assertThat(numbers.size(), is(1_024));
  }

  @Test
  public void numberOfNoShardIsRefused() {
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> distinct(4, 128).shard(1_000_000));
    assertThat(
        e.getMessage(),
        containsString("Cannot tell the shard of key 1000000: it is none of 4 shards in 128 key"));
  }

  @Test
  public void groupThatNoKeyFallsIntoIsReportedInsteadOfSearchedForEver() {
    KeyGroups constant =
        new KeyGroups() {
          @Override
          public int count() {
            return 2;
          }

          @Override
          public int groupOf(byte[] encodedKey) {
            return 0;
          }
        };
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () -> BalancedKeys.distinct(constant, 2, BalancedKeysTest::encode));
    assertThat(e.getMessage(), containsString("Cannot choose keys for 2 key groups"));
  }
}
