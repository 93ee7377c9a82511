package dev.tidemark.datafile;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Rows of any table schema, with nulls, empty parts and extreme values among them. */
final class RandomRows {
  private static final String[] STRINGS = {
    "", "null", "a/b", "a=b", "\u00e4\u00f6", "😀", " x ", "%2F"
  };

  private final Random random;

  RandomRows(long seed) {
    this.random = new Random(seed);
  }

  Row row(Types.StructType struct, Schema schema) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Types.NestedField field : struct.fields()) {
      values.add(optional(field, schema.getField(field.name()).getType()));
    }
    return Row.withSchema(schema).addValues(values).build();
  }

  private @Nullable Object optional(Types.NestedField field, Schema.FieldType type) {
    return field.isOptional() && random.nextInt(4) == 0 ? null : value(field.type(), type);
  }

  private Object value(Type type, Schema.FieldType beam) {
    return switch (type.typeId()) {
      case STRUCT -> row(type.asStructType(), beam.getRowSchema());
      case LIST -> list(type.asListType(), beam);
      case MAP -> map(type.asMapType(), beam);
      case BOOLEAN -> random.nextBoolean();
      case INTEGER -> one(random.nextInt(), Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
      case LONG -> one(random.nextLong(), Long.MIN_VALUE, Long.MAX_VALUE, 0L);
      case FLOAT -> one(random.nextFloat(), Float.NaN, Float.NEGATIVE_INFINITY, -0.0f);
      case DOUBLE -> one(random.nextDouble(), Double.NaN, Double.POSITIVE_INFINITY, -0.0);
      case DECIMAL -> decimal((Types.DecimalType) type);
      case DATE ->
          one(
              LocalDate.ofEpochDay(random.nextInt(100_000) - 50_000),
              LocalDate.EPOCH,
              LocalDate.of(1, 1, 1),
              LocalDate.of(9999, 12, 31));
      case TIME -> LocalTime.ofNanoOfDay(1000L * Math.floorMod(random.nextLong(), 86_400_000_000L));
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? instant(1000)
              : LocalDateTime.ofInstant(instant(1000), ZoneOffset.UTC);
      case TIMESTAMP_NANO ->
          ((Types.TimestampNanoType) type).shouldAdjustToUTC()
              ? instant(1)
              : LocalDateTime.ofInstant(instant(1), ZoneOffset.UTC);
      case STRING ->
          random.nextBoolean()
              ? STRINGS[random.nextInt(STRINGS.length)]
              : Long.toString(random.nextLong(), 36);
      case UUID -> new UUID(random.nextLong(), random.nextLong());
      case FIXED -> bytes(((Types.FixedType) type).length());
      case BINARY -> bytes(random.nextInt(20));
      default -> throw new AssertionError(type);
    };
  }

  @SafeVarargs
  private final <T> T one(T common, T... extremes) {
    int chosen = random.nextInt(4 * extremes.length);
    return chosen < extremes.length ? extremes[chosen] : common;
  }

  private List<@Nullable Object> list(Types.ListType type, Schema.FieldType beam) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(optional(type.fields().get(0), beam.getCollectionElementType()));
    }
    return list;
  }

  private Map<Object, @Nullable Object> map(Types.MapType type, Schema.FieldType beam) {
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(
          value(type.keyType(), beam.getMapKeyType()),
          optional(type.fields().get(1), beam.getMapValueType()));
    }
    return map;
  }

  private BigDecimal decimal(Types.DecimalType type) {
    BigInteger limit = BigInteger.TEN.pow(type.precision());
    BigInteger unscaled =
        one(
            new BigInteger(200, random).mod(limit),
            BigInteger.ZERO,
            limit.subtract(BigInteger.ONE),
            limit.subtract(BigInteger.ONE).negate());
    return new BigDecimal(unscaled, type.scale());
  }

  private Instant instant(int unitNanos) {
    return Instant.ofEpochSecond(
        random.nextInt(), (long) random.nextInt(1_000_000_000) / unitNanos * unitNanos);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
