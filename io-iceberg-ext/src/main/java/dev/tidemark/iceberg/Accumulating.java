package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.commit.AccumulatorEntries;
import dev.tidemark.commit.WriterResult;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.CannotProvideCoderException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The accumulators of a write, bound to the schema of its rows. */
final class Accumulating implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(Accumulating.class);

  private final ArrayList<Bound<?, ?>> all = new ArrayList<>();

  private Accumulating() {}

  static Accumulating of(
      List<CommitAccumulator<?, ?>> accumulators, Schema schema, CoderRegistry registry) {
    Accumulating accumulating = new Accumulating();
    for (CommitAccumulator<?, ?> accumulator : accumulators) {
      accumulating.all.add(bind(accumulator, schema, registry));
    }
    return accumulating;
  }

  private static <A, O> Bound<A, O> bind(
      CommitAccumulator<A, O> accumulator, Schema schema, CoderRegistry registry) {
    CombineFn<Row, A, O> combineFn = accumulator.combineFn().apply(schema);
    try {
      return new Bound<>(
          accumulator, combineFn, combineFn.getAccumulatorCoder(registry, RowCoder.of(schema)));
    } catch (CannotProvideCoderException e) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot encode accumulator %s: no coder for it. Override getAccumulatorCoder in its"
                  + " CombineFn",
              accumulator.name()),
          e);
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Accumulators for the rows of one table in one bundle. */
  List<Live<?>> start() {
    List<Live<?>> live = new ArrayList<>(all.size());
    all.forEach(bound -> live.add(bound.start()));
    return live;
  }

  static ImmutableSortedMap<String, byte[]> encode(List<Live<?>> live) throws CoderException {
    ImmutableSortedMap.Builder<String, byte[]> encoded = ImmutableSortedMap.naturalOrder();
    for (Live<?> accumulator : live) {
      encoded.put(accumulator.name(), accumulator.encode());
    }
    return encoded.build();
  }

  /** Merges what the results of a commit carry into summary entries. */
  AccumulatorEntries entries() {
    return results -> {
      Map<String, String> entries = new TreeMap<>();
      for (Bound<?, ?> bound : all) {
        bound
            .entries(results)
            .forEach((entry, value) -> entries.put(bound.accumulator.name() + "." + entry, value));
      }
      return entries;
    };
  }

  /** One accumulator of a write. */
  private static final class Bound<A, O> implements Serializable {
    private final CommitAccumulator<A, O> accumulator;
    private final CombineFn<Row, A, O> combineFn;
    private final Coder<A> coder;

    Bound(CommitAccumulator<A, O> accumulator, CombineFn<Row, A, O> combineFn, Coder<A> coder) {
      this.accumulator = accumulator;
      this.combineFn = combineFn;
      this.coder = coder;
    }

    Live<A> start() {
      return new Live<>(accumulator.name(), combineFn, coder);
    }

    Map<String, String> entries(List<WriterResult> results) {
      List<A> parts = new ArrayList<>();
      for (WriterResult result : results) {
        Object encoded = result.accumulators().get(accumulator.name());
        A part = encoded == null ? null : decode((byte[]) encoded);
        if (part != null) {
          parts.add(part);
        } else if (result.rows() > 0) {
          // Made before the accumulator was added or changed: a part must not pass for the whole.
          LOG.warn("Left out accumulator {}: a result does not carry it", accumulator.name());
          return Map.of();
        }
      }
      if (parts.isEmpty()) {
        return Map.of();
      }
      A merged = combineFn.mergeAccumulators(parts);
      return accumulator.entries().apply(combineFn.extractOutput(merged));
    }

    private @Nullable A decode(byte[] encoded) {
      try {
        return CoderUtils.decodeFromByteArray(coder, encoded);
      } catch (CoderException | RuntimeException e) {
        LOG.warn("Cannot decode accumulator {}", accumulator.name(), e);
        return null;
      }
    }
  }

  /** An accumulator under way. */
  static final class Live<A> {
    private final String name;
    private final CombineFn<Row, A, ?> combineFn;
    private final Coder<A> coder;
    private A accumulator;

    Live(String name, CombineFn<Row, A, ?> combineFn, Coder<A> coder) {
      this.name = name;
      this.combineFn = combineFn;
      this.coder = coder;
      this.accumulator = combineFn.createAccumulator();
    }

    String name() {
      return name;
    }

    void add(Row row) {
      accumulator = combineFn.addInput(accumulator, row);
    }

    byte[] encode() throws CoderException {
      return CoderUtils.encodeToByteArray(coder, combineFn.compact(accumulator));
    }
  }
}
