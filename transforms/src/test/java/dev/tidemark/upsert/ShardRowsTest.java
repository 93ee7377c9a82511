package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.sameInstance;
import static org.junit.Assert.assertThrows;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchBuilder;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The shard of a row is what is added with it, its timestamp its number. */
@RunWith(JUnit4.class)
public class ShardRowsTest {
  private static final Schema SCHEMA = Schema.builder().addInt64Field("id").build();
  private static final BatchLimits LOOSE = BatchLimits.of(1_000, 1 << 20, 1_000);

  private final List<ShardRows.Batch> left = new ArrayList<>();

  @After
  public void allMemoryWasGivenBack() {
    assertThat(ArrowAllocators.outstandingBytes(), equalTo(0L));
  }

  private static ChangeBatch batch(int rows) {
    try (BufferAllocator allocator = ArrowAllocators.child("batch");
        ChangeBatchBuilder builder = ChangeBatchBuilder.of(SCHEMA, allocator)) {
      for (long i = 0; i < rows; i++) {
        builder.add(
            Change.of(ChangeKind.INSERT, Row.withSchema(SCHEMA).addValue(i).build()),
            Instant.ofEpochMilli(i));
      }
      return builder.build();
    }
  }

  private void add(ShardRows rows, ChangeBatch batch, long nowMillis, int... shards) {
    OpenChangeBatch open = rows.open(batch);
    for (int i = 0; i < shards.length; i++) {
      rows.add(shards[i], open, i, i, nowMillis, left::add);
    }
    rows.added(left::add);
  }

  private List<String> left() {
    return left.stream()
        .map(
            batch ->
                String.format(
                    "shard %d: %d rows from %d",
                    batch.shard(), batch.changes().rows(), batch.oldestTimestampMillis()))
        .toList();
  }

  @Test
  public void rowsLeaveByShardInOrderOfArrival() {
    try (ShardRows rows = new ShardRows(LOOSE, 1 << 20)) {
      add(rows, batch(3), 0, 7, 5, 7);
      add(rows, batch(2), 0, 5, 7);
      assertThat(left, empty());

      rows.releaseAll(left::add);

      assertThat(left(), contains("shard 7: 3 rows from 0", "shard 5: 2 rows from 0"));
      assertThat(left.get(0).changes().timestampMillis(1), equalTo(2L));
      assertThat(rows.outstandingBytes(), equalTo(0L));
    }
  }

  @Test
  public void fullBatchesLeave() {
    try (ShardRows rows = new ShardRows(BatchLimits.of(2, 1 << 20, 1_000), 1 << 20)) {
      add(rows, batch(4), 0, 1, 2, 1, 1);

      assertThat(left(), contains("shard 1: 2 rows from 0"));
      rows.releaseAll(left::add);
    }
  }

  @Test
  public void largeBatchesLeave() {
    ChangeBatch batch = batch(4);
    int bytes = 2 * (batch.ipc().length / 4);
    try (ShardRows rows = new ShardRows(BatchLimits.of(1_000, bytes, 1_000), 1 << 20)) {
      add(rows, batch, 0, 1, 2, 1, 1);

      assertThat(left(), contains("shard 1: 2 rows from 0"));
      rows.releaseAll(left::add);
    }
  }

  @Test
  public void oldBatchesLeave() {
    try (ShardRows rows = new ShardRows(LOOSE, 1 << 20)) {
      add(rows, batch(1), 0, 1);
      add(rows, batch(1), 600, 2);
      rows.releaseOld(999, left::add);
      assertThat(left, empty());

      rows.releaseOld(1_000, left::add);

      assertThat(left(), contains("shard 1: 1 rows from 0"));
      assertThat(rows.outstandingBytes(), greaterThan(0L));
      rows.releaseOld(100, left::add);
      assertThat(left().get(1), equalTo("shard 2: 1 rows from 0"));
      assertThat(rows.outstandingBytes(), equalTo(0L));
    }
  }

  @Test
  public void openBatchesAreBounded() {
    ChangeBatch batch = batch(1);
    try (ShardRows rows = new ShardRows(LOOSE, 3L * batch.ipc().length)) {
      for (int i = 0; i < 3; i++) {
        add(rows, batch, 0, i);
      }
      assertThat(left, empty());

      add(rows, batch, 0, 3);

      assertThat(left.size(), equalTo(4));
      assertThat(rows.outstandingBytes(), equalTo(0L));
    }
  }

  @Test
  public void wholeBatchLeavesWithItsBytes() {
    ChangeBatch batch = batch(3);
    try (ShardRows rows = new ShardRows(LOOSE, 1 << 20)) {
      add(rows, batch, 0, 4, 4, 4);
      rows.releaseAll(left::add);
    }

    assertThat(left.get(0).changes().ipc(), sameInstance(batch.ipc()));
  }

  @Test
  public void closingDropsRowsAndGivesMemoryBack() {
    ShardRows rows = new ShardRows(LOOSE, 1 << 20);
    add(rows, batch(3), 0, 1, 2, 3);

    rows.close();

    assertThat(left, empty());
  }

  @Test
  public void failingReceiverLeavesNothingBehind() {
    try (ShardRows rows = new ShardRows(LOOSE, 1 << 20)) {
      add(rows, batch(3), 0, 1, 2, 3);

      IllegalStateException e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  rows.releaseAll(
                      batch -> {
                        throw new IllegalStateException("receiver");
                      }));

      assertThat(e.getMessage(), containsString("receiver"));
    }
  }
}
