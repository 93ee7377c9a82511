package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** A stretch of time along a stretch of pixels. */
record TimeAxis(long fromMillis, long untilMillis, double fromPixel, double untilPixel) {
  static final double LABEL_WIDTH = 60;

  private static final long MINUTE = 60_000L;
  private static final long DAY = 24 * Hours.MILLIS;
  private static final ImmutableList<Long> STEPS =
      ImmutableList.of(
          MINUTE,
          5 * MINUTE,
          15 * MINUTE,
          30 * MINUTE,
          Hours.MILLIS,
          3 * Hours.MILLIS,
          6 * Hours.MILLIS,
          12 * Hours.MILLIS,
          DAY,
          2 * DAY,
          7 * DAY,
          14 * DAY,
          28 * DAY,
          91 * DAY,
          364 * DAY);

  double pixel(long millis) {
    double part = (millis - fromMillis) / (double) Math.max(1, untilMillis - fromMillis);
    double within = Math.min(1, Math.max(0, part));
    return fromPixel + within * (untilPixel - fromPixel);
  }

  double pixel(Instant at) {
    return pixel(at.toEpochMilli());
  }

  /** The smallest step of which there are at most so many. */
  long step(int most) {
    for (long step : STEPS) {
      if ((untilMillis - fromMillis) / step <= most) {
        return step;
      }
    }
    return (untilMillis - fromMillis) / most;
  }

  /** Round times of the zone's clock, a step apart. */
  List<Instant> ticks(int most, ZoneId zone) {
    long step = step(most);
    List<Instant> ticks = new ArrayList<>();
    LocalDate day = Instant.ofEpochMilli(fromMillis).atZone(zone).toLocalDate();
    LocalDate last = Instant.ofEpochMilli(untilMillis).atZone(zone).toLocalDate();
    long days = Math.max(1, step / DAY);
    if (days > 1) {
      day = day.minusDays(Math.floorMod(day.toEpochDay(), days));
    }
    for (; !day.isAfter(last); day = day.plusDays(days)) {
      long start = day.atStartOfDay(zone).toInstant().toEpochMilli();
      long end = day.plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli();
      for (long at = start; at < (step < DAY ? end : start + 1); at += Math.min(step, DAY)) {
        if (at >= fromMillis && at <= untilMillis) {
          ticks.add(Instant.ofEpochMilli(at));
        }
      }
    }
    return ticks;
  }

  /** The day where a day begins, the hour elsewhere. */
  static String label(Instant tick, Words words) {
    boolean midnight = tick.atZone(words.zone()).toLocalTime().equals(LocalTime.MIDNIGHT);
    return midnight ? words.day(tick) : words.hour(tick);
  }
}
