package dev.tidemark.flink.testing;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Ids from 0 to a limit at a steady rate, resumed from checkpoints. A split takes every n-th id.
 * The element timestamp of an id is a fixed instant plus that many millis, so it does not depend on
 * when it is read. Either the input ends after the last id, or it stays open.
 */
public final class IdSource extends UnboundedSource<Long, IdSource.Mark> {
  private static final long serialVersionUID = 1L;

  public static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private static volatile long hold = Long.MAX_VALUE;

  private final long limit;
  private final long perSecond;
  private final boolean ends;
  private final int split;
  private final int splits;

  private IdSource(long limit, long perSecond, boolean ends, int split, int splits) {
    this.limit = limit;
    this.perSecond = perSecond;
    this.ends = ends;
    this.split = split;
    this.splits = splits;
  }

  public static IdSource of(long limit, long perSecond, boolean ends) {
    return new IdSource(limit, perSecond, ends, 0, 1);
  }

  /** Holds all sources of this process before an id, until told otherwise. */
  public static void holdBefore(long id) {
    hold = id;
  }

  /** Lets all sources of this process go on. */
  public static void release() {
    hold = Long.MAX_VALUE;
  }

  /** The next id of a split. */
  public static final class Mark implements UnboundedSource.CheckpointMark, Serializable {
    private static final long serialVersionUID = 1L;
    private final long next;

    Mark(long next) {
      this.next = next;
    }

    @Override
    public void finalizeCheckpoint() {}
  }

  @Override
  public List<IdSource> split(int desiredNumSplits, PipelineOptions options) {
    List<IdSource> all = new ArrayList<>();
    for (int i = 0; i < desiredNumSplits; i++) {
      all.add(new IdSource(limit, perSecond, ends, i, desiredNumSplits));
    }
    return all;
  }

  @Override
  public UnboundedReader<Long> createReader(PipelineOptions options, Mark mark) {
    return new Reader(mark == null ? split : mark.next);
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return SerializableCoder.of(Mark.class);
  }

  @Override
  public Coder<Long> getOutputCoder() {
    return VarLongCoder.of();
  }

  private final class Reader extends UnboundedReader<Long> {
    private final long startNanos = System.nanoTime();
    private final long first;
    private long next;
    private long current = -1;

    Reader(long first) {
      this.first = first;
      this.next = first;
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      long allowed = first + splits * (elapsed * perSecond / splits / 1000);
      if (next >= limit || next > allowed || next >= hold) {
        return false;
      }
      current = next;
      next += splits;
      return true;
    }

    @Override
    public Long getCurrent() {
      if (current < 0) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public Instant getCurrentTimestamp() {
      return START.plus(Duration.millis(current));
    }

    @Override
    public Instant getWatermark() {
      return next >= limit && ends
          ? BoundedWindow.TIMESTAMP_MAX_VALUE
          : START.plus(Duration.millis(next));
    }

    @Override
    public Mark getCheckpointMark() {
      Crashes.point("checkpoint mark");
      return new Mark(next);
    }

    @Override
    public UnboundedSource<Long, ?> getCurrentSource() {
      return IdSource.this;
    }

    @Override
    public void close() throws IOException {}
  }
}
