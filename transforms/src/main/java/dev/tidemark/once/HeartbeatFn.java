package dev.tidemark.once;

import java.time.Clock;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Passes elements through and adds a heartbeat for each key at a fixed interval of processing time.
 *
 * <p>It stands before {@link PerformFn} and not in it, because only an arriving element can
 * register a bundle finalizer: without arrivals an idle key would never learn that a checkpoint
 * completed.
 */
final class HeartbeatFn<K, T> extends DoFn<KV<K, T>, KV<K, Arrival<T>>> {
  private static final Instant END_OF_TIME = GlobalWindow.INSTANCE.maxTimestamp();

  @TimerId("beat")
  private final TimerSpec beatSpec = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

  /** Fires at the end of the input; before that it is there to read the input watermark. */
  @TimerId("end")
  private final TimerSpec endSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

  private final Duration interval;

  /** Dates heartbeats; null for processing time. */
  private final @Nullable Clock clock;

  HeartbeatFn(Duration interval, @Nullable Clock clock) {
    this.interval = interval;
    this.clock = clock;
  }

  @ProcessElement
  public void process(
      @Element KV<K, T> element,
      @Timestamp Instant timestamp,
      @TimerId("beat") Timer beat,
      @TimerId("end") Timer end,
      OutputReceiver<KV<K, Arrival<T>>> out) {
    out.output(KV.of(element.getKey(), Arrival.element(element.getValue())));
    end.set(END_OF_TIME);
    arm(beat, timestamp, end.getCurrentRelativeTime());
  }

  @OnTimer("beat")
  public void beat(
      @Key K key,
      @Timestamp Instant timestamp,
      @TimerId("beat") Timer beat,
      @TimerId("end") Timer end,
      OutputReceiver<KV<K, Arrival<T>>> out) {
    Instant inputWatermark = end.getCurrentRelativeTime();
    if (!inputWatermark.isBefore(END_OF_TIME)) {
      return;
    }
    Instant at =
        clock == null ? beat.getCurrentRelativeTime() : Instant.ofEpochMilli(clock.millis());
    Heartbeat heartbeat = Heartbeat.of(inputWatermark, at);
    out.output(KV.of(key, Arrival.heartbeat(heartbeat)));
    arm(beat, timestamp, inputWatermark);
  }

  @OnTimer("end")
  public void end(@TimerId("beat") Timer beat) {
    beat.clear();
  }

  /**
   * Aligned, so that a stream of elements does not push the beat ahead of itself; the output
   * timestamp follows the watermark, so that a key holds it back for one interval at most.
   */
  private void arm(Timer beat, Instant timestamp, Instant inputWatermark) {
    Instant output = inputWatermark.isAfter(timestamp) ? inputWatermark : timestamp;
    if (output.isAfter(END_OF_TIME)) {
      output = END_OF_TIME;
    }
    if (output.isBefore(BoundedWindow.TIMESTAMP_MIN_VALUE)) {
      output = BoundedWindow.TIMESTAMP_MIN_VALUE;
    }
    beat.offset(Duration.millis(1)).align(interval).withOutputTimestamp(output).setRelative();
  }
}
