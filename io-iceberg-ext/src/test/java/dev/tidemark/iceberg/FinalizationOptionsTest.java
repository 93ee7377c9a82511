package dev.tidemark.iceberg;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Policies;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class FinalizationOptionsTest {
  private static final FinalizationOptions DEFAULTS = FinalizationOptions.defaults();

  @Test
  public void granularityDividesADayOrIsWholeDays() {
    for (Duration granularity :
        List.of(
            Duration.standardMinutes(15),
            Duration.standardMinutes(30),
            Duration.standardHours(8),
            Duration.standardDays(1),
            Duration.standardDays(31))) {
      assertThat(DEFAULTS.withGranularity(granularity).granularity(), is(granularity));
    }
    for (Duration granularity :
        List.of(
            Duration.ZERO,
            Duration.standardMinutes(-60),
            Duration.standardMinutes(10),
            Duration.standardMinutes(25),
            Duration.standardHours(5),
            Duration.standardHours(36),
            Duration.standardDays(32))) {
      IllegalArgumentException e =
          assertThrows(
              granularity.toString(),
              IllegalArgumentException.class,
              () -> DEFAULTS.withGranularity(granularity));
      assertThat(e.getMessage(), containsString("Invalid granularity: " + granularity));
    }
  }

  @Test
  public void requiredWritersAreWriterIds() {
    assertThat(
        DEFAULTS.withRequiredWriters(Set.of("eu", "us")).requiredWriters(), is(Set.of("eu", "us")));
    assertThrows(
        IllegalArgumentException.class, () -> DEFAULTS.withRequiredWriters(Set.of("eu west")));
  }

  @Test
  public void heartbeatsAreNeededWhereTheyCanMoveTheWatermark() {
    assertThat(DEFAULTS.needsHeartbeats("eu"), is(false));
    assertThat(
        DEFAULTS.withPolicy(Policies.inputWatermark(Duration.ZERO)).needsHeartbeats("eu"),
        is(true));
    assertThat(
        DEFAULTS
            .withPolicy(
                Policies.allOf(Policies.minOfMins(), Policies.inputWatermark(Duration.ZERO)))
            .needsHeartbeats("eu"),
        is(true));
    assertThat(
        DEFAULTS.withIdle(IdleHandling.wallClock(Duration.standardHours(1))).needsHeartbeats("eu"),
        is(true));
    assertThat(DEFAULTS.withRequiredWriters(Set.of("eu")).needsHeartbeats("eu"), is(false));
    assertThat(DEFAULTS.withRequiredWriters(Set.of("eu", "us")).needsHeartbeats("eu"), is(true));
  }

  @Test
  public void displayDataShowsEachSetting() {
    Map<String, String> items =
        DisplayItems.of(
            DEFAULTS
                .withPolicy(Policies.inputWatermark(Duration.standardMinutes(5)))
                .withIdle(IdleHandling.wallClock(Duration.standardHours(1)))
                .withGranularity(Duration.standardDays(1))
                .withRequiredWriters(Set.of("us", "eu"))
                .withLateAlerts(
                    LateAlertOptions.standard()
                        .withThreshold(9)
                        .withWindow(Duration.standardHours(2))
                        .withBackfill(true))
                .withLateDataListeners(
                    LateDataListener.logging(),
                    LateDataListener.webhook(URI.create("https://hooks.example/s3cret"))));

    assertThat(items, hasEntry("policy", "inputWatermark(PT5M)"));
    assertThat(items, hasEntry("idle", "WALL_CLOCK"));
    assertThat(items, hasEntry("granularity", "86400000"));
    assertThat(items, hasEntry("requiredWriters", "eu,us"));
    assertThat(items, hasEntry("lateThreshold", "9"));
    assertThat(items, hasEntry("lateWindow", "7200000"));
    assertThat(items, hasEntry("backfill", "true"));
    assertThat(items, hasEntry("lateListeners", "2"));
    assertThat(items.toString(), not(containsString("s3cret")));
  }
}
