package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.facts;
import static dev.tidemark.finalization.FinalizationTestUtils.stats;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class LateAlertsTest {

  private static final LateAlertOptions HOURLY =
      LateAlertOptions.standard().withWindow(Duration.standardHours(1));

  private final SettableClock clock = new SettableClock();

  @Test
  public void hourAlertsOnceWithinAWindow() {
    LateAlerts alerts = new LateAlerts(HOURLY, clock);

    assertThat(hours(alerts.offer("t", late(1, T0 - HOUR))), contains(T0 - HOUR));
    clock.millis += HOUR - 1;
    assertThat(alerts.offer("t", late(2, T0 - HOUR)), is(empty()));
    clock.millis += 1;
    assertThat(hours(alerts.offer("t", late(3, T0 - HOUR))), contains(T0 - HOUR));
  }

  @Test
  public void hoursAndTablesAlertEachOnTheirOwn() {
    LateAlerts alerts = new LateAlerts(HOURLY, clock);

    assertThat(
        hours(alerts.offer("t", late(1, T0 - HOUR, T0 - 2 * HOUR))),
        contains(T0 - 2 * HOUR, T0 - HOUR));
    assertThat(
        hours(alerts.offer("t", late(2, T0 - HOUR, T0 - 3 * HOUR))), contains(T0 - 3 * HOUR));
    assertThat(hours(alerts.offer("u", late(3, T0 - HOUR))), contains(T0 - HOUR));
  }

  @Test
  public void recordsAddUpUntilTheyExceedTheThreshold() {
    LateAlerts alerts = new LateAlerts(HOURLY.withThreshold(2), clock);

    assertThat(alerts.offer("t", late(1, T0 - 1)), is(empty()));
    assertThat(alerts.offer("t", late(2, T0 - 1)), is(empty()));
    List<LateAlert> third = alerts.offer("t", late(3, T0 - 1));

    assertThat(third, hasSize(1));
    assertThat(third.get(0).records(), is(3L));
    assertThat(third.get(0).exact(), is(true));
    assertThat(third.get(0).report().snapshotId(), is(3L));
    assertThat(third.get(0).toText(), containsString("Table t received 3 late records"));
    assertThat(alerts.offer("t", late(4, T0 - 1)), is(empty()));
  }

  @Test
  public void recordsOfEarlierWindowsDoNotAddUp() {
    LateAlerts alerts = new LateAlerts(HOURLY.withThreshold(1), clock);

    assertThat(alerts.offer("t", late(1, T0 - 1)), is(empty()));
    clock.millis += HOUR;
    assertThat(alerts.offer("t", late(2, T0 - 1)), is(empty()));
  }

  @Test
  public void backfillMutesAlertsAndLeavesNoTrace() {
    LateAlerts alerts = new LateAlerts(HOURLY.withBackfill(true), clock);

    assertThat(alerts.offer("t", late(1, T0 - 1)), is(empty()));
  }

  @Test
  public void recordsOfNoKnownHourAlertTogether() {
    LateAlerts alerts = new LateAlerts(HOURLY, clock);
    CommitFacts past = CommitFacts.of("eu", 1, T0, stats(T0).withPastCount(4), null);

    List<LateAlert> first = alerts.offer("t", LatenessReport.of(past, T0, HOUR));

    assertThat(first, hasSize(1));
    assertThat(first.get(0).hourMillis(), is(nullValue()));
    assertThat(first.get(0).records(), is(4L));
    assertThat(first.get(0).toText(), containsString("of no known hour"));
    assertThat(
        alerts.offer("t", LatenessReport.of(CommitFacts.unknown("eu", 2, T0, 5), T0, HOUR)),
        is(empty()));
  }

  @Test
  public void recordsWithoutCountsAlertForTheEarliestHour() {
    LateAlerts alerts = new LateAlerts(HOURLY, clock);
    CommitFacts facts = facts("eu", 1, T0, T0 - 5 * HOUR + MINUTE, T0).withoutBuckets();

    List<LateAlert> first = alerts.offer("t", LatenessReport.of(facts, T0, HOUR));

    assertThat(hours(first), contains(T0 - 5 * HOUR));
    assertThat(first.get(0).exact(), is(false));
  }

  @Test
  public void oldestHoursAreForgottenWhereThereAreTooMany() {
    LateAlerts alerts = new LateAlerts(HOURLY, clock);
    for (int i = 0; i <= LateAlerts.MAX_REMEMBERED; i++) {
      assertThat(alerts.offer("t" + i, late(i, T0 - 1)), hasSize(1));
    }

    assertThat(alerts.offer("t" + LateAlerts.MAX_REMEMBERED, late(1, T0 - 1)), is(empty()));
    assertThat(alerts.offer("t0", late(1, T0 - 1)), hasSize(1));
  }

  @Test
  public void optionsOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> HOURLY.withThreshold(-1));
    assertThrows(IllegalArgumentException.class, () -> HOURLY.withWindow(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class, () -> HOURLY.withWindow(Duration.standardDays(32)));
  }

  private static LatenessReport late(long snapshotId, long... eventTimesMillis) {
    return LatenessReport.of(facts("eu", snapshotId, T0, eventTimesMillis), T0, HOUR);
  }

  private static List<Long> hours(List<LateAlert> alerts) {
    return alerts.stream().map(LateAlert::hourMillis).collect(Collectors.toList());
  }

  private static final class SettableClock extends Clock {
    long millis = T0;

    @Override
    public long millis() {
      return millis;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
