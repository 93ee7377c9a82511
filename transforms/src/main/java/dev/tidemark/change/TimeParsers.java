package dev.tidemark.change;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Parsers of dates, times and timestamps: numbers since the epoch (days for dates, otherwise in the
 * unit of the {@link Encoding}), or ISO-8601 text. Nothing is rounded: what is finer than the type
 * can hold is refused.
 */
final class TimeParsers {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int MILLIS_DIGITS = 3;
  private static final int MICROS_DIGITS = 6;
  private static final int NANOS_DIGITS = 9;

  private TimeParsers() {}

  /** The parser of a logical type, or null if it is none of time. */
  static @Nullable ValueParser of(FieldType type) {
    String identifier = type.getLogicalType().getIdentifier();
    if (identifier.equals(SqlTypes.DATE.getIdentifier())) {
      return guarded(type, TimeParsers::date);
    }
    if (identifier.equals(SqlTypes.TIME.getIdentifier())) {
      return guarded(type, TimeParsers::time);
    }
    if (identifier.equals(SqlTypes.DATETIME.getIdentifier())) {
      return guarded(type, TimeParsers::localTimestamp);
    }
    if (identifier.equals(MicrosInstant.IDENTIFIER)) {
      return guarded(type, (node, encoding) -> instant(node, encoding, MICROS_DIGITS));
    }
    if (identifier.equals(NanosInstant.IDENTIFIER)) {
      return guarded(type, (node, encoding) -> instant(node, encoding, NANOS_DIGITS));
    }
    if (identifier.equals(Timestamp.IDENTIFIER)) {
      int digits = type.getLogicalType(Timestamp.class).getArgument();
      return guarded(type, (node, encoding) -> instant(node, encoding, digits));
    }
    return null;
  }

  /** The parser of Beam's {@code DATETIME}, which keeps milliseconds. */
  static ValueParser jodaInstant() {
    return guarded(
        FieldType.DATETIME,
        (node, encoding) ->
            org.joda.time.Instant.ofEpochMilli(
                instant(node, encoding, MILLIS_DIGITS).toEpochMilli()));
  }

  private static ValueParser guarded(FieldType type, ValueParser parser) {
    return (node, encoding) -> {
      if (!node.isTextual() && !(node.isIntegralNumber() && node.canConvertToLong())) {
        throw ValueParser.mismatch(type, node);
      }
      try {
        return parser.parse(node, encoding);
      } catch (DateTimeException | ArithmeticException e) {
        // The cause may quote the value.
        throw new UnparsableChangeException(
            "text or number is not in the form or range of " + ValueParser.name(type));
      }
    };
  }

  private static Instant instant(JsonNode node, Encoding encoding, int digits)
      throws UnparsableChangeException {
    Instant instant =
        node.isTextual()
            ? OffsetDateTime.parse(node.textValue()).toInstant()
            : ofEpoch(node.longValue(), encoding.timeUnit());
    long granularity = 1;
    for (int i = digits; i < NANOS_DIGITS; i++) {
      granularity *= 10;
    }
    if (instant.get(ChronoField.NANO_OF_SECOND) % granularity != 0) {
      throw new UnparsableChangeException(
          String.format(
              "timestamp is finer than the %d decimals of its type. Declare a finer type, or the"
                  + " column's time unit",
              digits));
    }
    return instant;
  }

  private static LocalDateTime localTimestamp(JsonNode node, Encoding encoding) {
    return node.isTextual()
        ? LocalDateTime.parse(withoutZulu(node.textValue()))
        : LocalDateTime.ofInstant(ofEpoch(node.longValue(), encoding.timeUnit()), ZoneOffset.UTC);
  }

  private static LocalDate date(JsonNode node, Encoding encoding) {
    return node.isTextual()
        ? LocalDate.parse(withoutZulu(node.textValue()))
        : LocalDate.ofEpochDay(node.longValue());
  }

  private static LocalTime time(JsonNode node, Encoding encoding) {
    if (!node.isTextual()) {
      return LocalTime.ofNanoOfDay(
          Math.multiplyExact(node.longValue(), NANOS_PER_SECOND / perSecond(encoding.timeUnit())));
    }
    String text = withoutZulu(node.textValue());
    // Times with an offset are told in UTC, as Debezium does itself.
    return text.indexOf('+') >= 0 || text.indexOf('-') >= 0
        ? OffsetTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC).toLocalTime()
        : LocalTime.parse(text);
  }

  /** Debezium's ISO forms of types without a zone end in {@code Z} all the same. */
  private static String withoutZulu(String text) {
    return text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
  }

  private static Instant ofEpoch(long value, ChronoUnit unit) {
    long perSecond = perSecond(unit);
    return Instant.ofEpochSecond(
        Math.floorDiv(value, perSecond),
        Math.floorMod(value, perSecond) * (NANOS_PER_SECOND / perSecond));
  }

  private static long perSecond(ChronoUnit unit) {
    return switch (unit) {
      case MILLIS -> 1_000;
      case MICROS -> 1_000_000;
      case NANOS -> NANOS_PER_SECOND;
      default ->
          throw new IllegalArgumentException(
              String.format("Invalid time unit: %s (must be MILLIS, MICROS or NANOS)", unit));
    };
  }

  static ChronoUnit checkUnit(ChronoUnit unit) {
    perSecond(unit);
    return unit;
  }
}
