package dev.tidemark.upsert;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that all copies of a function in this process read; each look moves it by a step. */
final class SteppedClock extends Clock implements java.io.Serializable {
  private static final AtomicLong MILLIS = new AtomicLong();

  private final long stepMillis;

  SteppedClock(long stepMillis) {
    this.stepMillis = stepMillis;
  }

  static void set(long millis) {
    MILLIS.set(millis);
  }

  @Override
  public long millis() {
    return MILLIS.getAndAdd(stepMillis);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException();
  }
}
