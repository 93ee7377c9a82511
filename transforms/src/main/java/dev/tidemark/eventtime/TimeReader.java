package dev.tidemark.eventtime;

import com.google.common.collect.ImmutableSet;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Set;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.joda.time.ReadableInstant;

/** Turns a value of one column type into milliseconds, or {@link EventTimeExtractor#UNPARSABLE}. */
interface TimeReader {
  long millis(Object value);

  /** Logical types whose values are {@link Instant}s. */
  Set<String> INSTANTS =
      ImmutableSet.of(MicrosInstant.IDENTIFIER, NanosInstant.IDENTIFIER, Timestamp.IDENTIFIER);

  /** Picks the reader for a column, or says why there is none. */
  static TimeReader forColumn(EventTimeExtractor extractor, ColumnPath column) {
    FieldType type = column.type();
    EventTimeUnit unit = extractor.unit();
    String format = extractor.format();
    ZoneId zone = extractor.zone();
    if (unit != null && format != null) {
      throw unusable(column, type, "a unit and a format exclude each other. Set one");
    }
    TypeName name = type.getTypeName();
    if (format != null && name != TypeName.STRING) {
      throw unusable(column, type, "a format applies to STRING only. Remove it");
    }
    if (name == TypeName.INT64) {
      EventTimeUnit used = unit == null ? EventTimeUnit.MILLIS : unit;
      return value -> used.toMillis((Long) value);
    } else if (name == TypeName.INT32) {
      if (unit != EventTimeUnit.SECONDS) {
        throw unusable(column, type, "it only holds seconds. Set withUnit(SECONDS)");
      }
      return value -> EventTimeUnit.SECONDS.toMillis((Integer) value);
    } else if (name == TypeName.STRING) {
      return unit == null ? TextTimes.reader(format, zone) : TextTimes.numbers(unit);
    }
    if (unit != null) {
      throw unusable(column, type, "a unit applies to numbers only. Remove it");
    }
    return forTimeType(column, type, zone);
  }

  private static TimeReader forTimeType(ColumnPath column, FieldType type, ZoneId zone) {
    if (type.getTypeName() == TypeName.DATETIME) {
      return value -> ((ReadableInstant) value).getMillis();
    }
    String identifier = ColumnPath.typeName(type);
    if (INSTANTS.contains(identifier)) {
      return value -> EventTimeUnit.toMillis((Instant) value);
    } else if (identifier.equals(SqlTypes.DATETIME.getIdentifier())) {
      return value -> TextTimes.millis((LocalDateTime) value, zone);
    } else if (identifier.equals(SqlTypes.DATE.getIdentifier())) {
      return value -> TextTimes.millis(((LocalDate) value).atStartOfDay(), zone);
    }
    throw unusable(
        column,
        type,
        "it holds no instant. Use INT64, INT32, STRING, DATETIME, or the logical types for"
            + " instants, local date-times or dates");
  }

  private static IllegalArgumentException unusable(
      ColumnPath column, FieldType type, String reason) {
    return new IllegalArgumentException(
        String.format(
            "Cannot read event time of column %s of type %s: %s.",
            column, ColumnPath.typeName(type), reason));
  }
}
