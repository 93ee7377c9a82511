package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchBuilder;
import dev.tidemark.arrow.ChangeBatchCoder;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.arrow.RowReader;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import dev.tidemark.change.LogPosition.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Random changelogs as single changes and as batches, by all strategies, with and without an upsert
 * key: each change emits the same, so that the tables are the same.
 */
@RunWith(JUnit4.class)
public class RowsAndBatchesPropertyTest {
  private static final int CHANGELOGS = Boolean.getBoolean("tidemark.long") ? 200 : 2;
  private static final int CHANGES = 400;
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("customer")
          .addNullableInt64Field("order")
          .addNullableDoubleField("rate")
          .addNullableStringField("note")
          .build();
  private static final double[] RATES = {0.0, -0.0, 1.5, Double.NaN};

  @Test
  public void batchesEmitWhatSingleChangesDo() {
    long base = Long.getLong("tidemark.seed", 17);
    for (int i = 0; i < CHANGELOGS; i++) {
      compare(base + i);
    }
    assertThat(ArrowAllocators.outstandingBytes(), equalTo(0L));
  }

  private static void compare(long seed) {
    Random random = new Random(seed);
    List<Change> changelog = changelog(random);
    TestPipeline pipeline = TestPipeline.create().enableAbandonedNodeEnforcement(false);
    PCollection<Change> changes = pipeline.apply("Changes", changes(changelog, ends(random)));
    PCollection<ChangeBatch> batches = pipeline.apply("Batches", batches(changelog, ends(random)));
    int shards = 1 + random.nextInt(5);
    List<PCollection<KV<String, String>>> outputs = new ArrayList<>();
    for (UpsertStrategy strategy : UpsertStrategy.values()) {
      for (String[] key : new String[][] {{}, {"order"}, {"order", "rate"}}) {
        MaterializeUpserts upserts =
            MaterializeUpserts.create()
                .withSinkKey("customer")
                .withStrategy(strategy)
                .withThresholds(5, 3)
                .withShards(shards)
                .withBatchRows(1 + random.nextInt(50));
        upserts = key.length == 0 ? upserts : upserts.withUpsertKey(key);
        String name = strategy + " " + String.join(",", key);
        outputs.add(
            changes
                .apply("Rows " + name, upserts)
                .changes()
                .apply("DescribeRows " + name, ParDo.of(new DescribeChangeFn(name)))
                .setCoder(KvCoder.of(StringUtf8Coder.of(), StringUtf8Coder.of())));
        outputs.add(
            batches
                .apply("Batches " + name, upserts.onBatches(SCHEMA))
                .batches()
                .apply("DescribeBatches " + name, ParDo.of(new DescribeBatchFn(name)))
                .setCoder(KvCoder.of(StringUtf8Coder.of(), StringUtf8Coder.of())));
      }
    }
    PCollection<KV<String, String>> all =
        PCollectionList.of(outputs).apply(org.apache.beam.sdk.transforms.Flatten.pCollections());
    PAssert.that(all)
        .satisfies(
            lines -> {
              Map<String, String> rows = new TreeMap<>();
              Map<String, String> columns = new TreeMap<>();
              for (KV<String, String> line : lines) {
                boolean row = line.getKey().startsWith("rows ");
                (row ? rows : columns)
                    .put(line.getKey().substring(line.getKey().indexOf(' ')), line.getValue());
              }
              assertThat("-Dtidemark.seed=" + seed, columns, equalTo(rows));
              assertThat(rows.size(), greaterThan(CHANGES));
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  /** Additions, retractions of what is there, updates, and retractions of what is not. */
  private static List<Change> changelog(Random random) {
    List<Change> changes = new ArrayList<>();
    List<Row> added = new ArrayList<>();
    while (changes.size() < CHANGES) {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          Row row = row(random);
          added.add(row);
          changes.add(Change.of(ChangeKind.INSERT, row));
        }
        case 2 -> changes.add(Change.of(ChangeKind.UPDATE_AFTER, row(random)));
        case 3 -> {
          if (!added.isEmpty()) {
            Row row = added.remove(random.nextInt(added.size()));
            changes.add(
                Change.of(
                    random.nextBoolean() ? ChangeKind.DELETE : ChangeKind.UPDATE_BEFORE, row));
          }
        }
        default -> {
          if (random.nextInt(4) == 0) {
            changes.add(Change.of(ChangeKind.DELETE, row(random)));
          }
        }
      }
    }
    return changes;
  }

  private static Row row(Random random) {
    return Row.withSchema(SCHEMA)
        .addValues(
            (long) random.nextInt(8),
            random.nextInt(10) == 0 ? null : (Long) (long) random.nextInt(12),
            random.nextInt(5) == 0 ? null : (Double) RATES[random.nextInt(RATES.length)],
            random.nextInt(5) == 0 ? null : "n" + random.nextInt(3))
        .build();
  }

  private static Change positioned(List<Change> changelog, int index) {
    return changelog.get(index).withPosition(LogPosition.of(index, Step.ADD, 0));
  }

  /** Where bundles, and batches, end. */
  private static List<Integer> ends(Random random) {
    List<Integer> ends = new ArrayList<>();
    for (int end = 0; end < CHANGES; ) {
      end = Math.min(CHANGES, end + 1 + random.nextInt(50));
      ends.add(end);
    }
    return ends;
  }

  private static TestStream<Change> changes(List<Change> changelog, List<Integer> ends) {
    TestStream.Builder<Change> stream =
        TestStream.create(ChangeCoder.of(SCHEMA)).advanceWatermarkTo(Instant.EPOCH);
    int begin = 0;
    for (int end : ends) {
      List<TimestampedValue<Change>> bundle = new ArrayList<>();
      for (int i = begin; i < end; i++) {
        bundle.add(TimestampedValue.of(positioned(changelog, i), Instant.ofEpochMilli(i)));
      }
      stream =
          stream.addElements(
              bundle.get(0),
              bundle.subList(1, bundle.size()).toArray(RowsAndBatchesPropertyTest.array()));
      begin = end;
    }
    return stream.advanceWatermarkToInfinity();
  }

  @SuppressWarnings("unchecked") // arrays of generic types cannot be made otherwise
  private static TimestampedValue<Change>[] array() {
    return (TimestampedValue<Change>[]) new TimestampedValue<?>[0];
  }

  private static TestStream<ChangeBatch> batches(List<Change> changelog, List<Integer> ends) {
    TestStream.Builder<ChangeBatch> stream =
        TestStream.create(ChangeBatchCoder.of()).advanceWatermarkTo(Instant.EPOCH);
    int begin = 0;
    try (BufferAllocator allocator = ArrowAllocators.child("batches");
        ChangeBatchBuilder builder = ChangeBatchBuilder.of(SCHEMA, allocator)) {
      for (int end : ends) {
        for (int i = begin; i < end; i++) {
          builder.add(positioned(changelog, i), Instant.ofEpochMilli(i));
        }
        stream = stream.addElements(builder.build());
        begin = end;
      }
    }
    return stream.advanceWatermarkToInfinity();
  }

  private static KV<String, String> line(
      String from, String name, LogPosition position, long millis, ChangeKind kind, Row row) {
    return KV.of(
        from + " " + name + " " + position.lsn(),
        millis + " " + kind.symbol() + " " + row.getValues());
  }

  private static final class DescribeChangeFn extends DoFn<Change, KV<String, String>> {
    private final String name;

    DescribeChangeFn(String name) {
      this.name = name;
    }

    @ProcessElement
    public void process(
        @Element Change change, @Timestamp Instant time, OutputReceiver<KV<String, String>> out) {
      out.output(
          line("rows", name, change.position(), time.getMillis(), change.kind(), change.row()));
    }
  }

  private static final class DescribeBatchFn extends DoFn<ChangeBatch, KV<String, String>> {
    private final String name;

    DescribeBatchFn(String name) {
      this.name = name;
    }

    @ProcessElement
    public void process(@Element ChangeBatch batch, OutputReceiver<KV<String, String>> out) {
      RowReader reader = RowReader.of(SCHEMA, batch.schema());
      try (BufferAllocator allocator = ArrowAllocators.child("describe");
          OpenChangeBatch open = batch.open(allocator)) {
        for (int i = 0; i < batch.rows(); i++) {
          out.output(
              line(
                  "batches",
                  name,
                  batch.position(i),
                  batch.timestampMillis(i),
                  batch.kind(i),
                  reader.read(open.root(), i)));
        }
      }
    }
  }
}
