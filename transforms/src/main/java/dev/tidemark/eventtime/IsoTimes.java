package dev.tidemark.eventtime;

import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Reads {@code yyyy-MM-dd}, optionally followed by {@code T} or a space and {@code HH:mm}, {@code
 * HH:mm:ss} or {@code HH:mm:ss.f} (also with a comma; any number of digits, rounded down), and then
 * optionally by {@code Z} or an offset {@code +HH}, {@code +HHmm} or {@code +HH:mm}. Does without
 * exceptions, which would make streams with bad values slow.
 */
final class IsoTimes {
  private static final int DATE_LENGTH = 10;
  private static final int MAX_LENGTH = 64;

  private final String text;
  private int position;
  private boolean failed;

  private IsoTimes(String text) {
    this.text = text;
  }

  /** Milliseconds since the epoch, or {@link EventTimeExtractor#UNPARSABLE}. */
  static long millis(String text, ZoneId zone) {
    if (text.length() < DATE_LENGTH || text.length() > MAX_LENGTH) {
      return EventTimeExtractor.UNPARSABLE;
    }
    return new IsoTimes(text).read(zone);
  }

  private long read(ZoneId zone) {
    int year = digits(4, 0, 9999);
    expect('-');
    int month = digits(2, 1, 12);
    expect('-');
    int day = digits(2, 1, 31);
    int hour = 0;
    int minute = 0;
    int second = 0;
    int millis = 0;
    int offsetSeconds = 0;
    boolean hasOffset = false;
    if (skip('T') || skip('t') || skip(' ')) {
      hour = digits(2, 0, 23);
      expect(':');
      minute = digits(2, 0, 59);
      if (skip(':')) {
        second = digits(2, 0, 59);
        millis = skip('.') || skip(',') ? fraction() : 0;
      }
      hasOffset = position < text.length();
      offsetSeconds = hasOffset ? offset() : 0;
    }
    if (failed || position < text.length() || day > YearMonth.of(year, month).lengthOfMonth()) {
      return EventTimeExtractor.UNPARSABLE;
    }
    LocalDateTime local = LocalDateTime.of(year, month, day, hour, minute, second);
    if (!hasOffset) {
      return TextTimes.millis(local, zone) + millis;
    }
    long atUtc = TextTimes.millis(local, ZoneOffset.UTC);
    return atUtc - offsetSeconds * 1000L + millis;
  }

  private int offset() {
    if (skip('Z') || skip('z')) {
      return 0;
    }
    int sign = skip('-') ? -1 : 1;
    if (sign > 0) {
      expect('+');
    }
    int hours = digits(2, 0, 18);
    int minutes = position < text.length() && (skip(':') || !failed) ? digits(2, 0, 59) : 0;
    return sign * (hours * 3600 + minutes * 60);
  }

  private int fraction() {
    int millis = 0;
    int scale = 100;
    int from = position;
    while (position < text.length() && isDigit(text.charAt(position))) {
      millis += (text.charAt(position) - '0') * scale;
      scale /= 10;
      position++;
    }
    failed |= position == from;
    return millis;
  }

  private int digits(int count, int least, int greatest) {
    int value = 0;
    for (int i = 0; i < count; i++) {
      if (failed || position == text.length() || !isDigit(text.charAt(position))) {
        failed = true;
        return least;
      }
      value = value * 10 + text.charAt(position++) - '0';
    }
    failed |= value < least || value > greatest;
    return failed ? least : value;
  }

  private void expect(char expected) {
    failed |= !skip(expected);
  }

  private boolean skip(char expected) {
    if (failed || position == text.length() || text.charAt(position) != expected) {
      return false;
    }
    position++;
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
