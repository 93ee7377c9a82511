package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;

import com.google.common.collect.ImmutableList;
import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What the stages have under way is bounded by the limits of loads, however much comes. */
@RunWith(JUnit4.class)
public class BoundedMemoryTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final int ROWS = LONG ? 2_000_000 : 150_000;
  private static final long LOAD_BYTES = 256 << 10;

  private static WriteSettings settings(Shop shop) {
    WriteSettings settings = FaultRunsTest.settings(shop, "memory");
    return new WriteSettings(
        settings.cluster(),
        settings.rules().toBuilder().changes(false).build(),
        LoadLimits.of(1_000_000, LOAD_BYTES, 60_000),
        Shards.of(4),
        settings.labelPrefix(),
        settings.headers(),
        false,
        settings.clock());
  }

  @Test
  public void batchesOfManyTablesStayWithinTheirLimits() throws Exception {
    TupleTag<KV<ShardKey, Part>> parts = new TupleTag<>("parts");
    TupleTag<BadRecord> failed = new TupleTag<>("failed");
    try (Shop shop = Shop.open()) {
      List<DorisTable> tables = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        shop.doris.createTable(
            "CREATE TABLE shop.t"
                + i
                + " (id BIGINT NOT NULL, name VARCHAR(200), amount INT NOT NULL) UNIQUE KEY(id)");
        tables.add(DorisTable.of("shop", "t" + i).withKey("id"));
      }
      PackFn<Row> fn =
          new PackFn<>(
              settings(shop),
              row -> tables.get((int) (row.getInt64("id") % tables.size())),
              Shop.SCHEMA,
              RowCoder.of(Shop.SCHEMA),
              parts,
              failed);
      fn.setup();
      StageFakes.Outputs out = new StageFakes.Outputs();
      long most = 0;
      long sent = 0;
      try {
        for (long id = 0; id < ROWS; id++) {
          fn.process(Shop.order(id, "name ".repeat(10) + id, 1), Instant.EPOCH, out);
          most = Math.max(most, ArrowAllocators.outstandingBytes());
          for (KV<ShardKey, Part> part : out.take(parts)) {
            sent += part.getValue().rows();
          }
        }
        fn.finish(out.finishOf(fn, parts));
        for (KV<ShardKey, Part> part : out.take(parts)) {
          sent += part.getValue().rows();
        }
      } finally {
        fn.teardown();
      }
      assertThat(sent, is((long) ROWS));
      // Vectors grow by doubling; a part that is cut is there twice.
      assertThat(most, lessThan(4 * 8 * LOAD_BYTES));
      assertThat(most, greaterThan(LOAD_BYTES));
    }
    assertThat(ArrowAllocators.outstandingBytes(), is(0L));
  }

  /** What leaves a packer, and how much memory there was when it did. */
  private static final class Leaving implements RowPacker.Output {
    private int rows;
    private long mostBytes;

    @Override
    public void part(ShardKey shard, Part part, long timestampMillis) {
      rows += part.rows();
      mostBytes = Math.max(mostBytes, ArrowAllocators.outstandingBytes());
    }

    @Override
    public void failed(BadRecord record) {
      throw new AssertionError(record);
    }

    @Override
    public void rejected(DorisTable table, Object element, long rowMillis, String reason) {
      throw new AssertionError(reason);
    }
  }

  /** A block is as long as the rows before it let expect, so that one block may be too long. */
  @Test
  public void largeRowsAfterSmallOnesAreHeldInOneBlockAtMost() {
    int largeBytes = 1 << 20;
    String text = "x".repeat(largeBytes);
    try (Shop shop = Shop.open();
        RowPacker packer = new RowPacker(settings(shop), Shop.SCHEMA, new DorisWriteMetrics())) {
      Leaving first = new Leaving();
      for (long id = 0; id < 100; id++) {
        add(packer, Shop.order(id, "small", 1), first);
      }
      assertThat("small rows wait for more", first.rows, is(0));
      for (long id = 100; id < 100 + RowBlock.MOST_ROWS; id++) {
        add(packer, Shop.order(id, text, 1), first);
      }
      assertThat("larger than a part are all of them", first.rows, is(100 + RowBlock.MOST_ROWS));
      // Vectors grow by doubling.
      assertThat(first.mostBytes, lessThan((2L * RowBlock.MOST_ROWS + 1) * largeBytes));
      assertThat("not kept", ArrowAllocators.outstandingBytes(), lessThan(2 * LOAD_BYTES));

      Leaving later = new Leaving();
      for (int row = 1; row <= 3 * RowBlock.MOST_ROWS; row++) {
        add(packer, Shop.order(1_000 + row, text, 1), later);
        assertThat("each leaves at once", later.rows, is(row));
      }
      assertThat(later.mostBytes, lessThan(3L * largeBytes));
    }
    assertThat(ArrowAllocators.outstandingBytes(), is(0L));
  }

  private static void add(RowPacker packer, Row row, Leaving leaving) {
    packer.add(Shop.ORDERS, row, row, ChangeKind.UPDATE_AFTER.code(), 0, leaving);
  }

  @Test
  public void loadsUnderWayStayWithinTheirLimit() {
    try (BufferAllocator allocator = ArrowAllocators.child("test");
        OpenLoads loads =
            new OpenLoads(LoadLimits.of(1_000_000, LOAD_BYTES, 60_000), null, allocator)) {
      Part part = Part.appended(ImmutableList.of("id"), 1, new byte[64 << 10]);
      long[] left = new long[1];
      OpenLoads.Leaving leaving = (shard, body, sequence, timestamp) -> left[0] += body.bytes();
      long added = 0;
      for (int i = 0; i < 500; i++) {
        ShardKey shard = ShardKey.of(Shop.ORDERS, i % 40);
        if (!loads.makeRoom(shard, part, leaving)) {
          loads.begin(shard, 0, i, 0);
        }
        loads.add(shard, part, 0, leaving);
        added += part.stream().length;
        assertThat(added - left[0], lessThan(2 * LOAD_BYTES + 1));
      }
      loads.releaseAll(leaving);
      assertThat(left[0], is(added));
    }
  }
}
