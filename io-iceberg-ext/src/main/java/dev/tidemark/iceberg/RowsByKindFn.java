package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.change.ChangeKind;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.MapCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.values.Row;

/** Counts rows by the value of a short text column. */
final class RowsByKindFn
    extends CombineFn<Row, Map<String, Long>, ImmutableSortedMap<String, Long>> {
  private static final int MOST_VALUES = 16;
  private static final String OTHER = "other";

  private final int index;

  private RowsByKindFn(int index) {
    this.index = index;
  }

  static RowsByKindFn of(String column, Schema schema) {
    if (!schema.hasField(column)
        || schema.getField(column).getType().getTypeName() != Schema.TypeName.STRING) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid column to count by: %s (must be a STRING column of the rows, which have %s)",
              column, schema.getFieldNames()));
    }
    return new RowsByKindFn(schema.indexOf(column));
  }

  @Override
  public Map<String, Long> createAccumulator() {
    return new HashMap<>();
  }

  @Override
  public Map<String, Long> addInput(Map<String, Long> accumulator, Row row) {
    Object value = row.getValue(index);
    accumulator.merge(value == null ? "null" : (String) value, 1L, Long::sum);
    return accumulator;
  }

  @Override
  public Map<String, Long> mergeAccumulators(Iterable<Map<String, Long>> accumulators) {
    Map<String, Long> merged = new HashMap<>();
    for (Map<String, Long> accumulator : accumulators) {
      accumulator.forEach((value, count) -> merged.merge(value, count, Long::sum));
    }
    return merged;
  }

  @Override
  public ImmutableSortedMap<String, Long> extractOutput(Map<String, Long> accumulator) {
    return ImmutableSortedMap.copyOf(accumulator);
  }

  @Override
  public Coder<Map<String, Long>> getAccumulatorCoder(
      CoderRegistry registry, Coder<Row> inputCoder) {
    return MapCoder.of(StringUtf8Coder.of(), VarLongCoder.of());
  }

  /** Change kinds by their names, other values by their letters; a long tail is summed up. */
  static Map<String, String> entries(ImmutableSortedMap<String, Long> counts) {
    Map<String, Long> byKey = new TreeMap<>();
    counts.forEach((value, count) -> byKey.merge(key(value), count, Long::sum));
    Map<String, String> entries = new TreeMap<>();
    long rest = 0;
    for (Map.Entry<String, Long> entry : byKey.entrySet()) {
      if (entries.size() < MOST_VALUES && !entry.getKey().equals(OTHER)) {
        entries.put(entry.getKey(), Long.toString(entry.getValue()));
      } else {
        rest += entry.getValue();
      }
    }
    if (rest > 0) {
      entries.put(OTHER, Long.toString(rest));
    }
    return entries;
  }

  private static String key(String value) {
    for (ChangeKind kind : ChangeKind.values()) {
      if (kind.symbol().equals(value)) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }
    String key = value.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
    return key.isEmpty() || key.length() > 32 ? OTHER : key;
  }
}
