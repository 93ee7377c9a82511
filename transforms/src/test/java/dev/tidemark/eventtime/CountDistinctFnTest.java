package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.junit.Assert.assertThrows;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.apache.datasketches.theta.Union;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class CountDistinctFnTest {
  private static final Schema LONGS = schema(FieldType.INT64);

  @Test
  public void fewValuesAreCountedExactly() {
    DistinctCount count = count(FieldType.INT64, 1L, 2L, 2L, null, 3L, 1L);
    assertThat(count.estimate(), is(3.0));
    assertThat(count.isExact(), is(true));
    assertThat(count.lowerBound(), is(3.0));
    assertThat(count(FieldType.INT64).estimate(), is(0.0));
  }

  @Test
  public void everySupportedTypeIsCounted() {
    assertThat(count(FieldType.STRING, "a", "", "a", "").estimate(), is(2.0));
    assertThat(count(FieldType.BOOLEAN, true, false, true).estimate(), is(2.0));
    assertThat(count(FieldType.INT32, 1, 2, 1).estimate(), is(2.0));
    assertThat(count(FieldType.INT16, (short) 1, (short) 2).estimate(), is(2.0));
    assertThat(count(FieldType.BYTE, (byte) 1, (byte) 1).estimate(), is(1.0));
    assertThat(count(FieldType.DOUBLE, 1.5, 1.5, -0.0, 0.0).estimate(), is(2.0));
    assertThat(count(FieldType.FLOAT, 1.5f, 2.5f).estimate(), is(2.0));
    assertThat(
        count(FieldType.DECIMAL, new BigDecimal("2.0"), new BigDecimal("2.00")).estimate(),
        is(1.0));
    assertThat(
        count(FieldType.BYTES, new byte[] {1}, new byte[] {1}, new byte[0], new byte[0]).estimate(),
        is(2.0));
    assertThat(
        count(
                FieldType.DATETIME,
                Instant.ofEpochMilli(5),
                Instant.ofEpochMilli(5),
                Instant.ofEpochMilli(6))
            .estimate(),
        is(2.0));
  }

  @Test
  public void manyValuesAreEstimatedWithinBounds() {
    CountDistinctFn fn = CountDistinctFn.of("value", LONGS);
    Union union = fn.createAccumulator();
    for (long i = 0; i < 100_000; i++) {
      fn.addInput(union, row(LONGS, i % 50_000));
    }
    DistinctCount count = fn.extractOutput(union);
    assertThat(count.isExact(), is(false));
    assertThat(count.estimate(), closeTo(50_000, 50_000 * 0.06));
    assertThat(count.lowerBound(), lessThanOrEqualTo(count.estimate()));
    assertThat(count.upperBound(), greaterThanOrEqualTo(count.estimate()));
  }

  @Test
  public void mergeGivesSameBitsInEveryOrderAndAcrossTheCoder() throws Exception {
    CountDistinctFn fn = CountDistinctFn.of("value", LONGS);
    List<DistinctCount> parts = parts(fn);
    DistinctCount expected = DistinctCount.merge(parts);
    for (int order = 0; order < 40; order++) {
      List<Union> unions = new ArrayList<>();
      parts.forEach(part -> unions.add(union(part)));
      Random random = new Random(order);
      while (unions.size() > 1) {
        Collections.shuffle(unions, random);
        List<Union> some = unions.subList(0, 2 + random.nextInt(2) % (unions.size() - 1));
        Union merged = fn.mergeAccumulators(new ArrayList<>(some));
        some.clear();
        unions.add(
            random.nextBoolean()
                ? merged
                : Coders.roundTrip(
                    fn.getAccumulatorCoder(CoderRegistry.createDefault(), null), merged));
      }
      assertThat(fn.extractOutput(unions.get(0)), equalTo(expected));
    }
  }

  @Test
  public void coderWritesGoldenBytes() throws Exception {
    DistinctCount count = count(FieldType.INT64, 1L, 2L);
    String golden = Golden.DISTINCT_COUNT;
    assertThat(Coders.hex(DistinctCountCoder.of(), count), is(golden));
    assertThat(Coders.fromHex(DistinctCountCoder.of(), golden), equalTo(count));
    assertThrows(
        CoderException.class,
        () -> Coders.fromHex(DistinctCountCoder.of(), "02" + golden.substring(2)));
    assertThrows(CoderException.class, () -> Coders.fromHex(DistinctCountCoder.of(), "0103010203"));
  }

  @Test
  public void unsupportedTypesAndMissingColumnsAreRefused() {
    IllegalArgumentException type =
        assertThrows(
            IllegalArgumentException.class,
            () -> CountDistinctFn.of("value", schema(FieldType.array(FieldType.INT64))));
    assertThat(type.getMessage(), containsString("ARRAY"));
    assertThrows(IllegalArgumentException.class, () -> CountDistinctFn.of("other", LONGS));
  }

  private static Union union(DistinctCount part) {
    Union union = DistinctCount.newUnion();
    union.union(part.sketch());
    return union;
  }

  private static List<DistinctCount> parts(CountDistinctFn fn) {
    List<DistinctCount> parts = new ArrayList<>();
    Random random = new Random(7);
    for (int part = 0; part < 12; part++) {
      Union union = fn.createAccumulator();
      // Small parts stay exact, large ones are sampled.
      int size = part % 3 == 0 ? 100 : 9_000;
      for (int i = 0; i < size; i++) {
        fn.addInput(union, row(LONGS, (long) random.nextInt(60_000)));
      }
      parts.add(fn.extractOutput(union));
    }
    return parts;
  }

  private static DistinctCount count(FieldType type, Object... values) {
    Schema schema = schema(type);
    CountDistinctFn fn = SerializableUtils.clone(CountDistinctFn.of("value", schema));
    Union union = fn.createAccumulator();
    for (Object value : values) {
      fn.addInput(union, row(schema, value));
    }
    return fn.extractOutput(union);
  }

  private static Schema schema(FieldType type) {
    return Schema.builder().addNullableField("value", type).build();
  }

  private static Row row(Schema schema, Object value) {
    return Row.withSchema(schema).addValue(value).build();
  }
}
