package dev.tidemark.arrow.testing;

import dev.tidemark.arrow.ArrowSchemas;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.FixedString;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.NanosDuration;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.OneOfType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.UuidLogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.VariableBytes;
import org.apache.beam.sdk.schemas.logicaltypes.VariableString;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/** Schemas of all types that columns hold, and rows of them with nulls and odd values. */
public final class RandomColumns {
  private static final int MAX_DEPTH = 3;
  private static final EnumerationType COLOURS = EnumerationType.create("RED", "GREEN", "BLUE");
  private static final OneOfType ONE_OF =
      OneOfType.create(
          Schema.Field.of("number", FieldType.INT64), Schema.Field.of("text", FieldType.STRING));
  private static final long[] ODD_DOUBLES = {
    0L, 0x8000000000000000L, 0x7ff8000000000000L, 0x7ff8000000000001L, 0xfff0000000000000L
  };
  private static final String[] TEXTS = {"", "a", "bc", "\u00e9\u4e2d\ud83d\ude00", "\ufffd", "\0"};

  /** The types of columns that hold no others. */
  private static final FieldType[] LEAVES = {
    FieldType.BYTE,
    FieldType.INT16,
    FieldType.INT32,
    FieldType.INT64,
    FieldType.FLOAT,
    FieldType.DOUBLE,
    FieldType.DECIMAL,
    FieldType.BOOLEAN,
    FieldType.STRING,
    FieldType.BYTES,
    FieldType.DATETIME,
    FieldType.logicalType(FixedPrecisionNumeric.of(9, 2)),
    FieldType.logicalType(FixedPrecisionNumeric.of(38, 10)),
    FieldType.logicalType(FixedPrecisionNumeric.of(60, 0)),
    FieldType.logicalType(SqlTypes.DATE),
    FieldType.logicalType(SqlTypes.TIME),
    FieldType.logicalType(SqlTypes.DATETIME),
    FieldType.logicalType(new MicrosInstant()),
    FieldType.logicalType(new NanosInstant()),
    FieldType.logicalType(new NanosDuration()),
    FieldType.logicalType(Timestamp.of(0)),
    FieldType.logicalType(Timestamp.of(3)),
    FieldType.logicalType(Timestamp.of(8)),
    FieldType.logicalType(new UuidLogicalType()),
    FieldType.logicalType(COLOURS),
    FieldType.logicalType(ONE_OF),
    FieldType.logicalType(FixedBytes.of(3)),
    FieldType.logicalType(VariableBytes.of(5)),
    FieldType.logicalType(FixedString.of(4)),
    FieldType.logicalType(VariableString.of(4))
  };

  private final Random random;

  /** Columns and rows of a random source. */
  public RandomColumns(Random random) {
    this.random = random;
  }

