package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class EventTimeRangeTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static EventTimeRange local(String start, String end, ZoneId zone) {
    return EventTimeRange.of(LocalDateTime.parse(start), LocalDateTime.parse(end), zone);
  }

  private static EventTimeRange instants(String start, String end) {
    return EventTimeRange.of(Instant.parse(start), Instant.parse(end));
  }

  @Test
  public void dayIsCutByTheZone() {
    assertThat(
        local("2026-01-01T00:00", "2026-01-02T00:00", BERLIN),
        is(instants("2025-12-31T23:00:00Z", "2026-01-01T23:00:00Z")));
  }

  @Test
  public void dayOfTheChangeHasItsHours() {
    // Clocks go from 02:00 to 03:00 on 29 March, and from 03:00 to 02:00 on 25 October.
    assertThat(
        local("2026-03-29T00:00", "2026-03-30T00:00", BERLIN),
        is(instants("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z")));
    assertThat(
        local("2026-10-25T00:00", "2026-10-26T00:00", BERLIN),
        is(instants("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")));
  }

  @Test
  public void hourThatOccursTwiceIsHeldAsAWhole() {
    assertThat(
        local("2026-10-25T02:00", "2026-10-25T03:00", BERLIN),
        is(instants("2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z")));
    assertThat(
        local("2026-10-25T01:00", "2026-10-25T02:00", BERLIN),
        is(instants("2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z")));
    assertThat(
        local("2026-10-25T02:15", "2026-10-25T02:30", BERLIN),
        is(instants("2026-10-25T00:15:00Z", "2026-10-25T01:30:00Z")));
  }

  @Test
  public void skippedTimeIsTheMomentOfTheChange() {
    assertThat(
        local("2026-03-29T01:00", "2026-03-29T02:30", BERLIN),
        is(instants("2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z")));
    assertThrows(
        IllegalArgumentException.class,
        () -> local("2026-03-29T02:10", "2026-03-29T02:50", BERLIN));
  }

  @Test
  public void midnightMayBeSkipped() {
    ZoneId santiago = ZoneId.of("America/Santiago");
    // Clocks go from 24:00 of 5 September 2026 to 01:00.
    assertThat(
        local("2026-09-05T00:00", "2026-09-06T00:00", santiago).end(),
        is(local("2026-09-06T00:00", "2026-09-07T00:00", santiago).start()));
  }

  @Test
  public void instantIsInTheRangeOfItsLocalHour() {
    Random random = new Random(42);
    ZoneId[] zones = {
      BERLIN, ZoneId.of("Australia/Lord_Howe"), ZoneId.of("America/Santiago"), ZoneOffset.UTC
    };
    for (int i = 0; i < 20_000; i++) {
      ZoneId zone = zones[i % zones.length];
      Instant instant =
          Instant.parse("2020-01-01T00:00:00Z").plusSeconds(random.nextInt(10 * 365 * 86_400));
      LocalDateTime hour =
          LocalDateTime.ofInstant(instant, zone).truncatedTo(java.time.temporal.ChronoUnit.HOURS);

      EventTimeRange range = EventTimeRange.of(hour, hour.plusHours(1), zone);

      assertThat(
          instant + " in " + range, range.overlaps(instant, instant.plusMillis(1)), is(true));
    }
  }

  @Test
  public void rangeMustEndAfterItsStart() {
    assertThrows(
        IllegalArgumentException.class,
        () -> instants("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"));
    assertThrows(IllegalArgumentException.class, () -> EventTimeRange.until(Instant.MAX));
  }
}
