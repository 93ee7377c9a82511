package dev.tidemark.examples.week;

import java.io.Serializable;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The clock of a region: what the simulation says, and what the region's own clock is wrong by. All
 * clocks of this process go together.
 */
final class SimulatedClock extends Clock implements Serializable {
  private static final AtomicInteger HOUR = new AtomicInteger();

  private final Scenario scenario;
  private final Region region;

  SimulatedClock(Scenario scenario, Region region) {
    this.scenario = scenario;
    this.region = region;
  }

  /** The hour that ended last. */
  static int hour() {
    return HOUR.get();
  }

  static void set(int hour) {
    HOUR.set(hour);
  }

  @Override
  public long millis() {
    int hour = hour();
    return Scenario.endOf(hour) + scenario.skewMillis(region, hour);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  /** There is no other zone in the simulation. */
  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SimulatedClock that
        && region == that.region
        && scenario.days() == that.scenario.days();
  }

  @Override
  public int hashCode() {
    return region.hashCode();
  }
}
