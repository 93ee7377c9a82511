package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import com.google.common.hash.Hashing;
import dev.tidemark.runner.KeyGroups;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.util.CoderUtils;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ShardsTest {
  private static final int SHARDS = 4;

  /** Groups by a checksum. */
  private record ChecksumGroups(int count) implements KeyGroups {
    @Override
    public int groupOf(byte[] encodedKey) {
      return Integer.remainderUnsigned(Hashing.crc32c().hashBytes(encodedKey).asInt(), count);
    }
  }

  private static final ChecksumGroups GROUPS = new ChecksumGroups(128);

  private static final Shards SPREAD = new Shards(SHARDS, GROUPS);

  private static int groupOf(ShardKey key) throws Exception {
    return GROUPS.groupOf(CoderUtils.encodeToByteArray(new ShardKey.ShardKeyCoder(), key));
  }

  @Test
  public void shardsOfATableLieEquallyFarApart() throws Exception {
    Set<Integer> first = new HashSet<>();
    for (int number = 0; number < 40; number++) {
      List<ShardKey> keys = SPREAD.keysOf(DorisTable.of("shop", "orders_" + number).withKey("id"));
      assertThat(keys, hasSize(SHARDS));
      int before = groupOf(keys.get(0));
      first.add(before);
      for (int shard = 1; shard < SHARDS; shard++) {
        int group = groupOf(keys.get(shard));
        assertThat(Math.floorMod(group - before, 128), is(32));
        before = group;
      }
    }
    assertThat("tables begin at many groups", first.size(), greaterThan(10));
  }

  @Test
  public void everyInstanceGivesAShardTheSameKey() {
    DorisTable table = DorisTable.of("shop", "orders").withKey("id");
    List<ShardKey> keys = SPREAD.keysOf(table);
    assertThat(keys, is(new Shards(SHARDS, GROUPS).keysOf(table)));
    for (int shard = 0; shard < SHARDS; shard++) {
      assertThat(keys.get(shard).shard(), is(shard));
      assertThat(keys.get(shard).table(), is(table));
    }
  }

  @Test
  public void keysHaveNoSaltWhereGroupsAreNotKnown() {
    DorisTable table = DorisTable.of("shop", "orders").withKey("id");
    assertThat(Shards.of(2).keysOf(table), contains(ShardKey.of(table, 0), ShardKey.of(table, 1)));
  }
}
