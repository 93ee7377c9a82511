package dev.tidemark.upsert;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.UuidLogicalType;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/** Schemas of all types and rows of them, with nulls and the odd values of each type. */
final class RandomRows {
  private static final int MAX_DEPTH = 3;
  private static final int SCALARS = 11;
  private static final long[] ODD_DOUBLES = {
    0L, 0x8000000000000000L, 0x7ff8000000000000L, 0x7ff8000000000001L, 0xfff0000000000000L
  };
  private static final String[] TEXTS = {"", "a", "b", "\u00e9\u4e2d\ud83d\ude00", "\ufffd", "\0"};
  private static final EnumerationType COLOURS = EnumerationType.create("RED", "GREEN");

  private final Random random;
  private final boolean logicalTypes;

  RandomRows(Random random, boolean logicalTypes) {
    this.random = random;
    this.logicalTypes = logicalTypes;
  }

  Schema schema() {
    return schema(0);
  }

  private Schema schema(int depth) {
    Schema.Builder schema = Schema.builder();
    int fields = random.nextInt(depth == 0 ? 20 : 4);
    for (int i = 0; i < fields; i++) {
      schema.addNullableField("f" + i, type(depth));
    }
    return schema.build();
  }

  private FieldType type(int depth) {
    if (logicalTypes && random.nextInt(4) == 0) {
      return switch (random.nextInt(5)) {
        case 0 -> FieldType.logicalType(SqlTypes.DATE);
        case 1 -> FieldType.logicalType(SqlTypes.DATETIME);
        case 2 -> FieldType.logicalType(new MicrosInstant());
        case 3 -> FieldType.logicalType(new UuidLogicalType());
        default -> FieldType.logicalType(COLOURS);
      };
    }
    return switch (random.nextInt(depth == MAX_DEPTH ? SCALARS : SCALARS + 4)) {
      case SCALARS -> FieldType.array(type(depth + 1).withNullable(true));
      case SCALARS + 1 -> FieldType.iterable(type(depth + 1).withNullable(true));
      case SCALARS + 2 ->
          FieldType.map(
              scalar(random.nextInt(SCALARS - 1)).withNullable(true),
              type(depth + 1).withNullable(true));
      case SCALARS + 3 -> FieldType.row(schema(depth + 1));
      default -> scalar(random.nextInt(SCALARS));
    };
  }

  private static FieldType scalar(int index) {
    return switch (index) {
      case 0 -> FieldType.BYTE;
      case 1 -> FieldType.INT16;
      case 2 -> FieldType.INT32;
      case 3 -> FieldType.INT64;
      case 4 -> FieldType.FLOAT;
      case 5 -> FieldType.DOUBLE;
      case 6 -> FieldType.DECIMAL;
      case 7 -> FieldType.BOOLEAN;
      case 8 -> FieldType.STRING;
      case 9 -> FieldType.DATETIME;
      default -> FieldType.BYTES;
    };
  }

  Row row(Schema schema) {
    List<Object> values = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      values.add(nullable(field.getType()));
    }
    return Row.withSchema(schema).addValues(values).build();
  }

  private Object nullable(FieldType type) {
    return random.nextInt(6) == 0 ? null : value(type);
  }

  private Object value(FieldType type) {
    return switch (type.getTypeName()) {
      case BYTE -> (byte) random.nextInt();
      case INT16 -> (short) random.nextInt();
      case INT32 -> random.nextInt();
      case INT64 -> random.nextLong();
      case FLOAT ->
          random.nextBoolean() ? Float.intBitsToFloat(random.nextInt()) : random.nextFloat();
      case DOUBLE ->
          random.nextBoolean()
              ? Double.longBitsToDouble(ODD_DOUBLES[random.nextInt(ODD_DOUBLES.length)])
              : random.nextGaussian();
      case DECIMAL ->
          new BigDecimal(
              new BigInteger(random.nextInt(100), random).negate(), random.nextInt(40) - 20);
      case BOOLEAN -> random.nextBoolean();
      case STRING ->
          random.nextInt(10) == 0
              ? "x".repeat(random.nextInt(300))
              : TEXTS[random.nextInt(TEXTS.length)];
      case DATETIME -> Instant.ofEpochMilli(random.nextLong() >> random.nextInt(64));
      case BYTES -> {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case ARRAY, ITERABLE -> {
        List<Object> elements = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
          elements.add(nullable(type.getCollectionElementType()));
        }
        yield elements;
      }
      case MAP -> {
        Map<Object, Object> entries = new HashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
          entries.put(nullable(type.getMapKeyType()), nullable(type.getMapValueType()));
        }
        yield entries;
      }
      case ROW -> row(type.getRowSchema());
      case LOGICAL_TYPE -> logical(type);
    };
  }

  private Object logical(FieldType type) {
    return switch (type.getLogicalType().getIdentifier()) {
      case UuidLogicalType.IDENTIFIER -> new UUID(random.nextLong(), random.nextLong());
      case "beam:logical_type:micros_instant:v1" ->
          java.time.Instant.ofEpochSecond(random.nextInt(), 1000L * random.nextInt(1_000_000));
      case EnumerationType.IDENTIFIER -> COLOURS.valueOf(random.nextInt(2));
      case "beam:logical_type:date:v1" -> LocalDate.ofEpochDay(random.nextInt(100_000));
      default -> LocalDateTime.of(2024, 1, 1, 0, 0).plusNanos(random.nextLong() >> 4);
    };
  }
}
