package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.arrow.ArrowAllocators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Each key of a load is there once, with its last row, however many rows there are. */
@RunWith(JUnit4.class)
public class LoadBuilderTest {
  private static final int PARTS = 9;

  @Test
  public void lastRowOfEachKeyIsLeftOfFewRows() throws Exception {
    check(20, 15);
  }

  @Test
  public void lastRowOfEachKeyIsLeftOfManyRows() throws Exception {
    check(6_000, 30_000);
  }

  @Test
  public void lastRowOfEachKeyIsLeftWhereAllKeysComeAgain() throws Exception {
    check(4_000, 4_000);
  }

  /** Parts of so many rows each, with keys from so many; amounts count up over all of them. */
  private static void check(int rowsOfPart, int keys) throws Exception {
    Random random = new Random(rowsOfPart);
    Map<Long, Integer> expected = new HashMap<>();
    try (Shop shop = Shop.open();
        BufferAllocator allocator = ArrowAllocators.child("LoadBuilderTest")) {
      int amount = 0;
      List<List<Row>> bundles = new ArrayList<>();
      for (int part = 0; part < PARTS; part++) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < rowsOfPart; i++) {
          long id = random.nextInt(keys);
          expected.put(id, ++amount);
          rows.add(Shop.order(id, "order " + amount, amount));
        }
        bundles.add(rows);
      }
      ShardKey shard = ShardKey.of(Shop.ORDERS, 0);
      try (LoadBuilder load = new LoadBuilder(shard, null, allocator)) {
        for (Part part : parts(shop, bundles)) {
          load.add(part);
        }
        int given = load.rows();
        LoadBody body = load.build(1);

        Map<Long, Integer> found = new HashMap<>();
        for (byte[] stream : body.streams()) {
          read(stream, allocator, found);
        }
        assertThat(found, is(expected));
        assertThat(body.rows(), is(expected.size()));
        assertThat(given, greaterThan(body.rows()));
      }
    }
    assertThat(ArrowAllocators.outstandingBytes(), is(0L));
  }

  private static void read(byte[] stream, BufferAllocator allocator, Map<Long, Integer> into)
      throws Exception {
    try (ArrowStreamReader reader = BatchStreams.open(stream, allocator)) {
      BigIntVector ids = (BigIntVector) reader.getVectorSchemaRoot().getVector("id");
      IntVector amounts = (IntVector) reader.getVectorSchemaRoot().getVector("amount");
      for (int row = 0; row < ids.getValueCount(); row++) {
        assertThat("twice", into.put(ids.get(row), amounts.get(row)), is(nullValue()));
      }
    }
  }

  /** One part of each bundle. */
  private static List<Part> parts(Shop shop, List<List<Row>> bundles) throws Exception {
    WriteSettings settings = FaultRunsTest.settings(shop, "builder");
    TupleTag<KV<ShardKey, Part>> tag = new TupleTag<>("parts");
    PackFn<Row> fn =
        new PackFn<>(
            new WriteSettings(
                settings.cluster(),
                settings.rules().toBuilder().changes(false).build(),
                LoadLimits.of(1_000_000, 64 << 20, 60_000),
                Shards.of(1),
                settings.labelPrefix(),
                settings.headers(),
                false,
                settings.clock()),
            row -> Shop.ORDERS,
            Shop.SCHEMA,
            RowCoder.of(Shop.SCHEMA),
            tag,
            new TupleTag<BadRecord>("failed"));
    fn.setup();
    List<Part> parts = new ArrayList<>();
    StageFakes.Outputs out = new StageFakes.Outputs();
    try {
      for (List<Row> bundle : bundles) {
        for (Row row : bundle) {
          fn.process(row, Instant.EPOCH, out);
        }
        fn.finish(out.finishOf(fn, tag));
        out.take(tag).forEach(part -> parts.add(part.getValue()));
      }
    } finally {
      fn.teardown();
    }
    return parts;
  }
}
