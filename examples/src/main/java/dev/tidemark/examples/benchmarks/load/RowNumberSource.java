package dev.tidemark.examples.benchmarks.load;

import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.DelegateCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/** Row numbers from 0 on, as fast as they are taken. */
public final class RowNumberSource extends UnboundedSource<Long, RowNumberSource.Mark> {

  @Override
  public List<RowNumberSource> split(int desiredSplits, PipelineOptions options) {
    return List.of(this);
  }

  @Override
  public UnboundedReader<Long> createReader(PipelineOptions options, @Nullable Mark mark) {
    return new Reader(this, mark == null ? -1 : mark.last);
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return DelegateCoder.of(VarLongCoder.of(), mark -> mark.last, Mark::new);
  }

  @Override
  public Coder<Long> getOutputCoder() {
    return VarLongCoder.of();
  }

  /** The last number that was taken; tells the meter of each checkpoint that has completed. */
  static final class Mark implements UnboundedSource.CheckpointMark {
    private final long last;

    Mark(long last) {
      this.last = last;
    }

    @Override
    public void finalizeCheckpoint() {
      RegionMeter.checkpoint();
    }
  }

  private static final class Reader extends UnboundedReader<Long> {
    private static final int ROWS_PER_TIMESTAMP = 1 << 10;

    private final RowNumberSource source;
    private long last;
    private Instant timestamp = Instant.now();

    Reader(RowNumberSource source, long last) {
      this.source = source;
      this.last = last;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      last++;
      if ((last & (ROWS_PER_TIMESTAMP - 1)) == 0) {
        timestamp = Instant.now();
      }
      return true;
    }

    @Override
    public Long getCurrent() {
      if (last < 0) {
        throw new NoSuchElementException();
      }
      return last;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return timestamp;
    }

    @Override
    public Instant getWatermark() {
      return timestamp;
    }

    @Override
    public Mark getCheckpointMark() {
      return new Mark(last);
    }

    @Override
    public RowNumberSource getCurrentSource() {
      return source;
    }

    @Override
    public void close() {}
  }
}
