package dev.tidemark.upsert;

import org.apache.beam.sdk.schemas.Schema.LogicalType;

/** Logical types, as values of their base types. */
final class LogicalTypeEncoding extends ValueEncoding {
  private final LogicalType<Object, Object> type;
  private final ValueEncoding base;

  @SuppressWarnings("unchecked") // The values of a row are of the types its schema says.
  LogicalTypeEncoding(LogicalType<?, ?> type, ValueEncoding base) {
    this.type = (LogicalType<Object, Object>) type;
    this.base = base;
  }

  @Override
  void encode(Object value, EncodingBuffer out) {
    base.encode(type.toBaseType(value), out);
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
