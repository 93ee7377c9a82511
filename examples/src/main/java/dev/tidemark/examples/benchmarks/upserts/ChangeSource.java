package dev.tidemark.examples.benchmarks.upserts;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.examples.benchmarks.materializer.CompilerRest;
import dev.tidemark.examples.benchmarks.materializer.RowChange;
import dev.tidemark.examples.benchmarks.materializer.Workload;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.DelegateCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/**
 * The changes of a workload, as fast as they are taken. Cannot be restored.
 *
 * <p>It pauses before those to measure, until what came before has left the pipeline, which it does
 * with the next checkpoint, and until the compiler has caught up.
 */
final class ChangeSource extends UnboundedSource<Change, ChangeSource.Mark> {
  static final Schema SCHEMA =
      Schema.builder()
          .addInt32Field("key")
          .addInt64Field("upsert_key")
          .addStringField("payload")
          .addInt64Field("version")
          .build();

  private static final Instant TIMESTAMP = Instant.EPOCH;

  private final Workload workload;
  private final int payloadLength;
  private final double factor;

  ChangeSource(Workload workload, int payloadLength, double factor) {
    this.workload = workload;
    this.payloadLength = payloadLength;
    this.factor = factor;
  }

  @Override
  public List<ChangeSource> split(int desiredSplits, PipelineOptions options) {
    return List.of(this);
  }

  @Override
  public UnboundedReader<Change> createReader(PipelineOptions options, @Nullable Mark mark) {
    if (mark != null) {
      throw new IllegalStateException("Cannot restore a benchmark. Run it again.");
    }
    return new Reader(this);
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return DelegateCoder.of(VarLongCoder.of(), mark -> mark.taken, Mark::new);
  }

  @Override
  public Coder<Change> getOutputCoder() {
    return ChangeCoder.of(SCHEMA);
  }

  /** How many changes were taken. */
  static final class Mark implements UnboundedSource.CheckpointMark {
    private final long taken;

    Mark(long taken) {
      this.taken = taken;
    }

    @Override
    public void finalizeCheckpoint() {}
  }

  private static final class Reader extends UnboundedReader<Change> {
    private final ChangeSource source;
    private final Workload.Changes changes;
    private long taken;
    private boolean pausing;
    private boolean measuring;

    /** Looks from the first checkpoint of the pause on. */
    private @Nullable CompilerRest rest;

    private @Nullable Change current;

    Reader(ChangeSource source) {
      this.source = source;
      this.changes = source.workload.changes(source.factor);
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      if (!changes.hasNext()) {
        current = null;
        return false;
      }
      if (taken == changes.before() && !measuring) {
        if (!isQuiet()) {
          current = null;
          return false;
        }
        measuring = true;
        CpuMeter.begin(changes.size() - changes.before());
      }
      taken++;
      RowChange next = changes.next();
      current =
          Change.of(
              next.kind(),
              Row.withSchema(SCHEMA)
                  .attachValues(
                      next.key(),
                      next.upsertKey(),
                      next.payload(source.payloadLength),
                      (long) next.version()));
      return true;
    }

    private boolean isQuiet() {
      pausing = true;
      return rest != null && rest.reached();
    }

    @Override
    public Change getCurrent() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return TIMESTAMP;
    }

    @Override
    public Instant getWatermark() {
      return changes.hasNext() ? TIMESTAMP : BoundedWindow.TIMESTAMP_MAX_VALUE;
    }

    @Override
    public Mark getCheckpointMark() {
      if (pausing && rest == null) {
        rest = new CompilerRest();
      }
      return new Mark(taken);
    }

    @Override
    public ChangeSource getCurrentSource() {
      return source;
    }

    @Override
    public void close() {}
  }
}
