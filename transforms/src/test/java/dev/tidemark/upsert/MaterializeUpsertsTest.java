package dev.tidemark.upsert;

import static dev.tidemark.change.ChangeKind.DELETE;
import static dev.tidemark.change.ChangeKind.INSERT;
import static dev.tidemark.change.ChangeKind.UPDATE_AFTER;
import static dev.tidemark.change.ChangeKind.UPDATE_BEFORE;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import dev.tidemark.change.LogPosition.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.errorhandling.ErrorHandler;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * The n-th change fed has log position and timestamp n, so that outputs tell which change caused
 * them. A test stream keeps the order, which the direct runner's other sources do not.
 */
@RunWith(JUnit4.class)
public class MaterializeUpsertsTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("customer")
          .addNullableInt64Field("order")
          .addNullableStringField("note")
          .addNullableInt64Field("seq")
          .addNullableDoubleField("rate")
          .build();

  private static final MaterializeUpserts BY_ROW =
      MaterializeUpserts.create().withSinkKey("customer");
  private static final MaterializeUpserts BY_ORDER = BY_ROW.withUpsertKey("order");

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  private static Row row(long customer, @Nullable Long order, @Nullable String note) {
    return Row.withSchema(SCHEMA).addValues(customer, order, note, null, null).build();
  }

  private static Change change(ChangeKind kind, long customer, Long order, String note) {
    return Change.of(kind, row(customer, order, note));
  }

  private static Change sequenced(ChangeKind kind, Long order, Long seq) {
    return Change.of(
        kind, Row.withSchema(SCHEMA).addValues(1L, order, "o" + order, seq, null).build());
  }

  private static Change rated(ChangeKind kind, double rate) {
    return Change.of(kind, Row.withSchema(SCHEMA).addValues(1L, 1L, null, null, rate).build());
  }

  private static Change keyOnlyDelete(long customer, Long order) {
    return change(DELETE, customer, order, null).withUnknownColumns(List.of("note", "rate"));
  }

  private static TestStream.Builder<Change> stream() {
    return TestStream.create(ChangeCoder.of(SCHEMA)).advanceWatermarkTo(Instant.EPOCH);
  }

  private static TimestampedValue<Change> at(int millis, Change change) {
    return TimestampedValue.of(
        change.withPosition(LogPosition.of(millis, Step.ADD, 0)), Instant.ofEpochMilli(millis));
  }

  /** Feeds changes in order, each as a bundle of its own. */
  private PCollection<Change> feed(Change... changes) {
    TestStream.Builder<Change> stream = stream();
    for (int i = 0; i < changes.length; i++) {
      stream = stream.addElements(at(i, changes[i]));
    }
    return pipeline.apply(stream.advanceWatermarkToInfinity());
  }

  /** Feeds changes in order, in one bundle. */
  private PCollection<Change> feedAtOnce(Change... changes) {
    List<TimestampedValue<Change>> rest = new ArrayList<>();
    for (int i = 1; i < changes.length; i++) {
      rest.add(at(i, changes[i]));
    }
    return pipeline.apply(
        stream()
            .addElements(at(0, changes[0]), rest.<TimestampedValue<Change>>toArray(array()))
            .advanceWatermarkToInfinity());
  }

  @SuppressWarnings("unchecked") // arrays of generic types cannot be made otherwise
  private static TimestampedValue<Change>[] array() {
    return (TimestampedValue<Change>[]) new TimestampedValue<?>[0];
  }

  /** Asserts all outputs as "position kind note", in the order of the changes that caused them. */
  private static void assertOutputs(MaterializeUpsertsResult result, String... expected) {
    PAssert.that(result.changes())
        .satisfies(
            changes -> {
              assertThat(inOrder(changes), equalTo(Arrays.asList(expected)));
              return null;
            });
  }

  private static List<String> inOrder(Iterable<Change> changes) {
    return StreamSupport.stream(changes.spliterator(), false)
        .sorted(Comparator.comparing(Change::position))
        .map(
            change ->
                String.format(
                    "%d %s %s",
                    change.position().lsn(),
                    change.kind().symbol(),
                    change.row().getString("note")))
        .toList();
  }

  private static void assertNoFailures(MaterializeUpsertsResult result) {
    PAssert.that(result.failed()).empty();
  }

  private static void assertFailures(MaterializeUpsertsResult result, String... reasons) {
    PAssert.that(result.failed())
        .satisfies(
            failed -> {
              List<String> left = new ArrayList<>(Arrays.asList(reasons));
              for (BadRecord record : failed) {
                String description = record.getFailure().getDescription();
                assertThat(description, left.removeIf(description::contains));
              }
              assertThat(left, is(List.of()));
              return null;
            });
  }

  private PipelineResult run() {
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  private static MetricQueryResults metrics(PipelineResult result, String name) {
    return result
        .metrics()
        .queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.named(MaterializeUpserts.class, name))
                .build());
  }

  private static long counter(PipelineResult result, String name) {
    MetricResult<Long> counter =
        Iterables.getOnlyElement(metrics(result, name).getCounters(), null);
    return counter == null ? 0 : counter.getAttempted();
  }

  private static DistributionResult distribution(PipelineResult result, String name) {
    return Iterables.getOnlyElement(metrics(result, name).getDistributions()).getAttempted();
  }

  // What changes emit.

  @Test
  public void candidatesOfASinkKeyFollowEachOther() {
    MaterializeUpsertsResult result =
        feed(
                change(INSERT, 1, 10L, "a"),
                change(INSERT, 1, 11L, "b"),
                change(DELETE, 1, 11L, "b"),
                change(UPDATE_BEFORE, 1, 10L, "a"),
                change(UPDATE_AFTER, 1, 10L, "c"))
            .apply(BY_ROW);
    assertOutputs(result, "0 +I a", "1 +U b", "2 +U a", "3 -D a", "4 +I c");
    assertNoFailures(result);
    PipelineResult run = run();
    assertThat(counter(run, "additions"), is(3L));
    assertThat(counter(run, "retractions"), is(2L));
    assertThat(counter(run, "inserts"), is(2L));
    assertThat(counter(run, "updates"), is(2L));
    assertThat(counter(run, "deletes"), is(1L));
    assertThat(counter(run, "rollbacks"), is(1L));
    assertThat(counter(run, "keyGrowth"), is(1L));
    assertThat(counter(run, "candidateGrowth"), is(1L));
    assertThat(distribution(run, "longestList").getMax(), is(2L));
  }

  @Test
  public void changesOfOneBatchAreProcessedInOrder() {
    MaterializeUpsertsResult result =
        feedAtOnce(
                change(INSERT, 1, 10L, "a"),
                change(INSERT, 2, 20L, "x"),
                change(INSERT, 1, 11L, "b"),
                change(DELETE, 1, 10L, "a"),
                change(DELETE, 2, 20L, "x"),
                change(DELETE, 1, 11L, "b"))
            .apply(BY_ROW.withShards(1));
    assertOutputs(result, "0 +I a", "1 +I x", "2 +U b", "4 -D x", "5 -D b");
    PipelineResult run = run();
    assertThat(counter(run, "silentRetractions"), is(1L));
    assertThat(distribution(run, "batchRows"), is(DistributionResult.create(6, 1, 6, 6)));
    assertThat(distribution(run, "packedRows"), is(DistributionResult.create(6, 1, 6, 6)));
  }

  @Test
  public void additionReplacesTheCandidateOfItsUpsertKey() {
    MaterializeUpsertsResult result =
        feed(
                change(INSERT, 1, 10L, "a"),
                change(INSERT, 1, 11L, "b"),
                change(UPDATE_AFTER, 1, 10L, "a2"),
                change(DELETE, 1, 11L, "whatever"),
                change(DELETE, 1, 10L, "last words"))
            .apply(BY_ORDER);
    assertOutputs(result, "0 +I a", "1 +U b", "2 +U a2", "3 +U a2", "4 -D last words");
    assertThat(counter(run(), "olderSlotReplacements"), is(1L));
  }

  @Test
  public void deleteThatTellsItsKeyOnlyIsEmittedWithTheRowThatWasKept() {
    MaterializeUpsertsResult result =
        feed(change(INSERT, 1, 10L, "a"), keyOnlyDelete(1, 10L)).apply(BY_ORDER);
    assertOutputs(result, "0 +I a", "1 -D a");
    PAssert.that(result.changes())
        .satisfies(
            changes -> {
              changes.forEach(change -> assertThat(change.imageComplete(), is(true)));
              return null;
            });
    assertNoFailures(result);
    run();
  }

  @Test
  public void nullIsASinkKeyLikeAnyOther() {
    MaterializeUpsertsResult result =
        feed(
                change(INSERT, 1, null, "a"),
                change(INSERT, 2, null, "b"),
                change(DELETE, 2, null, "b"))
            .apply(MaterializeUpserts.create().withSinkKey("order"));
    assertOutputs(result, "0 +I a", "1 +U b", "2 +U a");
    run();
  }

  @Test
  public void outputsHaveTheTimestampOfTheirCause() {
    PCollection<String> timestamps =
        feedAtOnce(
                change(INSERT, 1, 10L, "a"),
                change(INSERT, 1, 11L, "b"),
                change(DELETE, 1, 11L, "b"))
            .apply(BY_ROW)
            .changes()
            .apply(ParDo.of(new TimestampFn()))
            .setCoder(StringUtf8Coder.of());
    PAssert.that(timestamps).containsInAnyOrder("0a", "1b", "2a");
    run();
  }

  private static final class TimestampFn extends DoFn<Change, String> {
    @ProcessElement
    public void process(
        @Element Change change, @Timestamp Instant timestamp, OutputReceiver<String> out) {
      out.output(timestamp.getMillis() + change.row().getString("note"));
    }
  }

  @Test
  public void unmatchedRetractionsAreCountedByWhetherTheirKeyIsKnown() {
    MaterializeUpsertsResult result =
        feed(
                change(INSERT, 1, 10L, "a"),
                change(DELETE, 1, 10L, "not a"),
                change(DELETE, 2, 10L, "a"),
                change(DELETE, 3, 10L, "a"))
            .apply(BY_ROW);
    assertOutputs(result, "0 +I a");
    PipelineResult run = run();
    assertThat(counter(run, "unmatchedKeyKnown"), is(1L));
    assertThat(counter(run, "unmatchedKeyAbsent"), is(2L));
  }

  // What cannot be processed.

  @Test
  public void additionWithoutItsWholeRowFails() {
    MaterializeUpsertsResult result =
        feed(
                change(INSERT, 1, 10L, "a"),
                change(UPDATE_AFTER, 1, 10L, null).withUnknownColumns(List.of("note")))
            .apply(BY_ORDER);
    assertOutputs(result, "0 +I a");
    assertFailures(
        result,
        "Cannot materialize change: +U does not tell columns [note], and an addition has to tell the whole row");
    assertThat(counter(run(), "failedChanges"), is(1L));
  }

  @Test
  public void retractionWithoutItsWholeRowFailsIfThereIsNoUpsertKey() {
    MaterializeUpsertsResult result = feed(keyOnlyDelete(1, 10L)).apply(BY_ROW);
    assertFailures(
        result,
        "-D does not tell columns [note, rate]. Without an upsert key a retraction has to tell the whole row");
    run();
  }

  @Test
  public void retractionWithoutItsUpsertKeyFails() {
    MaterializeUpsertsResult result =
        feed(change(DELETE, 1, null, null).withUnknownColumns(List.of("order", "note")))
            .apply(BY_ORDER);
    assertFailures(result, "-D does not tell columns [order]. A retraction has to tell sink key");
    run();
  }

  @Test
  public void failedChangeCanBeDecodedAndShowsNoValues() {
    Change failing = keyOnlyDelete(1, 10L).withPosition(LogPosition.of(0, Step.ADD, 0));
    String expected = failing.toString();
    PAssert.thatSingleton(feed(failing).apply(BY_ROW).failed())
        .satisfies(
            record -> {
              assertThat(
                  record.getRecord().getHumanReadableJsonRecord(),
                  is("{\"kind\":\"-D\",\"position\":\"0/0 ADD 0\"}"));
              assertThat(decode(record).toString(), is(expected));
              return null;
            });
    run();
  }

  private static Change decode(BadRecord record) {
    try {
      return CoderUtils.decodeFromByteArray(
          ChangeCoder.of(SCHEMA), record.getRecord().getEncodedRecord());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void handlerGetsFailedChanges() throws Exception {
    ErrorHandler.BadRecordErrorHandler<PCollection<Long>> handler =
        pipeline.registerBadRecordErrorHandler(new CountFailures());
    try (handler) {
      pipeline
          .apply(Create.of(keyOnlyDelete(1, 10L)).withCoder(ChangeCoder.of(SCHEMA)))
          .apply(BY_ROW.withBadRecordErrorHandler(handler));
    }
    PAssert.thatSingleton(handler.getOutput()).isEqualTo(1L);
    run();
  }

  private static final class CountFailures
      extends PTransform<PCollection<BadRecord>, PCollection<Long>> {
    @Override
    public PCollection<Long> expand(PCollection<BadRecord> failed) {
      return failed.apply(Count.globally()).setCoder(VarLongCoder.of());
    }
  }

  // Inserts only.

  @Test
  public void insertsPassThroughWhereThereIsNothingElse() {
    MaterializeUpsertsResult result =
        feed(change(INSERT, 1, 10L, "a"), change(INSERT, 1, 10L, "b"), change(DELETE, 1, 10L, "b"))
            .apply(BY_ROW.withInsertOnly());
    assertOutputs(result, "0 +I a", "1 +I b");
    assertFailures(result, "it is -D, but the input was declared to be inserts only");
    PipelineResult run = run();
    assertThat(counter(run, "additions"), is(0L));
    assertThat(counter(run, "failedChanges"), is(1L));
  }

  // Order.

  @Test
  public void changesAreSortedByTheirSequenceUpToTheWatermark() {
    PCollection<Change> input =
        pipeline.apply(
            stream()
                .addElements(at(4, sequenced(DELETE, 11L, 4L)))
                .addElements(at(1, sequenced(INSERT, 10L, 1L)))
                .addElements(at(3, sequenced(INSERT, 11L, 3L)), at(2, sequenced(DELETE, 10L, 2L)))
                .addElements(at(11, sequenced(INSERT, 12L, 11L)))
                .advanceWatermarkTo(Instant.ofEpochMilli(8))
                .addElements(at(9, sequenced(INSERT, 10L, 9L)))
                .advanceWatermarkToInfinity());
    MaterializeUpsertsResult result = input.apply(BY_ORDER.withOrderBy("seq"));
    assertOutputs(result, "1 +I o10", "2 -D o10", "3 +I o11", "4 -D o11", "9 +I o10", "11 +U o12");
    PipelineResult run = run();
    assertThat(counter(run, "unmatchedKeyAbsent"), is(0L));
    assertThat(counter(run, "lateChanges"), is(0L));
  }

  @Test
  public void changeBehindTheWatermarkIsProcessedAtOnceAndCounted() {
    PCollection<Change> input =
        pipeline.apply(
            stream()
                .advanceWatermarkTo(Instant.ofEpochMilli(5))
                .addElements(at(9, sequenced(INSERT, 11L, 9L)))
                .addElements(at(3, sequenced(INSERT, 10L, 3L)))
                .advanceWatermarkToInfinity());
    MaterializeUpsertsResult result = input.apply(BY_ORDER.withOrderBy("seq"));
    assertOutputs(result, "3 +I o10", "9 +U o11");
    assertThat(counter(run(), "lateChanges"), is(1L));
  }

  @Test
  public void equalSequencesStayInTheOrderOfArrival() {
    MaterializeUpsertsResult result =
        feed(
                sequenced(INSERT, 10L, 7L),
                sequenced(INSERT, 11L, 7L),
                sequenced(DELETE, 10L, 7L),
                sequenced(INSERT, 9L, 6L))
            .apply(BY_ORDER.withOrderBy("seq"));
    assertOutputs(result, "0 +U o10", "1 +U o11", "3 +I o9");
    run();
  }

  @Test
  public void changesAreSortedByTheirPosition() {
    PCollection<Change> input =
        pipeline.apply(
            stream()
                .addElements(at(2, change(DELETE, 1, 10L, "a")))
                .addElements(at(1, change(INSERT, 1, 10L, "a")))
                .advanceWatermarkToInfinity());
    assertOutputs(input.apply(BY_ROW.withOrderByPosition()), "1 +I a", "2 -D a");
    assertThat(counter(run(), "unmatchedKeyAbsent"), is(0L));
  }

  @Test
  public void changeWithoutItsSequenceFails() {
    MaterializeUpsertsResult result =
        feed(sequenced(INSERT, 10L, null)).apply(BY_ORDER.withOrderBy("seq"));
    assertFailures(result, "column seq is null, and changes are ordered by it");
    run();
  }

  @Test
  public void changeWithoutAPositionFailsWherePositionsOrder() {
    PCollection<Change> input =
        pipeline.apply(
            stream().addElements(change(INSERT, 1, 10L, "a")).advanceWatermarkToInfinity());
    assertFailures(
        input.apply(BY_ROW.withOrderByPosition()), "it has no log position to be ordered by");
    run();
  }

  // Options.

  @Test
  public void batchesLeaveByRows() {
    feedAtOnce(orders(7)).apply(BY_ROW.withShards(1).withBatchRows(3));
    assertThat(distribution(run(), "packedRows"), is(DistributionResult.create(7, 3, 1, 3)));
  }

  @Test
  public void batchesLeaveByBytes() {
    feedAtOnce(orders(7)).apply(BY_ROW.withShards(1).withBatchBytes(1));
    assertThat(distribution(run(), "packedRows"), is(DistributionResult.create(7, 7, 1, 1)));
  }

  @Test
  public void batchesLeaveByAge() {
    SteppedClock.set(0);
    feedAtOnce(orders(7))
        .apply(
            BY_ROW
                .withShards(1)
                .withBatchAge(Duration.millis(300))
                .withClock(new SteppedClock(100)));
    assertThat(distribution(run(), "packedRows").getMax(), is(3L));
  }

  @Test
  public void changesAreSpreadOverShards() {
    feedAtOnce(orders(100)).apply(BY_ROW.withShards(4));
    assertThat(distribution(run(), "packedRows").getCount(), is(4L));
  }

  private static Change[] orders(int count) {
    Change[] changes = new Change[count];
    for (int i = 0; i < count; i++) {
      changes[i] = change(INSERT, i, (long) i, "note");
    }
    return changes;
  }

  @Test
  public void keyIsForgottenAfterItsTimeToLive() {
    SteppedClock.set(0);
    MaterializeUpsertsResult result =
        feed(
                change(INSERT, 1, 10L, "a"),
                change(INSERT, 2, 20L, "b"),
                change(INSERT, 2, 21L, "c"),
                change(INSERT, 1, 11L, "d"))
            .apply(
                BY_ROW
                    .withShards(1)
                    .withTimeToLive(Duration.millis(1_500))
                    .withClock(new SteppedClock(400)));
    // Each change is looked at twice, 400 ms apart: processed at 400, 1200, 2000 and 2800.
    assertOutputs(result, "0 +I a", "1 +I b", "2 +U c", "3 +I d");
    assertThat(counter(run(), "expiredKeys"), is(1L));
  }

  @Test
  public void thresholdsDecideWhenAListIsLarge() {
    feed(change(INSERT, 1, 10L, "a"), change(INSERT, 1, 11L, "b"), change(DELETE, 1, 11L, "b"))
        .apply(BY_ROW.withThresholds(2, 1));
    assertThat(counter(run(), "migrations"), is(2L));
  }

  @Test
  public void strategyDecidesWhetherMinusZeroIsZero() {
    MaterializeUpserts byRate = BY_ROW.withUpsertKey("rate");
    PCollection<Change> input = feed(rated(INSERT, 0.0), rated(DELETE, -0.0));
    assertOutputs(
        input.apply("Legacy", byRate.withStrategy(UpsertStrategy.LEGACY)),
        "0 +I null",
        "1 -D null");
    assertOutputs(input.apply("Map", byRate.withStrategy(UpsertStrategy.MAP)), "0 +I null");
    run();
  }

  @Test
  public void additionsBeyondTheSoftBoundAreCounted() {
    feed(change(INSERT, 1, 1L, "a"), change(INSERT, 1, 2L, "b"), change(INSERT, 1, 3L, "c"))
        .apply(BY_ROW.withSoftBound(2));
    assertThat(counter(run(), "beyondSoftBound"), is(1L));
  }

  @Test
  public void oldestCandidateIsDroppedAtTheHardBound() {
    MaterializeUpsertsResult result =
        feed(
                change(INSERT, 1, 1L, "a"),
                change(INSERT, 1, 2L, "b"),
                change(DELETE, 1, 1L, "a"),
                change(DELETE, 1, 2L, "b"))
            .apply(BY_ROW.withHardBound(1, HardBound.DROP_OLDEST));
    assertOutputs(result, "0 +I a", "1 +U b", "3 -D b");
    assertThat(counter(run(), "droppedCandidates"), is(1L));
  }

  @Test
  public void bundleFailsAtTheHardBound() {
    feed(change(INSERT, 1, 1L, "a"), change(INSERT, 1, 2L, "b"))
        .apply(BY_ROW.withHardBound(1, HardBound.FAIL));
    assertThrows(Pipeline.PipelineExecutionException.class, pipeline::run);
  }

  @Test
  public void storesGetTheirOptions() {
    feed(change(INSERT, 1, 1L, "a"))
        .apply(BY_ROW.withStoreMemory(5 << 20).withStoreDirectory("/tmp/candidates"));
    run();
    assertThat(InMemoryProvider.LAST.get().memoryBytes(), is(5L << 20));
    assertThat(InMemoryProvider.LAST.get().directory(), is("/tmp/candidates"));
  }

  @Test
  public void displayDataHasEachOption() {
    DisplayData data =
        DisplayData.from(
            BY_ORDER
                .withStrategy(UpsertStrategy.MAP)
                .withThresholds(7, 3)
                .withTimeToLive(Duration.standardDays(2))
                .withShards(16)
                .withOrderBy("seq")
                .withBatchRows(5)
                .withBatchBytes(6)
                .withBatchAge(Duration.millis(7))
                .withSoftBound(8)
                .withHardBound(9, HardBound.FAIL)
                .withInsertOnly()
                .withStoreMemory(1 << 20)
                .withStoreDirectory("/tmp/candidates"));
    assertThat(
        data.items().stream().map(item -> item.getKey() + "=" + item.getValue()).sorted().toList(),
        is(
            List.of(
                "batchAge=7",
                "batchBytes=6",
                "batchRows=5",
                "hardBound=9",
                "insertOnly=true",
                "orderBy=column seq",
                "shards=16",
                "sinkKey=customer",
                "softBound=8",
                "storeDirectory=/tmp/candidates",
                "storeMemory=1048576",
                "strategy=MAP",
                "thresholds=7 and 3",
                "timeToLive=172800000",
                "upsertKey=order")));
  }

  @Test
  public void stepsAreNamedByTheirKeys() {
    pipeline.enableAbandonedNodeEnforcement(false);
    PCollection<Change> changes = feed(change(INSERT, 1, 1L, "a")).apply(BY_ORDER).changes();
    assertThat(changes.getName(), containsString("MaterializeUpserts(customer)/EmitChanges"));
    List<String> names = new ArrayList<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitPrimitiveTransform(
              org.apache.beam.sdk.runners.TransformHierarchy.Node node) {
            names.add(node.getFullName());
          }
        });
    assertThat(
        names.toString(),
        containsString("/KeepCandidates(sink key customer; upsert key order; 1024 shards)/"));
  }

  // Refusals.

  private void assertRefused(MaterializeUpserts upserts, String reason) {
    pipeline.enableAbandonedNodeEnforcement(false);
    PCollection<Change> input = feed(change(INSERT, 1, 1L, "a"));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> input.apply(upserts));
    assertThat(e.getMessage(), containsString(reason));
  }

  private static void assertRefused(Runnable option, String reason) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, option::run);
    assertThat(e.getMessage(), containsString(reason));
  }

  @Test
  public void missingSinkKeyIsRefused() {
    assertRefused(
        MaterializeUpserts.create(), "Missing required value: sink key. Set withSinkKey(...)");
  }

  @Test
  public void unknownColumnOfAKeyIsRefused() {
    assertRefused(BY_ROW.withUpsertKey("nil"), "Invalid upsert key: no column nil");
  }

  @Test
  public void sequenceColumnOfAnotherTypeIsRefused() {
    assertRefused(
        BY_ROW.withOrderBy("note"), "Invalid sequence column: note of type STRING (must be INT64)");
  }

  @Test
  public void unknownSequenceColumnIsRefused() {
    assertRefused(BY_ROW.withOrderBy("nil"), "Invalid sequence column: no column nil");
  }

  @Test
  public void softBoundAboveTheHardOneIsRefused() {
    assertRefused(
        BY_ROW.withHardBound(2, HardBound.FAIL).withSoftBound(3),
        "Invalid bounds: soft 3 and hard 2 candidates");
  }

  @Test
  public void windowsAreRefused() {
    pipeline.enableAbandonedNodeEnforcement(false);
    PCollection<Change> input =
        feed(change(INSERT, 1, 1L, "a"))
            .apply(Window.into(FixedWindows.of(Duration.standardMinutes(1))));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> input.apply(BY_ROW));
    assertThat(e.getMessage(), containsString("Cannot materialize upserts in windows"));
  }

  @Test
  public void otherCoderIsRefused() {
    pipeline.enableAbandonedNodeEnforcement(false);
    PCollection<Change> input = feed(change(INSERT, 1, 1L, "a"));
    @SuppressWarnings({"unchecked", "rawtypes"}) // a coder that would fail if it were used
    PCollection<Change> miscoded =
        input.setCoder((SerializableCoder) SerializableCoder.of(String.class));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> miscoded.apply(BY_ROW));
    assertThat(e.getMessage(), containsString("Set ChangeCoder.of(schema) on the input"));
  }

  @Test
  public void keyWithoutColumnsIsRefused() {
    assertRefused(() -> MaterializeUpserts.create().withSinkKey(), "Invalid sink key");
  }

  @Test
  public void columnNamedTwiceIsRefused() {
    assertRefused(() -> BY_ROW.withUpsertKey("a", "a"), "each column must be named once");
  }

  @Test
  public void lowThresholdAboveTheHighOneIsRefused() {
    assertRefused(() -> BY_ROW.withThresholds(3, 3), "must be 0 <= low < high");
  }

  @Test
  public void timeToLiveOfZeroIsRefused() {
    assertRefused(() -> BY_ROW.withTimeToLive(Duration.ZERO), "must be positive");
  }

  @Test
  public void numberOfShardsOutOfRangeIsRefused() {
    assertRefused(() -> BY_ROW.withShards(0), "Invalid number of shards: 0");
    assertRefused(() -> BY_ROW.withShards(32_769), "must be >= 1 and <= 32768");
  }

  @Test
  public void limitsOfBatchesOutOfRangeAreRefused() {
    assertRefused(() -> BY_ROW.withBatchRows(0), "Invalid rows of a batch: 0");
    assertRefused(() -> BY_ROW.withBatchBytes(0), "Invalid bytes of a batch: 0");
    assertRefused(() -> BY_ROW.withBatchAge(Duration.millis(-1)), "Invalid age of a batch");
  }

  @Test
  public void boundsOutOfRangeAreRefused() {
    assertRefused(() -> BY_ROW.withSoftBound(0), "Invalid soft bound: 0 candidates");
    assertRefused(
        () -> BY_ROW.withHardBound(0, HardBound.FAIL), "Invalid hard bound: 0 candidates");
  }

  @Test
  public void noStoreOnTheClassPathIsRefused() {
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> CandidateStores.only(ImmutableList.of()));
    assertThat(e.getMessage(), containsString("Add dev.tidemark:tidemark-state-backend"));
  }

  @Test
  public void twoStoresOnTheClassPathAreRefused() {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () -> CandidateStores.only(List.of(new InMemoryProvider(), new InMemoryProvider())));
    assertThat(e.getMessage(), containsString("more than one store is on the class path"));
  }
}