  /** A schema that has each type once, and one of each nested kind. */
  public static Schema allTypes() {
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < LEAVES.length; i++) {
      schema.addField(field("leaf" + i, LEAVES[i].withNullable(true)));
    }
    Schema nested =
        Schema.builder()
            .addField("required", FieldType.INT64)
            .addNullableField("text", FieldType.STRING)
            .addNullableField("numbers", FieldType.array(FieldType.INT32.withNullable(true)))
            .build();
    return schema
        .addNullableField("row", FieldType.row(nested))
        .addField("rows", FieldType.array(FieldType.row(nested).withNullable(true)))
        .addNullableField("texts", FieldType.iterable(FieldType.STRING))
        .addNullableField(
            "map", FieldType.map(FieldType.STRING, FieldType.row(nested).withNullable(true)))
        .build();
  }

  /** A schema of random types. */
  public Schema schema() {
    return schema(0);
  }

  private Schema schema(int depth) {
    Schema.Builder schema = Schema.builder();
    int fields = 1 + random.nextInt(depth == 0 ? 12 : 3);
    for (int i = 0; i < fields; i++) {
      schema.addField(field("f" + i, type(depth).withNullable(random.nextInt(4) > 0)));
    }
    return schema.build();
  }

  /** A field whose decimals have a precision and a scale. */
  private static Schema.Field field(String name, FieldType type) {
    return Schema.Field.of(name, type)
        .withOptions(
            Schema.Options.builder()
                .setOption(ArrowSchemas.PRECISION_OPTION, FieldType.INT32, 20)
                .setOption(ArrowSchemas.SCALE_OPTION, FieldType.INT32, 4));
  }

  private FieldType type(int depth) {
    return switch (depth == MAX_DEPTH ? 4 : random.nextInt(12)) {
      case 0 -> FieldType.array(type(depth + 1).withNullable(random.nextBoolean()));
      case 1 -> FieldType.iterable(type(depth + 1).withNullable(random.nextBoolean()));
      case 2 -> FieldType.map(key(), type(depth + 1).withNullable(random.nextBoolean()));
      case 3 -> FieldType.row(schema(depth + 1));
      default -> LEAVES[random.nextInt(LEAVES.length)];
    };
  }

  /** The type of a key; not bytes, by which rows do not find what is in their maps. */
  private FieldType key() {
    FieldType type = LEAVES[random.nextInt(LEAVES.length)];
    FieldType base =
        type.getTypeName().isLogicalType() ? type.getLogicalType().getBaseType() : type;
    return base.getTypeName() == TypeName.BYTES ? key() : type;
  }

  /** A row. */
  public Row row(Schema schema) {
    List<Object> values = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      values.add(nullable(field.getType()));
    }
    return Row.withSchema(schema).attachValues(values);
  }

  private Object nullable(FieldType type) {
    return type.getNullable() && random.nextInt(5) == 0 ? null : value(type);
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
      case DECIMAL -> decimal(20, 4);
      case BOOLEAN -> random.nextBoolean();
      case STRING -> random.nextInt(10) == 0 ? "x".repeat(random.nextInt(300)) : text();
      case BYTES -> bytes(random.nextInt(5));
      case DATETIME -> Instant.ofEpochMilli(random.nextLong() >> random.nextInt(64));
      case ARRAY, ITERABLE -> {
        List<Object> elements = new ArrayList<>();
        for (int i = random.nextInt(7); i > 0; i--) {
          elements.add(nullable(type.getCollectionElementType()));
        }
        yield elements;
      }
      case MAP -> {
        Map<Object, Object> entries = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          entries.put(value(type.getMapKeyType()), nullable(type.getMapValueType()));
        }
        yield entries;
      }
      case ROW -> row(type.getRowSchema());
      case LOGICAL_TYPE -> logical(type.getLogicalType());
    };
  }

  private Object logical(LogicalType<?, ?> type) {
    if (type instanceof FixedPrecisionNumeric) {
      Row argument = (Row) type.getArgument();
      return decimal(argument.getInt32("precision"), argument.getInt32("scale"));
    }
    if (type instanceof FixedBytes) {
      return bytes(3);
    } else if (type instanceof VariableBytes) {
      return bytes(random.nextInt(5));
    } else if (type instanceof FixedString) {
      return "four";
    } else if (type instanceof VariableString) {
      return "ab".substring(random.nextInt(3));
    }
    long second = random.nextInt() * 2L;
    return switch (type.getIdentifier()) {
      case "beam:logical_type:date:v1" -> LocalDate.ofEpochDay(random.nextInt(200_000) - 100_000);
      case "beam:logical_type:time:v1" ->
          LocalTime.ofNanoOfDay(random.nextInt(86_400) * 1_000_000_000L + micros());
      case "beam:logical_type:datetime:v1" ->
          LocalDateTime.of(1970, 1, 1, 0, 0).plusSeconds(second).plusNanos(micros());
      case "beam:logical_type:micros_instant:v1" ->
          java.time.Instant.ofEpochSecond(second, micros());
      case "beam:logical_type:nanos_duration:v1" ->
          java.time.Duration.ofSeconds(second, random.nextInt(1_000_000_000));
      case "beam:logical_type:nanos_instant:v1" ->
          java.time.Instant.ofEpochSecond(second, random.nextInt(1_000_000_000));
      case "beam:logical_type:timestamp:v1" -> {
        int unit = (int) Math.pow(10, 9 - (Integer) type.getArgument());
        yield java.time.Instant.ofEpochSecond(
            second, random.nextInt(1_000_000_000) / unit * (long) unit);
      }
      case UuidLogicalType.IDENTIFIER -> new UUID(random.nextLong(), random.nextLong());
      case EnumerationType.IDENTIFIER -> COLOURS.valueOf(random.nextInt(3));
      case OneOfType.IDENTIFIER ->
          random.nextBoolean()
              ? ONE_OF.createValue("number", random.nextLong())
              : ONE_OF.createValue("text", text());
      default -> throw new AssertionError(type.getIdentifier());
    };
  }

  private long micros() {
    return 1_000L * random.nextInt(1_000_000);
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private BigDecimal decimal(int precision, int scale) {
    BigInteger limit = BigInteger.TEN.pow(1 + random.nextInt(precision));
    BigInteger unscaled = new BigInteger(limit.bitLength() + 1, random).mod(limit);
    return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
  }
}
