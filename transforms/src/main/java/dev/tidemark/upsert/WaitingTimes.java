package dev.tidemark.upsert;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.VarLongCoder;

/** What a shard knows of the changes that wait in it to be sorted. */
@AutoValue
abstract class WaitingTimes {
  /** Nothing waits, nothing ever did. */
  static final WaitingTimes NONE = of(0, Long.MAX_VALUE, Long.MAX_VALUE);

  static final Coder<WaitingTimes> CODER = new WaitingTimesCoder();

  WaitingTimes() {}

  /** The number that the next batch gets. */
  abstract long nextArrival();

  /** The timestamp of the oldest change that waits. */
  abstract long oldestMillis();

  /** When the timer is to fire. */
  abstract long armedMillis();

  static WaitingTimes of(long nextArrival, long oldestMillis, long armedMillis) {
    return new AutoValue_WaitingTimes(nextArrival, oldestMillis, armedMillis);
  }

  /** With one batch more; the timer comes no later than it was to come. */
  WaitingTimes plus(long oldestOfBatchMillis, long armedOfBatchMillis) {
    return of(
        nextArrival() + 1,
        Math.min(oldestMillis(), oldestOfBatchMillis),
        Math.min(armedMillis(), armedOfBatchMillis));
  }

  /** Version byte 1, next arrival as a varint, the times as 8 bytes each. */
  private static final class WaitingTimesCoder extends AtomicCoder<WaitingTimes> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private static final VarLongCoder VAR = VarLongCoder.of();
    private static final BigEndianLongCoder FIXED = BigEndianLongCoder.of();

    @Override
    public void encode(WaitingTimes times, OutputStream out) throws IOException {
      out.write(VERSION);
      VAR.encode(times.nextArrival(), out);
      FIXED.encode(times.oldestMillis(), out);
      FIXED.encode(times.armedMillis(), out);
    }

    @Override
    public WaitingTimes decode(InputStream in) throws IOException {
      int version = in.read();
      if (version != VERSION) {
        throw new CoderException(
            String.format(
                "Cannot decode waiting times: version %d is not known (must be %d). Run the release that wrote them, or a newer one",
                version, VERSION));
      }
      return of(VAR.decode(in), FIXED.decode(in), FIXED.decode(in));
    }
  }
}
