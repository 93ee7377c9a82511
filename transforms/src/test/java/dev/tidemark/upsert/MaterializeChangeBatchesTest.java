package dev.tidemark.upsert;

import static dev.tidemark.change.ChangeKind.DELETE;
import static dev.tidemark.change.ChangeKind.INSERT;
import static dev.tidemark.change.ChangeKind.UPDATE_AFTER;
import static dev.tidemark.change.ChangeKind.UPDATE_BEFORE;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.Iterables;
import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ArrowSchemas;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchBuilder;
import dev.tidemark.arrow.ChangeBatchCoder;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.arrow.RowReader;
import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import dev.tidemark.change.LogPosition.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The n-th change fed has log position and timestamp n. */
@RunWith(JUnit4.class)
public class MaterializeChangeBatchesTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("customer")
          .addNullableInt64Field("order")
          .addField("note", FieldType.logicalType(new CountedText()).withNullable(true))
          .build();

  private static final MaterializeUpserts BY_ROW =
      MaterializeUpserts.create().withSinkKey("customer").withShards(1);
  private static final MaterializeUpserts BY_ORDER = BY_ROW.withUpsertKey("order");

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  /** Text that counts how often a row with it was made. */
  private static final class CountedText implements Schema.LogicalType<String, String> {
    static final AtomicLong DECODED = new AtomicLong();

    @Override
    public String getIdentifier() {
      return "tidemark:counted_text";
    }

    @Override
    public @Nullable FieldType getArgumentType() {
      return null;
    }

    @Override
    public FieldType getBaseType() {
      return FieldType.STRING;
    }

    @Override
    public String toBaseType(String input) {
      return input;
    }

    @Override
    public String toInputType(String base) {
      DECODED.incrementAndGet();
      return base;
    }
  }

  @After
  public void allMemoryWasGivenBack() {
    assertThat(ArrowAllocators.outstandingBytes(), equalTo(0L));
  }

  private static Change change(
      ChangeKind kind, long customer, @Nullable Long order, @Nullable String note) {
    return Change.of(kind, Row.withSchema(SCHEMA).addValues(customer, order, note).build());
  }

  private static Change keyOnlyDelete(long customer, Long order) {
    return change(DELETE, customer, order, null).withUnknownColumns(List.of("note"));
  }

  /** A batch of changes, the first of which has this number. */
  private static ChangeBatch batch(int first, Change... changes) {
    try (BufferAllocator allocator = ArrowAllocators.child("batch");
        ChangeBatchBuilder builder = ChangeBatchBuilder.of(SCHEMA, allocator)) {
      for (int i = 0; i < changes.length; i++) {
        int number = first + i;
        builder.add(
            changes[i].withPosition(LogPosition.of(number, Step.ADD, 0)),
            Instant.ofEpochMilli(number));
      }
      return builder.build();
    }
  }

  /** Feeds batches in order, each as a bundle of its own. */
  private PCollection<ChangeBatch> feed(ChangeBatch... batches) {
    TestStream.Builder<ChangeBatch> stream =
        TestStream.create(ChangeBatchCoder.of()).advanceWatermarkTo(Instant.EPOCH);
    for (ChangeBatch batch : batches) {
      stream = stream.addElements(batch);
    }
    return pipeline.apply(stream.advanceWatermarkToInfinity());
  }

  /** Changes as "position timestamp kind customer order note". */
  private static List<String> describe(ChangeBatch batch) {
    RowReader reader = RowReader.of(SCHEMA, batch.schema());
    List<String> changes = new ArrayList<>();
    try (BufferAllocator allocator = ArrowAllocators.child("describe");
        OpenChangeBatch open = batch.open(allocator)) {
      for (int i = 0; i < batch.rows(); i++) {
        Row row = reader.read(open.root(), i);
        changes.add(
            String.format(
                "%d %d %s %d %d %s",
                batch.position(i).lsn(),
                batch.timestampMillis(i),
                batch.kind(i).symbol(),
                row.getInt64("customer"),
                row.getInt64("order"),
                row.getLogicalTypeValue("note", String.class)));
      }
    }
    return changes;
  }

  /** Asserts all outputs; those of one shard come in order, whatever their batches. */
  private static void assertOutputs(MaterializeChangeBatchesResult result, String... expected) {
    PAssert.that(result.batches())
        .satisfies(
            batches -> {
              List<String> changes = new ArrayList<>();
              batches.forEach(batch -> changes.addAll(describe(batch)));
              changes.sort(
                  java.util.Comparator.comparingInt(
                      text -> Integer.parseInt(text.substring(0, text.indexOf(' ')))));
              assertThat(changes, equalTo(Arrays.asList(expected)));
              return null;
            });
  }

  private static void assertFailure(MaterializeChangeBatchesResult result, String reason) {
    PAssert.that(result.failed())
        .satisfies(
            failed -> {
              BadRecord record = Iterables.getOnlyElement(failed);
              assertThat(record.getFailure().getDescription(), containsString(reason));
              return null;
            });
  }

  private PipelineResult run() {
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  private static long counter(PipelineResult result, String name) {
    MetricResult<Long> counter =
        Iterables.getOnlyElement(
            result
                .metrics()
                .queryMetrics(
                    MetricsFilter.builder()
                        .addNameFilter(MetricNameFilter.named(MaterializeUpserts.class, name))
                        .build())
                .getCounters(),
            null);
    return counter == null ? 0 : counter.getAttempted();
  }

  @Test
  public void changesBecomeUpsertsAndDeletes() {
    MaterializeChangeBatchesResult result =
        feed(
                batch(
                    0,
                    change(INSERT, 1, 10L, "a"),
                    change(INSERT, 1, 11L, "b"),
                    change(INSERT, 2, 20L, "c")),
                batch(
                    3,
                    change(DELETE, 1, 11L, "b"),
                    change(DELETE, 2, 20L, "c"),
                    change(UPDATE_BEFORE, 1, 99L, "unmatched"),
                    change(UPDATE_AFTER, 1, 10L, "d")))
            .apply(BY_ORDER.onBatches(SCHEMA));

    assertOutputs(
        result,
        "0 0 +I 1 10 a",
        "1 1 +U 1 11 b",
        "2 2 +I 2 20 c",
        "3 3 +U 1 10 a",
        "4 4 -D 2 20 c",
        "6 6 +U 1 10 d");
    PAssert.that(result.failed()).empty();
    run();
  }

  @Test
  public void onlyRowsThatComeUpAgainAreDecoded() {
    feed(
            batch(0, change(INSERT, 1, 10L, "a"), change(INSERT, 1, 11L, "b")),
            batch(
                2,
                change(INSERT, 2, 20L, "c"),
                change(DELETE, 1, 11L, "b"),
                change(INSERT, 3, 30L, "d"),
                change(DELETE, 3, 30L, "d")))
        .apply(BY_ORDER.onBatches(SCHEMA));
    long before = CountedText.DECODED.get();

    PipelineResult result = run();

    assertThat(CountedText.DECODED.get() - before, equalTo(1L));
    assertThat(counter(result, "rollbacks"), equalTo(1L));
    assertThat(counter(result, "decodedRows"), equalTo(1L));
    assertThat(counter(result, "copiedRows"), equalTo(3L));
    assertThat(counter(result, "forwardedRows"), equalTo(2L));
  }

  @Test
  public void wholeBatchesComeOutWithTheirBytes() {
    ChangeBatch first = batch(0, change(INSERT, 1, 10L, "a"), change(INSERT, 2, 20L, "b"));
    ChangeBatch second = batch(2, change(UPDATE_AFTER, 1, 10L, "c"), change(DELETE, 2, 20L, "b"));
    byte[] firstBytes = first.ipc();
    byte[] secondBytes = second.ipc();
    MaterializeChangeBatchesResult output = feed(first, second).apply(BY_ORDER.onBatches(SCHEMA));
    PAssert.that(output.batches())
        .satisfies(
            batches -> {
              List<ChangeBatch> sorted = new ArrayList<>();
              batches.forEach(sorted::add);
              sorted.sort(java.util.Comparator.comparingLong(batch -> batch.timestampMillis(0)));
              assertThat(sorted.get(0).ipc(), equalTo(firstBytes));
              assertThat(sorted.get(1).ipc(), equalTo(secondBytes));
              assertThat(sorted.get(1).kind(0), equalTo(UPDATE_AFTER));
              return null;
            });

    PipelineResult result = run();

    assertThat(counter(result, "forwardedRows"), equalTo(4L));
    assertThat(counter(result, "copiedRows"), equalTo(0L));
  }

  @Test
  public void rowsOfManyBatchesFallIntoTheirShards() {
    List<ChangeBatch> batches = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batches.add(batch(2 * i, change(INSERT, i, 1L, "x"), change(INSERT, 100 + i, 1L, "y")));
      expected.add(String.format("%d %d +I %d 1 x", 2 * i, 2 * i, i));
      expected.add(String.format("%d %d +I %d 1 y", 2 * i + 1, 2 * i + 1, 100 + i));
    }

    MaterializeChangeBatchesResult result =
        feed(batches.toArray(ChangeBatch[]::new)).apply(BY_ORDER.withShards(8).onBatches(SCHEMA));

    assertOutputs(result, expected.toArray(String[]::new));
    run();
  }

  @Test
  public void deleteThatTellsItsKeysEmitsTheRowThatWasKept() {
    MaterializeChangeBatchesResult result =
        feed(batch(0, change(INSERT, 1, 10L, "a")), batch(1, keyOnlyDelete(1, 10L)))
            .apply(BY_ORDER.onBatches(SCHEMA));

    assertOutputs(result, "0 0 +I 1 10 a", "1 1 -D 1 10 a");
    PAssert.that(result.failed()).empty();
    run();
  }

  @Test
  public void retractionWithoutItsRowFailsWhereThereIsNoUpsertKey() {
    MaterializeChangeBatchesResult result =
        feed(batch(0, change(INSERT, 1, 10L, "a"), keyOnlyDelete(1, 10L)))
            .apply(BY_ROW.onBatches(SCHEMA));

    assertOutputs(result, "0 0 +I 1 10 a");
    assertFailure(
        result,
        "Cannot materialize change: -D does not tell columns [note]. Without an upsert key");
    run();
  }

  @Test
  public void insertsPassAsTheyAre() {
    ChangeBatch inserts = batch(0, change(INSERT, 1, 10L, "a"), change(INSERT, 1, 11L, "b"));
    MaterializeChangeBatchesResult result =
        feed(inserts).apply(BY_ORDER.withInsertOnly().onBatches(SCHEMA));

    PAssert.that(result.batches()).containsInAnyOrder(inserts);
    PAssert.that(result.failed()).empty();
    run();
  }

  @Test
  public void otherChangesFailWhereOnlyInsertsWereDeclared() {
    MaterializeChangeBatchesResult result =
        feed(batch(
                0,
                change(INSERT, 1, 10L, "a"),
                change(DELETE, 1, 10L, "a"),
                change(INSERT, 2, 20L, "b")))
            .apply(BY_ORDER.withInsertOnly().onBatches(SCHEMA));

    assertOutputs(result, "0 0 +I 1 10 a", "2 2 +I 2 20 b");
    assertFailure(result, "it is -D, but the input was declared to be inserts only");
    run();
  }

  @Test
  public void failedBatchGivesItsMemoryBack() {
    feed(batch(0, change(INSERT, 1, 10L, "a"), change(INSERT, 1, 11L, "b")))
        .apply(BY_ORDER.withHardBound(1, HardBound.FAIL).onBatches(SCHEMA));

    Pipeline.PipelineExecutionException e =
        assertThrows(Pipeline.PipelineExecutionException.class, this::run);

    assertThat(e.getMessage(), containsString("the hard bound is 1"));
  }

  @Test
  public void batchWithOtherColumnsFails() {
    Schema other = Schema.builder().addInt64Field("customer").addStringField("order").build();
    ChangeBatch batch;
    try (BufferAllocator allocator = ArrowAllocators.child("other");
        ChangeBatchBuilder builder = ChangeBatchBuilder.of(other, allocator)) {
      builder.add(INSERT, Row.withSchema(other).addValues(1L, "x").build());
      batch = builder.build();
    }
    feed(batch).apply(BY_ORDER.onBatches(SCHEMA));

    Pipeline.PipelineExecutionException e =
        assertThrows(Pipeline.PipelineExecutionException.class, this::run);

    assertThat(
        e.getMessage(),
        containsString("Cannot read column order: it has Utf8, and rows are to have INT64 there"));
  }

  @Test
  public void columnsThatRowsDoNotHaveFail() {
    Schema wider = Schema.builder().addFields(SCHEMA.getFields()).addStringField("more").build();
    UpsertEncodings encodings = BY_ORDER.encodings(SCHEMA);

    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ColumnEncoder.of(encodings, ArrowSchemas.of(wider)));

    assertThat(
        e.getMessage(),
        containsString("Cannot write column more: rows have no field of this name"));
  }

  @Test
  public void orderIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> BY_ORDER.withOrderBy("order").onBatches(SCHEMA));

    assertThat(e.getMessage(), containsString("Cannot order change batches by column order"));
  }

  @Test
  public void movesOfStateAreRefused() {
    for (MaterializeUpserts moving :
        List.of(BY_ORDER.withExport("to"), BY_ORDER.withInitialState("from"))) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> moving.onBatches(SCHEMA));

      assertThat(
          e.getMessage(), containsString("Remove withInitialState and withExport, or materialize"));
    }
  }

  @Test
  public void batchesHaveNoMoreRowsThanTheirLimit() {
    List<ChangeBatch> batches = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      batches.add(batch(i, change(INSERT, i % 7, (long) i, "n" + i)));
    }
    MaterializeChangeBatchesResult result =
        feed(batches.toArray(ChangeBatch[]::new))
            .apply(BY_ORDER.withShards(4).withBatchRows(2).onBatches(SCHEMA));
    PAssert.that(result.batches())
        .satisfies(
            all -> {
              int rows = 0;
              for (ChangeBatch each : all) {
                assertThat(each.rows() <= 2, equalTo(true));
                rows += each.rows();
              }
              assertThat(rows, equalTo(50));
              return null;
            });
    run();
  }
}
