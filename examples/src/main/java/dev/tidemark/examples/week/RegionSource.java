package dev.tidemark.examples.week;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import java.io.Serializable;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.options.PipelineOptions;
import org.joda.time.Instant;

/**
 * Delivers what a region gets, hour by hour as the clock goes, resumed from checkpoints. It never
 * ends.
 */
final class RegionSource extends UnboundedSource<Change, RegionSource.Mark> {
  private final Scenario scenario;
  private final Region region;

  RegionSource(Scenario scenario, Region region) {
    this.scenario = scenario;
    this.region = region;
  }

  /** The next change to deliver: its hour, and its place in that hour. */
  record Mark(int hour, int index) implements UnboundedSource.CheckpointMark, Serializable {
    @Override
    public void finalizeCheckpoint() {}
  }

  @Override
  public List<RegionSource> split(int desiredNumSplits, PipelineOptions options) {
    return List.of(this);
  }

  @Override
  public UnboundedReader<Change> createReader(PipelineOptions options, Mark mark) {
    return new Reader(mark == null ? new Mark(1, 0) : mark);
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return SerializableCoder.of(Mark.class);
  }

  @Override
  public Coder<Change> getOutputCoder() {
    return ChangeCoder.of(Delivery.SCHEMA);
  }

  private final class Reader extends UnboundedReader<Change> {
    private int hour;
    private int index;
    private List<Delivery> deliveries;
    private Delivery current;

    Reader(Mark mark) {
      this.hour = mark.hour();
      this.index = mark.index();
      this.deliveries = scenario.delivered(region, hour);
    }

    @Override
    public boolean start() {
      return advance();
    }

    @Override
    public boolean advance() {
      while (hour <= SimulatedClock.hour()) {
        if (index < deliveries.size()) {
          current = deliveries.get(index++);
          return true;
        }
        deliveries = scenario.delivered(region, ++hour);
        index = 0;
      }
      return false;
    }

    @Override
    public Change getCurrent() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current.change();
    }

    @Override
    public Instant getCurrentTimestamp() {
      return Instant.ofEpochMilli(current.eventMillis());
    }

    /** What is late by the policy is what the source does not foresee either. */
    @Override
    public Instant getWatermark() {
      return Instant.ofEpochMilli(Scenario.endOf(hour) - Scenario.LOOKBACK.toMillis());
    }

    @Override
    public Mark getCheckpointMark() {
      return new Mark(hour, index);
    }

    @Override
    public UnboundedSource<Change, ?> getCurrentSource() {
      return RegionSource.this;
    }

    @Override
    public void close() {}
  }
}
