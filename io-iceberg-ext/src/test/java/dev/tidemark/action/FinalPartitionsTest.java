package dev.tidemark.action;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.action.FinalPartitions.Partition;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class FinalPartitionsTest {
  private static final FinalPartitions HOURS = FinalPartitions.hours();
  private static final FinalPartitions BERLIN = FinalPartitions.days(ZoneId.of("Europe/Berlin"));

  private static List<String> names(FinalPartitions partitions, String since, String until) {
    return partitions.within(Instant.parse(since), Instant.parse(until)).stream()
        .map(Partition::name)
        .toList();
  }

  @Test
  public void onlyWholeHoursAreFinal() {
    assertThat(
        names(HOURS, "2026-01-01T22:00:00Z", "2026-01-02T01:00:00Z"),
        is(List.of("2026-01-02-00", "2026-01-01-23", "2026-01-01-22")));
    assertThat(
        names(HOURS, "2026-01-01T22:00:00.001Z", "2026-01-02T00:59:59.999Z"),
        is(List.of("2026-01-01-23")));
    assertThat(names(HOURS, "2026-01-01T22:00:00Z", "2026-01-01T22:30:00Z"), is(List.of()));
  }

  @Test
  public void daysFollowTheZoneAndItsSummerTime() {
    assertThat(
        names(BERLIN, "2026-03-27T23:00:00Z", "2026-03-29T22:00:00Z"),
        is(List.of("2026-03-29", "2026-03-28")));
    assertThat(
        names(BERLIN, "2026-03-27T23:00:00Z", "2026-03-29T21:59:59Z"), is(List.of("2026-03-28")));
    Partition autumn = BERLIN.containing(Instant.parse("2026-10-25T12:00:00Z"));
    assertThat(Duration.between(autumn.start(), autumn.end()), is(Duration.ofHours(25)));
  }

  @Test
  public void nothingIsFinalWhereItIsNotKnownSinceWhen() {
    assertThat(HOURS.within(null, Instant.parse("2026-01-01T00:00:00Z")), hasSize(0));
  }

  @Test
  public void newestAreTakenOfVeryMany() {
    List<String> names = names(HOURS, "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z");

    assertThat(names, hasSize(FinalPartitions.MOST));
    assertThat(names.get(0), is("2025-12-31-23"));
  }

  @Test
  public void namesAreReadBack() {
    for (FinalPartitions partitions : List.of(HOURS, BERLIN)) {
      for (Partition partition :
          partitions.within(
              Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-04-10T00:00:00Z"))) {
        assertThat(partitions.named(partition.name()), is(partition));
        assertThat(partitions.containing(partition.start()), is(partition));
        assertThat(partitions.after(partition), is(partitions.containing(partition.end())));
      }
    }
    assertThat(HOURS.named("2026-01-01"), is(nullValue()));
    assertThat(HOURS.named("2026-13-01-05"), is(nullValue()));
    assertThat(BERLIN.named("release-1"), is(nullValue()));
  }
}
