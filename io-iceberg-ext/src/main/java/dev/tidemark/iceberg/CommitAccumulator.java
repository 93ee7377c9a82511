package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.eventtime.CollectQuantilesFn;
import dev.tidemark.eventtime.CountDistinctFn;
import dev.tidemark.eventtime.DistinctCount;
import dev.tidemark.eventtime.Quantiles;
import java.io.Serializable;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.Row;

/**
 * Something accumulated over the rows of each commit: a name, a {@link CombineFn}, and how its
 * output reads as entries of the snapshot summary, stored as {@code tidemark.acc.<name>.<entry>}.
 *
 * <p>One accumulator exists for each writer, table and bundle. It travels encoded with the data
 * files it describes and is merged with those of the other writers whose files are in the same
 * commit. The coder of the accumulator comes from {@link CombineFn#getAccumulatorCoder}; the
 * accumulator type and coder must stay readable for as long as savepoints are.
 *
 * @param <A> accumulator
 * @param <O> output
 */
@AutoValue
public abstract class CommitAccumulator<A, O> implements Serializable {
  CommitAccumulator() {}

  abstract String name();

  abstract SerializableFunction<Schema, CombineFn<Row, A, O>> combineFn();

  abstract SerializableFunction<O, Map<String, String>> entries();

  /**
   * An accumulator.
   *
   * @param name {@code [a-z][a-z0-9-]*}, at most 32 characters, unique within a write
   * @param combineFn makes the function for the schema of the rows; called when the pipeline is
   *     built
   * @param entries the output as summary entries; keys {@code [a-z0-9-]+}, values short
   * @throws IllegalArgumentException if the name is invalid
   */
  public static <A, O> CommitAccumulator<A, O> of(
      String name,
      SerializableFunction<Schema, CombineFn<Row, A, O>> combineFn,
      SerializableFunction<O, Map<String, String>> entries) {
    if (!name.matches("[a-z][a-z0-9-]{0,31}")) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid accumulator name: %s (must be a-z, 0-9 and -, start with a letter, and have at"
                  + " most 32 characters)",
              name));
    }
    return new AutoValue_CommitAccumulator<>(name, combineFn, entries);
  }

  /** Distinct values of a column, estimated: entry {@code count}. */
  public static CommitAccumulator<?, DistinctCount> distinctCount(String name, String column) {
    return CommitAccumulator.of(
        name,
        schema -> CountDistinctFn.of(column, schema),
        count -> Map.of("count", Long.toString(Math.round(count.estimate()))));
  }

  /**
   * Quantiles of a numeric column, estimated by a randomised sketch: entries {@code q010} to {@code
   * q990} (per mille).
   */
  public static CommitAccumulator<?, Quantiles> quantiles(String name, String column) {
    return CommitAccumulator.of(
        name, schema -> CollectQuantilesFn.of(column, schema), CommitAccumulator::perMille);
  }

  /** Rows for each value of a short text column such as the change kind: one entry per value. */
  public static CommitAccumulator<?, ImmutableSortedMap<String, Long>> rowsByKind(
      String name, String column) {
    return CommitAccumulator.of(
        name, schema -> RowsByKindFn.of(column, schema), RowsByKindFn::entries);
  }

  private static Map<String, String> perMille(Quantiles quantiles) {
    ImmutableSortedMap.Builder<String, String> entries = ImmutableSortedMap.naturalOrder();
    if (quantiles.count() > 0) {
      for (int perMille : new int[] {10, 50, 500, 950, 990}) {
        entries.put(
            String.format("q%03d", perMille),
            Double.toString(quantiles.quantile(perMille / 1000.0)));
      }
    }
    return entries.build();
  }
}
