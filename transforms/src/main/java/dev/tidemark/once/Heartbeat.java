package dev.tidemark.once;

import com.google.auto.value.AutoValue;
import org.joda.time.Instant;

/**
 * A sign of life of a key, carried to the effect in order with the elements: everything that
 * arrived before it is handed to the effect before it or with it.
 */
@AutoValue
public abstract class Heartbeat {
  Heartbeat() {}

  /**
   * The watermark of the input when the heartbeat was made: no element with an earlier timestamp is
   * expected behind it. {@link
   * org.apache.beam.sdk.transforms.windowing.BoundedWindow#TIMESTAMP_MIN_VALUE} while the sources
   * do not know.
   */
  public abstract Instant inputWatermark();

  /** Processing time when the heartbeat was made. */
  public abstract Instant at();

  /** A heartbeat of the given input watermark and processing time. */
  public static Heartbeat of(Instant inputWatermark, Instant at) {
    return new AutoValue_Heartbeat(inputWatermark, at);
  }
}
