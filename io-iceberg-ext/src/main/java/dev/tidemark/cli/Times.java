package dev.tidemark.cli;

import dev.tidemark.sensor.EventTimeRange;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Times and durations as people write them. */
final class Times {
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private Times() {}

  static @Nullable ZoneId zone(@Nullable String name) {
    try {
      return name == null ? null : ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "Invalid --zone: %s (must be like Europe/Berlin, UTC or +02:00)".formatted(name), e);
    }
  }

  /** The instant of a start; a local time that occurs twice is the first one. */
  static Instant start(String option, String text, @Nullable ZoneId zone) {
    TemporalAccessor time = parse(option, text);
    return time instanceof ZonedDateTime zoned
        ? zoned.toInstant()
        : EventTimeRange.startOf((LocalDateTime) time, required(option, text, zone));
  }

  /** The instant of an end; a local time that occurs twice is the second one. */
  static Instant end(String option, String text, @Nullable ZoneId zone) {
    TemporalAccessor time = parse(option, text);
    return time instanceof ZonedDateTime zoned
        ? zoned.toInstant()
        : EventTimeRange.endOf((LocalDateTime) time, required(option, text, zone));
  }

  /** A duration such as {@code 30s}, {@code 2h} or {@code PT1H30M}. */
  static Duration duration(String option, String text) {
    Matcher matcher = SHORT.matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      return switch (matcher.group(2)) {
        case "ms" -> Duration.ofMillis(number);
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        case "h" -> Duration.ofHours(number);
        default -> Duration.ofDays(number);
      };
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "Invalid %s: %s (must be like 30s, 15m, 2h or PT1H30M)".formatted(option, text), e);
    }
  }

  /** A duration for people: its two largest units. */
  static String text(Duration duration) {
    Duration size = duration.abs();
    String sign = duration.isNegative() ? "-" : "";
    if (size.toDays() > 0) {
      return sign + size.toDays() + "d " + size.toHoursPart() + "h";
    } else if (size.toHours() > 0) {
      return sign + size.toHours() + "h " + size.toMinutesPart() + "m";
    } else if (size.toMinutes() > 0) {
      return sign + size.toMinutes() + "m " + size.toSecondsPart() + "s";
    }
    return sign + size.toSeconds() + "s";
  }

  private static TemporalAccessor parse(String option, String text) {
    String iso = text.strip().replaceFirst("^([0-9-]{10}) ", "$1T");
    try {
      return iso.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")
          ? LocalDate.parse(iso).atStartOfDay()
          : DateTimeFormatter.ISO_DATE_TIME.parseBest(
              iso, ZonedDateTime::from, LocalDateTime::from);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "Invalid %s: %s (must be like 2026-01-01T05:00Z, or with --zone 2026-01-01T05:00 or 2026-01-01)"
              .formatted(option, text),
          e);
    }
  }

  private static ZoneId required(String option, String text, @Nullable ZoneId zone) {
    if (zone == null) {
      throw new IllegalArgumentException(
          "Invalid %s: %s has no offset (must end in one, such as Z, or come with --zone)"
              .formatted(option, text));
    }
    return zone;
  }
}
