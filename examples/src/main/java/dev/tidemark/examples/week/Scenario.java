package dev.tidemark.examples.week;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What happens in the simulated time, hour by hour: a pure function of the number of days, so that
 * pipelines, drawing and audit need not tell each other.
 *
 * <p>At the end of hour {@code n} the clock stands at {@code START + n hours}, and each region gets
 * what happened during that hour.
 */
final class Scenario implements Serializable {
  static final Instant START = Instant.parse("2026-06-01T00:00:00Z");
  static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

  /** What the policy allows for: stragglers come within it, late changes come after it. */
  static final Duration LOOKBACK = Duration.ofHours(2);

  static final int LOOKBACK_COMMITS = 3;
  static final Duration IDLE_AFTER = Duration.ofHours(6);
  static final Duration SKEW = Duration.ofMinutes(40);
  static final String BACKFILL_WRITER = "backfill";
  static final Region IDLE = Region.SA;
  static final Region SKEWED = Region.ASIA;

  private static final int STOP_HOUR = 9;
  private static final int OUTAGE_HOURS = 3;
  private static final int CRASH_HOUR = 20;
  private static final int HOURS_BETWEEN_LATE = 37;
  private static final int LATE_CHANGES = 3;
  private static final int BACKFILLED_HOURS = 12;
  private static final int BACKFILLED_PER_HOUR = 6;
  private static final long FIRST_BACKFILL_ID = 9_000_000;

  private final int days;

  Scenario(int days) {
    if (days < 2 || days > 14) {
      throw new IllegalArgumentException("Invalid number of days: " + days + " (must be 2 to 14)");
    }
    this.days = days;
  }

  int days() {
    return days;
  }

  int hours() {
    return 24 * days;
  }

  static long endOf(int hour) {
    return START.toEpochMilli() + hour * HOUR_MILLIS;
  }

  /** The hour that ended last at a time. */
  static int hourAt(long millis) {
    return (int) Math.floorDiv(millis - START.toEpochMilli(), HOUR_MILLIS);
  }

  boolean isIdle(Region region, int hour) {
    return region == IDLE && hour > hours() * 45 / 100 && hour <= hours() * 72 / 100;
  }

  /** By how much the clock of a region is ahead. */
  long skewMillis(Region region, int hour) {
    boolean skewed = region == SKEWED && hour > hours() / 5 && hour <= hours() / 2;
    return skewed ? SKEW.toMillis() : 0;
  }

  /** The region that is stopped with a savepoint at the end of an hour, another one every day. */
  Region stoppedAt(int hour) {
    return hour % 24 == STOP_HOUR ? Region.ofDay(hour / 24) : null;
  }

  /** The region that is restored from its savepoint at the end of an hour. */
  Region restoredAt(int hour) {
    return hour % 24 == STOP_HOUR + OUTAGE_HOURS ? Region.ofDay(hour / 24) : null;
  }

  /** The region whose pipeline crashes during an hour; one that has something to do. */
  Region crashedAt(int hour) {
    if (hour % 24 != CRASH_HOUR) {
      return null;
    }
    Region region = Region.ofDay(hour / 24 + 2);
    return isIdle(region, hour) ? Region.ofDay(hour / 24 + 3) : region;
  }

  /** Crashes take turns at the two places where something could be lost or doubled. */
  static CrashPlan.Place placeOfCrashAt(int hour) {
    return hour / 24 % 2 == 0 ? CrashPlan.Place.AFTER_COMMIT : CrashPlan.Place.AT_A_ROW;
  }

  boolean isBackfilledAt(int hour) {
    return hour == hours() * 6 / 10;
  }

  /** Changes of a time long past, written by a pipeline of its own. */
  List<Delivery> backfill() {
    SplittableRandom random = new SplittableRandom(FIRST_BACKFILL_ID);
    List<Delivery> all = new ArrayList<>();
    int first = hours() / 5;
    for (int hour = first; hour < first + BACKFILLED_HOURS; hour++) {
      for (int i = 0; i < BACKFILLED_PER_HOUR; i++) {
        all.add(
            new Delivery(
                FIRST_BACKFILL_ID + all.size(),
                "archive",
                endOf(hour) + random.nextLong(HOUR_MILLIS),
                true));
      }
    }
    return all;
  }

  /** What a region gets at the end of an hour, in this order. */
  List<Delivery> delivered(Region region, int hour) {
    if (isIdle(region, hour)) {
      return List.of();
    }
    long first = 1_000_000L * (region.number() + 1) + 1_000L * hour;
    SplittableRandom random = new SplittableRandom(first);
    List<Delivery> all = new ArrayList<>();
    int count = 8 + (int) (5 * Math.sin((hour + 6.0 * region.number()) * Math.PI / 12));
    for (int i = 0; i < count; i++) {
      all.add(delivery(first + i, region, hour, minutesBehind(random), false));
    }
    if (isLateAt(region, hour)) {
      int least = Math.min(12, hour - 1);
      for (int i = 0; i < LATE_CHANGES; i++) {
        int behind = 60 * Math.min(hour, least + random.nextInt(12)) - random.nextInt(60);
        all.add(delivery(first + count + i, region, hour, behind, true));
      }
    }
    return all;
  }

  private Delivery delivery(long id, Region region, int hour, int minutesBehind, boolean late) {
    long at = endOf(hour) - Duration.ofMinutes(minutesBehind).toMillis();
    return new Delivery(id, region.writerId(), at + skewMillis(region, hour), late);
  }

  /** Most of the last hour, some out of order, and a few stragglers within the lookback. */
  private static int minutesBehind(SplittableRandom random) {
    int of100 = random.nextInt(100);
    int behind = random.nextInt(60);
    if (of100 < 5) {
      return 80 + random.nextInt(31);
    }
    return of100 < 15 ? behind + 20 : behind;
  }

  private boolean isLateAt(Region region, int hour) {
    return hour > 12 && (hour + 9 * region.number()) % HOURS_BETWEEN_LATE == 0;
  }
}
