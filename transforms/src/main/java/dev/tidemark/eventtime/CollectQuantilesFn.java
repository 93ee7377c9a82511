package dev.tidemark.eventtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.values.Row;
import org.apache.datasketches.kll.KllDoublesSketch;

/**
 * Collects the {@link Quantiles} of a numeric column as doubles; nulls and NaN are skipped, and
 * integers beyond 2^53 lose their last digits. Randomised: two runs over the same rows give
 * slightly different quantiles, see {@link Quantiles}.
 */
public final class CollectQuantilesFn extends CombineFn<Row, KllDoublesSketch, Quantiles> {
  private final ColumnPath column;

  private CollectQuantilesFn(ColumnPath column) {
    this.column = column;
  }

  /**
   * Collects from the column at this dotted path.
   *
   * @throws IllegalArgumentException if the column is missing or not numeric
   */
  public static CollectQuantilesFn of(String path, Schema schema) {
    ColumnPath column = ColumnPath.resolve(path, schema);
    if (!TypeName.NUMERIC_TYPES.contains(column.type().getTypeName())) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot collect quantiles of column %s: type %s is not numeric."
                  + " Name a numeric column.",
              path, ColumnPath.typeName(column.type())));
    }
    return new CollectQuantilesFn(column);
  }

  @Override
  public KllDoublesSketch createAccumulator() {
    return KllDoublesSketch.newHeapInstance();
  }

  @Override
  public KllDoublesSketch addInput(KllDoublesSketch sketch, Row row) {
    Object value = column.valueIn(row);
    if (value != null) {
      sketch.update(((Number) value).doubleValue());
    }
    return sketch;
  }

  @Override
  public KllDoublesSketch mergeAccumulators(Iterable<KllDoublesSketch> accumulators) {
    KllDoublesSketch merged = createAccumulator();
    accumulators.forEach(merged::merge);
    return merged;
  }

  @Override
  public Quantiles extractOutput(KllDoublesSketch sketch) {
    return Quantiles.of(sketch);
  }

  @Override
  public Coder<KllDoublesSketch> getAccumulatorCoder(
      CoderRegistry registry, Coder<Row> inputCoder) {
    return SketchCoder.INSTANCE;
  }

  @Override
  public Coder<Quantiles> getDefaultOutputCoder(CoderRegistry registry, Coder<Row> inputCoder) {
    return QuantilesCoder.of();
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    builder.add(DisplayData.item("quantilesColumn", column.toString()));
  }

  /** Writes an accumulator as the quantiles it stands for. */
  private static final class SketchCoder extends AtomicCoder<KllDoublesSketch> {
    private static final long serialVersionUID = 1L;
    private static final SketchCoder INSTANCE = new SketchCoder();

    @Override
    public void encode(KllDoublesSketch value, OutputStream out) throws IOException {
      QuantilesCoder.of().encode(Quantiles.of(value), out);
    }

    @Override
    public KllDoublesSketch decode(InputStream in) throws IOException {
      return QuantilesCoder.of().decode(in).sketch();
    }
  }
}
