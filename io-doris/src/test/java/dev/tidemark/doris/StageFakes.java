package dev.tidemark.doris;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.OutputBuilder;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** What a runner hands to a function, for tests that are the runner. */
final class StageFakes {
  private StageFakes() {}

  /** A cell of a shard. */
  static final class Cell<T> implements ValueState<T> {
    private final Map<ShardKey, T> values;
    private final ShardKey shard;

    Cell(Map<ShardKey, T> values, ShardKey shard) {
      this.values = values;
      this.shard = shard;
    }

    @Override
    public void write(T value) {
      values.put(shard, value);
    }

    @Override
    public @Nullable T read() {
      return values.get(shard);
    }

    @Override
    public ValueState<T> readLater() {
      return this;
    }

    @Override
    public void clear() {
      values.remove(shard);
    }
  }

  /** A timer that never fires by itself. */
  static final class IdleTimer implements Timer {
    @Override
    public void set(Instant absoluteTime) {}

    @Override
    public void setRelative() {}

    @Override
    public void clear() {}

    @Override
    public Timer offset(Duration offset) {
      return this;
    }

    @Override
    public Timer align(Duration period) {
      return this;
    }

    @Override
    public Timer withOutputTimestamp(Instant outputTime) {
      return this;
    }

    @Override
    public Timer withNoOutputTimestamp() {
      return this;
    }

    @Override
    public Instant getCurrentRelativeTime() {
      return Instant.EPOCH;
    }
  }

  /** What a function put out, by tag. */
  static final class Outputs implements DoFn.MultiOutputReceiver {
    private final Map<TupleTag<?>, List<Object>> byTag = new HashMap<>();

    private List<Object> listOf(TupleTag<?> tag) {
      return byTag.computeIfAbsent(tag, t -> new ArrayList<>());
    }

    @SuppressWarnings("unchecked") // lists of a tag hold elements of its type
    <T> List<T> take(TupleTag<T> tag) {
      List<T> taken = new ArrayList<>((List<T>) listOf(tag));
      listOf(tag).clear();
      return taken;
    }

    <T> void add(TupleTag<T> tag, T value) {
      listOf(tag).add(value);
    }

    @Override
    public <T> DoFn.OutputReceiver<T> get(TupleTag<T> tag) {
      return new DoFn.OutputReceiver<>() {
        @Override
        public void output(T value) {
          add(tag, value);
        }

        @Override
        public void outputWithTimestamp(T value, Instant timestamp) {
          add(tag, value);
        }

        @Override
        public OutputBuilder<T> builder(T value) {
          throw new UnsupportedOperationException();
        }
      };
    }

    @Override
    public <T> DoFn.OutputReceiver<Row> getRowReceiver(TupleTag<T> tag) {
      throw new UnsupportedOperationException();
    }

    /** The context of the end of a bundle of a function whose main output has this tag. */
    <I, O> DoFn<I, O>.FinishBundleContext finishOf(DoFn<I, O> fn, TupleTag<O> main) {
      return fn.new FinishBundleContext() {
        @Override
        public PipelineOptions getPipelineOptions() {
          return PipelineOptionsFactory.create();
        }

        @Override
        public void output(O output, Instant timestamp, BoundedWindow window) {
          add(main, output);
        }

        @Override
        public <T> void output(TupleTag<T> tag, T output, Instant timestamp, BoundedWindow window) {
          add(tag, output);
        }
      };
    }
  }
}
