package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ShardBuffersTest {
  private static final byte[] NOTHING = new byte[0];

  private final List<String> left = new ArrayList<>();
  private final List<byte[]> bytesLeft = new ArrayList<>();

  private void add(ShardBuffers buffers, int shard, int bytes, long nowMillis) {
    buffers.releaseOld(nowMillis, this::leave);
    KeyedChanges.Builder changes = buffers.changes(shard, nowMillis);
    changes.add(ChangeKind.INSERT, NOTHING, null, new byte[bytes], true, NOTHING);
    buffers.added(bytes, 1_000 - nowMillis, this::leave);
  }

  private void leave(ShardBuffers.Batch batch) {
    bytesLeft.add(batch.changes().data());
    left.add(
        String.format(
            "%d:%d@%d", batch.shard(), batch.changes().size(), batch.oldestTimestampMillis()));
  }

  private static ShardBuffers buffers(int rows, int bytes, long ageMillis) {
    return new ShardBuffers(BatchLimits.of(rows, bytes, ageMillis), 10);
  }

  @Test
  public void batchLeavesByRows() {
    ShardBuffers buffers = buffers(2, 1_000, 1_000);
    add(buffers, 7, 1, 0);
    add(buffers, 8, 1, 1);
    add(buffers, 7, 1, 2);
    assertThat(left, is(List.of("7:2@998")));
  }

  @Test
  public void batchLeavesByBytes() {
    ShardBuffers buffers = buffers(100, 10, 1_000);
    add(buffers, 7, 9, 0);
    add(buffers, 8, 10, 0);
    add(buffers, 7, 1, 0);
    assertThat(left, is(List.of("8:1@1000", "7:2@1000")));
  }

  @Test
  public void oldBatchLeavesWhenAChangeOfAnyShardArrives() {
    ShardBuffers buffers = buffers(100, 1_000, 50);
    add(buffers, 1, 1, 0);
    add(buffers, 2, 1, 20);
    add(buffers, 1, 1, 49);
    add(buffers, 3, 1, 50);
    assertThat(left, is(List.of("1:2@951")));
  }

  @Test
  public void batchLeavesWhenTheClockIsSetBack() {
    ShardBuffers buffers = buffers(100, 1_000, 50);
    add(buffers, 1, 1, 100);
    add(buffers, 2, 1, 90);
    assertThat(left, is(List.of("1:1@900")));
  }

  @Test
  public void ageOfZeroLetsGoEachChangeWithTheNext() {
    ShardBuffers buffers = buffers(100, 1_000, 0);
    add(buffers, 1, 1, 0);
    add(buffers, 1, 1, 0);
    assertThat(left, is(List.of("1:1@1000")));
  }

  @Test
  public void allLeaveInTheOrderInWhichTheyBegan() {
    ShardBuffers buffers = buffers(100, 1_000, 50);
    for (int shard : new int[] {9, 3, 5, 3, 9}) {
      add(buffers, shard, 1, 0);
    }
    buffers.releaseAll(this::leave);
    assertThat(left, is(List.of("9:2@1000", "3:2@1000", "5:1@1000")));
  }

  @Test
  public void batchThatLeavesFromTheMiddleKeepsTheOrderOfTheOthers() {
    ShardBuffers buffers = buffers(2, 1_000, 50);
    for (int shard : new int[] {1, 2, 3, 2, 4, 2}) {
      add(buffers, shard, 1, 0);
    }
    buffers.releaseAll(this::leave);
    assertThat(left, is(List.of("2:2@1000", "1:1@1000", "3:1@1000", "4:1@1000", "2:1@1000")));
  }

  @Test
  public void batchThatLeftStaysAsItIs() {
    ShardBuffers buffers = buffers(1, 1_000, 50);
    for (int value = 1; value <= 3; value++) {
      KeyedChanges.Builder changes = buffers.changes(1, 0);
      changes.add(ChangeKind.INSERT, NOTHING, null, new byte[] {(byte) value}, true, NOTHING);
      buffers.added(1, 0, this::leave);
    }
    assertThat(bytesLeft.stream().map(Arrays::toString).toList(), is(List.of("[1]", "[2]", "[3]")));
  }

  @Test
  public void oldestLeavesWhenAllTogetherAreTooLarge() {
    int third = (int) (ShardBuffers.MAX_BYTES / 3);
    ShardBuffers buffers = buffers(100, 2 * third, 50);
    for (int shard = 1; shard <= 5; shard++) {
      add(buffers, shard, third, 0);
    }
    assertThat(left, is(List.of("1:1@1000", "2:1@1000")));
  }
}
