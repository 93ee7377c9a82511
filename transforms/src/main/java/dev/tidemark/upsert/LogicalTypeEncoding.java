package dev.tidemark.upsert;

import java.time.Instant;
import java.time.LocalDateTime;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.DateTime;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Logical types, as values of their base types. */
final class LogicalTypeEncoding extends ValueEncoding {
  private static final int NANOS_PER_MICRO = 1_000;

  private final LogicalType<Object, Object> type;
  private final ValueEncoding base;

  /** Of base types that are rows. */
  private final @Nullable Schema baseSchema;

  @SuppressWarnings("unchecked") // The values of a row are of the types its schema says.
  LogicalTypeEncoding(LogicalType<?, ?> type, ValueEncoding base) {
    this.type = (LogicalType<Object, Object>) type;
    this.base = base;
    this.baseSchema = type.getBaseType().getRowSchema();
  }

  @Override
  void encode(Object value, EncodingBuffer out) {
    base.encode(toBase(value), out);
  }

  /**
   * As the type does it. Rows of times that it makes have all of their values checked against the
   * schema, which takes longer than to encode them.
   */
  private Object toBase(Object value) {
    if (type.getClass() == DateTime.class && value instanceof LocalDateTime time) {
      return Row.withSchema(baseSchema)
          .attachValues(time.toLocalDate().toEpochDay(), time.toLocalTime().toNanoOfDay());
    }
    if (type.getClass() == MicrosInstant.class
        && value instanceof Instant time
        && time.getNano() % NANOS_PER_MICRO == 0) {
      return Row.withSchema(baseSchema)
          .attachValues(time.getEpochSecond(), time.getNano() / NANOS_PER_MICRO);
    }
    return type.toBaseType(value);
  }

  @Override
  Object decode(DecodingCursor in) {
    Object value = base.decode(in);
    try {
      return type.toInputType(value);
    } catch (RuntimeException e) {
      throw DecodingCursor.corrupt("invalid value of type " + type.getIdentifier(), e);
    }
  }
}
