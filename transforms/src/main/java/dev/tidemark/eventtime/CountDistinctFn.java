package dev.tidemark.eventtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.values.Row;
import org.apache.datasketches.theta.Union;
import org.joda.time.ReadableInstant;

/**
 * Estimates the number of distinct values of a column, nulls aside: see {@link DistinctCount}.
 * Reads integers, floating-point numbers, decimals (2.0 equals 2.00), texts, bytes, booleans and
 * {@code DATETIME}. The same values hash the same in every run and release of version 1.
 */
public final class CountDistinctFn extends CombineFn<Row, Union, DistinctCount> {
  // The library skips empty values; any fixed array that no other type hashes will do.
  private static final long[] EMPTY_VALUE = {0, 0};

  /** Adds a value of one type. */
  private interface Hasher extends Serializable {
    void update(Union union, Object value);
  }

  private final ColumnPath column;
  private final Hasher hasher;

  private CountDistinctFn(ColumnPath column, Hasher hasher) {
    this.column = column;
    this.hasher = hasher;
  }

  /**
   * Counts the values of the column at this dotted path.
   *
   * @throws IllegalArgumentException if the column is missing or of a type that cannot be counted
   */
  public static CountDistinctFn of(String path, Schema schema) {
    ColumnPath column = ColumnPath.resolve(path, schema);
    return new CountDistinctFn(column, hasher(column));
  }

  @Override
  public Union createAccumulator() {
    return DistinctCount.newUnion();
  }

  @Override
  public Union addInput(Union union, Row row) {
    Object value = column.valueIn(row);
    if (value != null) {
      hasher.update(union, value);
    }
    return union;
  }

  private static Hasher hasher(ColumnPath column) {
    return switch (column.type().getTypeName()) {
      case BYTE, INT16, INT32, INT64 ->
          (union, value) -> union.update(((Number) value).longValue());
      case FLOAT, DOUBLE -> (union, value) -> union.update(((Number) value).doubleValue());
      case BOOLEAN -> (union, value) -> union.update((Boolean) value ? 1L : 0L);
      case DATETIME -> (union, value) -> union.update(((ReadableInstant) value).getMillis());
      case DECIMAL ->
          (union, value) -> union.update(((BigDecimal) value).stripTrailingZeros().toString());
      case STRING -> (union, value) -> updateText(union, (String) value);
      case BYTES -> (union, value) -> updateBytes(union, (byte[]) value);
      default ->
          throw new IllegalArgumentException(
              String.format(
                  "Cannot count distinct values of column %s: type %s is not supported."
                      + " Use a column of a number, text, bytes, boolean or DATETIME.",
                  column, ColumnPath.typeName(column.type())));
    };
  }

  private static void updateText(Union union, String text) {
    if (text.isEmpty()) {
      union.update(EMPTY_VALUE);
    } else {
      union.update(text);
    }
  }

  private static void updateBytes(Union union, byte[] bytes) {
    if (bytes.length == 0) {
      union.update(EMPTY_VALUE);
    } else {
      union.update(bytes);
    }
  }

  @Override
  public Union mergeAccumulators(Iterable<Union> accumulators) {
    Union merged = createAccumulator();
    accumulators.forEach(union -> merged.union(union.getResult(true, null)));
    return merged;
  }

  @Override
  public DistinctCount extractOutput(Union union) {
    return DistinctCount.of(union);
  }

  @Override
  public Coder<Union> getAccumulatorCoder(CoderRegistry registry, Coder<Row> inputCoder) {
    return UnionCoder.INSTANCE;
  }

  @Override
  public Coder<DistinctCount> getDefaultOutputCoder(CoderRegistry registry, Coder<Row> inputCoder) {
    return DistinctCountCoder.of();
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    builder.add(DisplayData.item("distinctColumn", column.toString()));
  }

  /** Writes an accumulator as the count it stands for. */
  private static final class UnionCoder extends AtomicCoder<Union> {
    private static final long serialVersionUID = 1L;
    private static final UnionCoder INSTANCE = new UnionCoder();

    @Override
    public void encode(Union value, OutputStream out) throws IOException {
      DistinctCountCoder.of().encode(DistinctCount.of(value), out);
    }

    @Override
    public Union decode(InputStream in) throws IOException {
      Union union = DistinctCount.newUnion();
      union.union(DistinctCountCoder.of().decode(in).sketch());
      return union;
    }
  }
}
