package dev.tidemark.streamload;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only when told to; as a sleeper it moves instead of sleeping. */
final class ManualClock extends Clock implements Sleeper {
  private final AtomicLong millis =
      new AtomicLong(Instant.parse("2026-03-01T10:15:00Z").toEpochMilli());

  @Override
  public void sleep(long duration) {
    millis.addAndGet(duration);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("Cannot change the zone: it is UTC");
  }
}
