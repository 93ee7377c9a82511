package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.google.common.hash.Hashing;
import dev.tidemark.runner.KeyGroups;
import java.util.HashSet;
import java.util.Set;
import org.apache.beam.sdk.util.CoderUtils;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class PlaceShardsFnTest {
  private static final int SHARDS = 4;

  /** Groups by a checksum. */
  private record ChecksumGroups(int count) implements KeyGroups {
    @Override
    public int groupOf(byte[] encodedKey) {
      return Integer.remainderUnsigned(Hashing.crc32c().hashBytes(encodedKey).asInt(), count);
    }
  }

  private static final ChecksumGroups GROUPS = new ChecksumGroups(128);

  private static PlaceShardsFn fn() {
    PlaceShardsFn fn = new PlaceShardsFn(GROUPS, SHARDS);
    fn.setup();
    return fn;
  }

  private static int groupOf(ShardKey key) throws Exception {
    return GROUPS.groupOf(CoderUtils.encodeToByteArray(new ShardKey.ShardKeyCoder(), key));
  }

  @Test
  public void shardsOfATableLieEquallyFarApart() throws Exception {
    PlaceShardsFn fn = fn();
    Set<Integer> first = new HashSet<>();
    for (int number = 0; number < 40; number++) {
      DorisTable table = DorisTable.of("shop", "orders_" + number).withKey("id");
      int before = groupOf(fn.place(ShardKey.of(table, 0)));
      first.add(before);
      for (int shard = 1; shard < SHARDS; shard++) {
        int group = groupOf(fn.place(ShardKey.of(table, shard)));
        assertThat(Math.floorMod(group - before, 128), is(32));
        before = group;
      }
    }
    assertThat("tables begin at many groups", first.size(), greaterThan(10));
  }

  @Test
  public void everyInstanceGivesAShardTheSameKey() {
    ShardKey shard = ShardKey.of(DorisTable.of("shop", "orders").withKey("id"), 3);
    assertThat(fn().place(shard), is(fn().place(shard)));
    assertThat(fn().place(shard).shard(), is(3));
    assertThat(fn().place(shard).table(), is(shard.table()));
  }
}
