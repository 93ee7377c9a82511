package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class CollectQuantilesFnTest {
  @Test
  public void fewValuesReadOutExactly() {
    Quantiles quantiles = collect(FieldType.DOUBLE, 5.0, null, 1.0, Double.NaN, 3.0);
    assertThat(quantiles.count(), is(3L));
    assertThat(quantiles.min(), is(1.0));
    assertThat(quantiles.max(), is(5.0));
    assertThat(quantiles.quantile(0.5), is(3.0));
  }

  @Test
  public void everyNumericTypeIsCollected() {
    assertThat(collect(FieldType.INT64, 7L).quantile(0.5), is(7.0));
    assertThat(collect(FieldType.INT32, 7).quantile(0.5), is(7.0));
    assertThat(collect(FieldType.INT16, (short) 7).quantile(0.5), is(7.0));
    assertThat(collect(FieldType.BYTE, (byte) 7).quantile(0.5), is(7.0));
    assertThat(collect(FieldType.FLOAT, 7.5f).quantile(0.5), is(7.5));
    assertThat(collect(FieldType.DECIMAL, new BigDecimal("7.5")).quantile(0.5), is(7.5));
  }

  @Test
  public void manyValuesAreEstimatedAlsoAcrossMergesAndTheCoder() throws Exception {
    Schema schema = schema(FieldType.INT64);
    CollectQuantilesFn fn = CollectQuantilesFn.of("value", schema);
    List<KllDoublesSketch> sketches = new ArrayList<>();
    for (int part = 0; part < 10; part++) {
      KllDoublesSketch sketch = fn.createAccumulator();
      for (long i = 0; i < 10_000; i++) {
        fn.addInput(sketch, row(schema, i * 10 + part));
      }
      sketches.add(
          Coders.roundTrip(fn.getAccumulatorCoder(CoderRegistry.createDefault(), null), sketch));
    }
    Quantiles quantiles = fn.extractOutput(fn.mergeAccumulators(sketches));
    assertThat(quantiles.count(), is(100_000L));
    assertThat(quantiles.min(), is(0.0));
    assertThat(quantiles.max(), is(99_999.0));
    // Twice the bound that holds with a confidence of 99 %, since the sketch throws coins.
    assertThat(quantiles.quantile(0.25), closeTo(25_000, 2_700));
    assertThat(Quantiles.merge(List.of(quantiles, quantiles)).count(), is(200_000L));
  }

  @Test
  public void readingDoesNotChangeTheValue() throws Exception {
    Object[] values = new Object[2_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = (double) (i * 7919 % 2_000);
    }
    Quantiles quantiles = collect(FieldType.DOUBLE, values);
    String before = Coders.hex(QuantilesCoder.of(), quantiles);
    quantiles.quantile(0.3);
    assertThat(Coders.hex(QuantilesCoder.of(), quantiles), is(before));
    assertThat(Coders.roundTrip(QuantilesCoder.of(), quantiles), equalTo(quantiles));
  }

  @Test
  public void emptyQuantilesHaveNoValue() {
    Quantiles empty = collect(FieldType.INT64);
    assertThat(empty.count(), is(0L));
    assertThrows(IllegalStateException.class, empty::min);
    assertThrows(IllegalStateException.class, empty::max);
    assertThrows(IllegalStateException.class, () -> empty.quantile(0.5));
    assertThrows(IllegalArgumentException.class, () -> empty.quantile(1.5));
  }

  @Test
  public void coderWritesGoldenBytes() throws Exception {
    Quantiles quantiles = collect(FieldType.DOUBLE, 1.0, 2.0);
    String golden = Golden.QUANTILES;
    assertThat(Coders.hex(QuantilesCoder.of(), quantiles), is(golden));
    assertThat(Coders.fromHex(QuantilesCoder.of(), golden), equalTo(quantiles));
    assertThrows(
        CoderException.class,
        () -> Coders.fromHex(QuantilesCoder.of(), "02" + golden.substring(2)));
    assertThrows(CoderException.class, () -> Coders.fromHex(QuantilesCoder.of(), "0103010203"));
  }

  @Test
  public void otherTypesAreRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> CollectQuantilesFn.of("value", schema(FieldType.STRING)));
    assertThat(e.getMessage(), containsString("STRING is not numeric"));
  }

  private static Quantiles collect(FieldType type, Object... values) {
    Schema schema = schema(type);
    CollectQuantilesFn fn = SerializableUtils.clone(CollectQuantilesFn.of("value", schema));
    KllDoublesSketch sketch = fn.createAccumulator();
    for (Object value : values) {
      fn.addInput(sketch, row(schema, value));
    }
    return fn.extractOutput(sketch);
  }

  private static Schema schema(FieldType type) {
    return Schema.builder().addNullableField("value", type).build();
  }

  private static Row row(Schema schema, Object value) {
    return Row.withSchema(schema).addValue(value).build();
  }
}
