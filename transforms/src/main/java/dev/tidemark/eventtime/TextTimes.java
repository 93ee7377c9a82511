package dev.tidemark.eventtime;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Event times in texts, and local times in zones. */
final class TextTimes {
  private static final int MAX_DIGITS = 18;

  private TextTimes() {}

  static DateTimeFormatter formatter(String pattern) {
    try {
      return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid event-time format: %s (must be a pattern of java.time.format)", pattern),
          e);
    }
  }

  static TimeReader reader(@Nullable String pattern, ZoneId zone) {
    if (pattern == null) {
      return value -> IsoTimes.millis((String) value, zone);
    }
    DateTimeFormatter formatter = formatter(pattern);
    return value -> parse(formatter, (String) value, zone);
  }

  private static long parse(DateTimeFormatter formatter, String text, ZoneId zone) {
    try {
      TemporalAccessor time =
          formatter.parseBest(text, ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
      if (time instanceof ZonedDateTime zoned) {
        return EventTimeUnit.toMillis(zoned.toInstant());
      } else if (time instanceof LocalDateTime local) {
        return millis(local, zone);
      }
      return millis(((LocalDate) time).atStartOfDay(), zone);
    } catch (DateTimeException e) {
      // What a record says is counted by the caller, not an error of the pipeline.
      return EventTimeExtractor.UNPARSABLE;
    }
  }

  /** Reads decimal numbers. */
  static TimeReader numbers(EventTimeUnit unit) {
    return value -> number((String) value, unit);
  }

  private static long number(String text, EventTimeUnit unit) {
    boolean negative = text.startsWith("-");
    int from = negative ? 1 : 0;
    int digits = text.length() - from;
    if (digits < 1 || digits > MAX_DIGITS + 1) {
      return EventTimeExtractor.UNPARSABLE;
    }
    long number = 0;
    for (int i = from; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
        return EventTimeExtractor.UNPARSABLE;
      }
      number = number * 10 + digit;
    }
    return unit.toMillis(negative ? -number : number);
  }

  /** A local time in a zone: moved forward out of a gap, the earlier of two in an overlap. */
  static long millis(LocalDateTime local, ZoneId zone) {
    Instant instant =
        zone instanceof ZoneOffset offset
            ? local.toInstant(offset)
            : ZonedDateTime.ofLocal(local, zone, null).toInstant();
    return EventTimeUnit.toMillis(instant);
  }
}
