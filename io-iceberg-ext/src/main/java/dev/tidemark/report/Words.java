package dev.tidemark.report;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.checkerframework.checker.nullness.qual.Nullable;

/** How times, durations and numbers read on a page. */
final class Words {
  private static final DateTimeFormatter FULL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter SHORT =
      DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE d MMM", Locale.ENGLISH);
  private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

  private final ZoneId zone;

  Words(ZoneId zone) {
    this.zone = zone;
  }

  ZoneId zone() {
    return zone;
  }

  String zoneName() {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }

  String full(@Nullable Instant at) {
    return at == null ? "-" : FULL.withZone(zone).format(at);
  }

  String shortTime(@Nullable Instant at) {
    return at == null ? "?" : SHORT.withZone(zone).format(at);
  }

  String day(Instant at) {
    return DAY.withZone(zone).format(at);
  }

  String hour(Instant at) {
    return HOUR.withZone(zone).format(at);
  }

  String finalTime(FinalTime time) {
    if (time.open()) {
      return time.notBefore() == null ? "open" : "open, or since " + full(time.notBefore());
    } else if (time.exact() != null) {
      return full(time.exact());
    }
    return time.notBefore() == null
        ? "at or before " + full(time.notAfter())
        : full(time.notBefore()) + " to " + full(time.notAfter());
  }

  /** The two largest units, of hours rounded to a minute. */
  static String duration(Duration duration) {
    Duration size = duration.abs();
    if (size.toMinutes() >= 59) {
      size = Duration.ofMinutes(size.plusSeconds(30).toMinutes());
    }
    if (size.toDays() > 0) {
      return unit(size.toDays(), "d", size.toHoursPart(), "h");
    } else if (size.toHours() > 0) {
      return unit(size.toHours(), "h", size.toMinutesPart(), "min");
    } else if (size.toMinutes() > 0) {
      return unit(size.toMinutes(), "min", size.toSecondsPart(), "s");
    }
    return size.toSeconds() + " s";
  }

  private static String unit(long large, String unit, int small, String smaller) {
    return small == 0 ? large + " " + unit : large + " " + unit + " " + small + " " + smaller;
  }

  /** Later or earlier by so much. */
  static String delta(@Nullable Duration delta) {
    if (delta == null) {
      return "not known";
    } else if (delta.abs().toSeconds() == 0) {
      return "same";
    }
    return duration(delta) + (delta.isNegative() ? " earlier" : " later");
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String count(long number, String one, String many) {
    return count(number) + " " + (number == 1 ? one : many);
  }

  static String late(LateCount late) {
    return late.exact() ? count(late.least()) : count(late.least()) + " to " + count(late.most());
  }
}
