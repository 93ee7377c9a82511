package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.testing.CombineFnTester;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.hamcrest.Description;
import org.hamcrest.TypeSafeMatcher;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class CollectEventTimeFnTest {
  private static final Schema SCHEMA =
      Schema.builder().addNullableField("at", FieldType.STRING).build();
  private static final EventTimeExtractor EXTRACTOR =
      EventTimeExtractor.column("at")
          .withClock(Clock.fixed(Instant.ofEpochMilli(EventTimes.NOW), ZoneOffset.UTC));
  private static final CollectEventTimeFn FN = CollectEventTimeFn.of(EXTRACTOR, SCHEMA);

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void eachKindOfValueIsCountedApart() {
    List<Row> rows =
        List.of(
            row(at(0)),
            row(null),
            row("soon"),
            row(at(1)),
            row("1970-01-01"),
            row("2100-01-01"),
            row("2101-01-01"));
    EventTimeStats expected =
        EventTimeStats.of(
                EventTimeSketch.of(EventTimes.HOUR, EventTimes.NOW, EventTimes.NOW - 1_000))
            .withNullCount(1)
            .withUnparsableCount(1)
            .withPastCount(1)
            .withFutureCount(2);

    EventTimeStats stats = collect(rows);

    assertThat(stats.compressed(), equalTo(expected));
    assertThat(stats.count(), is(2L));
    assertThat(stats.outOfRangeCount(), is(3L));
    assertThat(stats.rowCount(), is(7L));
    assertThat(stats.sketch().minMillis(), is(EventTimes.NOW - 1_000));
  }

  @Test
  public void combinesForEveryShardingOfRows() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(row(i % 7 == 3 ? null : at(i)));
    }
    CombineFnTester.testCombineFn(
        FN,
        rows,
        new TypeSafeMatcher<EventTimeStats>() {
          @Override
          protected boolean matchesSafely(EventTimeStats stats) {
            return stats.count() == 17
                && stats.nullCount() == 3
                && stats.sketch().countsByBucket().equals(collect(rows).sketch().countsByBucket());
          }

          @Override
          public void describeTo(Description description) {
            description.appendText("statistics of all rows");
          }
        });
  }

  @Test
  public void mergeGivesSameBitsInEveryOrderAndAcrossTheCoder() throws Exception {
    Coder<EventTimeAccumulator> coder = FN.getAccumulatorCoder(CoderRegistry.createDefault(), null);
    long[] times = EventTimes.lag(50_000, 3, 5 * EventTimes.HOUR);
    EventTimeStats expected = null;
    for (int order = 0; order < 40; order++) {
      List<EventTimeAccumulator> accumulators = accumulators(times);
      Random random = new Random(order);
      while (accumulators.size() > 1) {
        Collections.shuffle(accumulators, random);
        List<EventTimeAccumulator> some = accumulators.subList(0, 2);
        EventTimeAccumulator merged = FN.mergeAccumulators(new ArrayList<>(some));
        some.clear();
        accumulators.add(random.nextBoolean() ? merged : Coders.roundTrip(coder, merged));
      }
      EventTimeStats stats = FN.extractOutput(accumulators.get(0));
      expected = expected == null ? stats : expected;
      assertThat(stats, equalTo(expected));
      assertThat(stats.sketch().toText(), is(expected.sketch().toText()));
    }
  }

  @Test
  public void accumulatorStoredBetweenRowsGoesOnToTheSameBits() throws Exception {
    Coder<EventTimeAccumulator> coder = FN.getAccumulatorCoder(CoderRegistry.createDefault(), null);
    EventTimeAccumulator stored = FN.createAccumulator();
    EventTimeAccumulator kept = FN.createAccumulator();
    long[] times = EventTimes.lag(20_000, 4, 5 * EventTimes.HOUR);
    for (int i = 0; i < times.length; i++) {
      stored.add(times[i]);
      kept.add(times[i]);
      if (i % 397 == 0) {
        stored = Coders.roundTrip(coder, stored);
      }
    }
    assertThat(FN.extractOutput(stored), equalTo(FN.extractOutput(kept)));
  }

  @Test
  public void boundaryTakesEffect() {
    CollectEventTimeFn quarters = FN.withBoundary(Duration.standardMinutes(15));
    assertThat(
        quarters.defaultValue(),
        equalTo(EventTimeStats.empty(EventTimeSketch.QUARTER_HOUR_MILLIS)));
    assertThat(
        quarters.extractOutput(quarters.createAccumulator()), equalTo(quarters.defaultValue()));
    assertThrows(
        IllegalArgumentException.class, () -> FN.withBoundary(Duration.standardMinutes(30)));
  }

  @Test
  public void statsCoderWritesGoldenBytes() throws Exception {
    EventTimeStats stats =
        EventTimeStats.of(EventTimeSketch.of(EventTimes.HOUR, 1_000, 5_000))
            .withNullCount(1)
            .withUnparsableCount(2)
            .withPastCount(3)
            .withFutureCount(300);
    String golden = "01" + "010203" + "ac02" + "01" + "0f" + "01323c3c02d00fa01f020001a01f01";
    assertThat(Coders.hex(EventTimeStatsCoder.of(), stats), is(golden));
    assertThat(Coders.fromHex(EventTimeStatsCoder.of(), golden), equalTo(stats));
    String ofNextVersion = "02" + golden.substring(2);
    CoderException e =
        assertThrows(
            CoderException.class, () -> Coders.fromHex(EventTimeStatsCoder.of(), ofNextVersion));
    assertThat(e.getMessage(), containsString("unknown version 2 (must be 1)"));
  }

  @Test
  public void accumulatorCoderWritesGoldenBytes() throws Exception {
    Coder<EventTimeAccumulator> coder = FN.getAccumulatorCoder(CoderRegistry.createDefault(), null);
    EventTimeAccumulator merged = FN.mergeAccumulators(accumulators(new long[] {1_000, 5_000}));
    merged.add(7_000);
    merged.add(6_000);
    merged.add(EventTimeExtractor.NULL);
    String golden =
        "01"
            + "01"
            + "01000000"
            + "00"
            + "0f"
            + "01323c3c02d00fa01f020001a01f01"
            + "01"
            + "05"
            + "01323c3c00"
            + "02"
            + "b06d"
            + "cf0f";
    assertThat(Coders.hex(coder, merged), is(golden));
    assertThat(FN.extractOutput(Coders.fromHex(coder, golden)), equalTo(FN.extractOutput(merged)));
  }

  @Test
  public void statsMergeInEveryOrder() {
    List<EventTimeStats> parts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      parts.add(
          EventTimeStats.of(
                  EventTimeSketch.of(EventTimes.HOUR, EventTimes.lag(1_000, i, EventTimes.HOUR)))
              .withNullCount(i)
              .withPastCount(2L * i));
    }
    EventTimeStats merged = EventTimeStats.merge(parts);
    Collections.shuffle(parts, new Random(5));
    EventTimeStats first = EventTimeStats.merge(parts.subList(0, 4));
    EventTimeStats second = EventTimeStats.merge(parts.subList(4, 10));
    assertThat(EventTimeStats.merge(List.of(second, first)), equalTo(merged));
    assertThat(merged.nullCount(), is(45L));
    assertThat(merged.outOfRangeCount(), is(90L));
    assertThrows(IllegalArgumentException.class, () -> merged.withNullCount(-1));
  }

  @Test
  public void rejectedNullFailsTheRow() {
    CollectEventTimeFn rejecting =
        CollectEventTimeFn.of(EXTRACTOR.withNullPolicy(NullPolicy.REJECT), SCHEMA);
    assertThrows(
        MissingEventTimeException.class,
        () -> rejecting.addInput(rejecting.createAccumulator(), row(null)));
  }

  @Test
  public void collectsInAPipeline() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      rows.add(row(i % 10 == 0 ? null : at(10L * i)));
    }
    PCollection<EventTimeStats> stats =
        pipeline
            .apply(Create.of(rows).withRowSchema(SCHEMA))
            .apply(Combine.globally(SerializableUtils.clone(FN)));
    long min = EventTimes.NOW - 9_990_000;
    PAssert.thatSingleton(stats)
        .satisfies(
            actual -> {
              assertThat(actual.count(), is(900L));
              assertThat(actual.nullCount(), is(100L));
              assertThat(actual.sketch().minMillis(), is(min));
              return null;
            });
    pipeline.run();
  }

  private static EventTimeStats collect(List<Row> rows) {
    EventTimeAccumulator accumulator = FN.createAccumulator();
    for (Row row : rows) {
      accumulator = FN.addInput(accumulator, row);
    }
    return FN.extractOutput(accumulator);
  }

  private static List<EventTimeAccumulator> accumulators(long[] times) {
    List<EventTimeAccumulator> accumulators = new ArrayList<>();
    int size = Math.max(1, times.length / 20);
    for (int from = 0; from < times.length; from += size) {
      EventTimeAccumulator accumulator = FN.createAccumulator();
      Arrays.stream(times, from, Math.min(times.length, from + size)).forEach(accumulator::add);
      accumulators.add(accumulator);
    }
    return accumulators;
  }

  private static String at(long secondsBeforeNow) {
    return Instant.ofEpochMilli(EventTimes.NOW - 1_000 * secondsBeforeNow).toString();
  }

  private static Row row(String at) {
    return Row.withSchema(SCHEMA).addValue(at).build();
  }
}
