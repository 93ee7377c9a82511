package dev.tidemark.examples.demo;

import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumRecordCoder;
import java.io.Serializable;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/**
 * Delivers the steps of a {@link ReplayPlan}, each one after the checkpoint that holds the one
 * before it completed, so that each step becomes a commit of its own. The input ends after the last
 * one.
 */
final class ReplaySource extends UnboundedSource<DebeziumRecord, ReplaySource.Mark> {
  private static final int CHECKPOINTS_AFTER_THE_END = 2;
  private static final AtomicInteger CONFIRMED_STEPS = new AtomicInteger();
  private static final AtomicInteger CONFIRMED_ENDS = new AtomicInteger();

  private final long startMillis;

  ReplaySource(Instant start) {
    this.startMillis = start.getMillis();
  }

  /** Steps that a completed checkpoint holds. */
  static int confirmedSteps() {
    return CONFIRMED_STEPS.get();
  }

  /** The next event to deliver. */
  static final class Mark implements UnboundedSource.CheckpointMark, Serializable {
    private final int step;
    private final int index;
    private final boolean end;

    Mark(int step, int index, boolean end) {
      this.step = step;
      this.index = index;
      this.end = end;
    }

    @Override
    public void finalizeCheckpoint() {
      CONFIRMED_STEPS.accumulateAndGet(step, Math::max);
      if (end) {
        CONFIRMED_ENDS.incrementAndGet();
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Mark that
          && step == that.step
          && index == that.index
          && end == that.end;
    }

    @Override
    public int hashCode() {
      return 31 * step + index;
    }
  }

  @Override
  public List<ReplaySource> split(int desiredNumSplits, PipelineOptions options) {
    return List.of(this);
  }

  @Override
  public UnboundedReader<DebeziumRecord> createReader(PipelineOptions options, Mark mark) {
    ReplayPlan plan = ReplayPlan.startingAt(Instant.ofEpochMilli(startMillis));
    return new Reader(plan, mark == null ? 0 : mark.step, mark == null ? 0 : mark.index);
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return SerializableCoder.of(Mark.class);
  }

  @Override
  public Coder<DebeziumRecord> getOutputCoder() {
    return DebeziumRecordCoder.of();
  }

  private final class Reader extends UnboundedReader<DebeziumRecord> {
    private final ReplayPlan plan;
    private int step;
    private int index;
    private ReplayPlan.Delivery current;

    Reader(ReplayPlan plan, int step, int index) {
      this.plan = plan;
      this.step = step;
      this.index = index;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      if (isAtEnd() || step > CONFIRMED_STEPS.get()) {
        return false;
      }
      current = plan.steps().get(step).get(index++);
      if (index == plan.steps().get(step).size()) {
        step++;
        index = 0;
      }
      return true;
    }

    private boolean isAtEnd() {
      return step == plan.steps().size();
    }

    @Override
    public DebeziumRecord getCurrent() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current.record();
    }

    @Override
    public Instant getCurrentTimestamp() {
      return current.eventTime();
    }

    @Override
    public Instant getWatermark() {
      if (isAtEnd() && CONFIRMED_ENDS.get() >= CHECKPOINTS_AFTER_THE_END) {
        return BoundedWindow.TIMESTAMP_MAX_VALUE;
      }
      return plan.oldestFrom(Math.min(step, plan.steps().size() - 1));
    }

    @Override
    public Mark getCheckpointMark() {
      return new Mark(step, index, isAtEnd());
    }

    @Override
    public UnboundedSource<DebeziumRecord, ?> getCurrentSource() {
      return ReplaySource.this;
    }

    @Override
    public void close() {}
  }
}
