package dev.tidemark.doris.emulator;

import dev.tidemark.doris.emulator.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Reads the values of one Arrow vector as those of a column, if a backend would read them right.
 */
abstract class ArrowColumn {

  private static final ZoneOffset PLUS_8 = ZoneOffset.ofHours(8);

  private final FieldVector vector;

  private ArrowColumn(FieldVector vector) {
    this.vector = vector;
  }

  /** The value of a row that is not null there. */
  abstract @Nullable Object valueAt(int row) throws RefusedException;

  @Nullable Object read(int row) throws RefusedException {
    return vector.isNull(row) ? null : valueAt(row);
  }

  /** Reads values; named by a method that may refuse. */
  private interface Values {
    @Nullable Object at(int row) throws RefusedException;
  }

  private static ArrowColumn reading(FieldVector vector, Values values) {
    return new ArrowColumn(vector) {
      @Override
      @Nullable Object valueAt(int row) throws RefusedException {
        return values.at(row);
      }
    };
  }

  /**
   * A reader of a vector.
   *
   * @param name the column, for messages
   */
  static ArrowColumn of(String name, ColumnType type, FieldVector vector, ArrowRules rules)
      throws LoadFailedException, RefusedException {
    if (vector.getField().getDictionary() != null) {
      throw refused(name, type, vector, "is a dictionary, of which a backend loads the indices");
    }
    return switch (type.kind()) {
      case BOOLEAN -> booleans(name, type, vector);
      case TINYINT, SMALLINT, INT, BIGINT -> integers(name, type, vector);
      case LARGEINT -> largeIntegers(name, type, vector);
      case FLOAT, DOUBLE -> floats(name, type, vector);
      case DECIMAL -> decimals(name, type, vector);
      case DATE -> dates(name, type, vector);
      case DATETIME -> datetimes(name, type, vector, rules);
      case CHAR, VARCHAR, STRING -> texts(name, type, vector);
      case IPV6 -> utf8(name, type, vector);
      case JSON, VARIANT -> json(name, type, vector, rules);
      case ARRAY -> arrays(name, type, vector, rules);
      case MAP -> maps(name, type, vector, rules);
      case STRUCT -> structs(name, type, vector, rules);
      case IPV4, BITMAP, HLL ->
          throw refused(name, type, vector, "cannot be loaded from Arrow by every backend");
    };
  }

  private static RefusedException refused(
      String name, ColumnType type, FieldVector vector, String why) {
    return new RefusedException(
        "Cannot load column "
            + name
            + ", type "
            + type
            + ", from Arrow type "
            + vector.getField().getType()
            + ": it "
            + why);
  }

  private static ArrowColumn booleans(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    if (!(vector instanceof BitVector bits)) {
      throw refused(name, type, vector, "crashes a backend. Send Bool");
    }
    return reading(vector, row -> bits.get(row) == 1);
  }

  private static ArrowColumn integers(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    int bits =
        switch (type.kind()) {
          case TINYINT -> 8;
          case SMALLINT -> 16;
          case INT -> 32;
          default -> 64;
        };
    if (!(vector instanceof BaseIntVector integers)
        || !vector.getField().getType().equals(new ArrowType.Int(bits, true))) {
      throw refused(name, type, vector, "is read as garbage by a backend. Send Int" + bits);
    }
    return reading(vector, integers::getValueAsLong);
  }

  private static ArrowColumn largeIntegers(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    if (!(vector instanceof VarCharVector texts)) {
      throw refused(name, type, vector, "is read as garbage by a backend. Send Utf8 with digits");
    }
    return reading(
        vector,
        row -> {
          String text = new String(texts.get(row), StandardCharsets.UTF_8);
          try {
            return TextValues.parseInteger(Kind.LARGEINT, text);
          } catch (BadValueException e) {
            throw refused(name, type, vector, "has a text in row " + row + " that is no number");
          }
        });
  }

  private static ArrowColumn floats(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    boolean single = type.kind() == Kind.FLOAT;
    FloatingPointPrecision wanted =
        single ? FloatingPointPrecision.SINGLE : FloatingPointPrecision.DOUBLE;
    if (!vector.getField().getType().equals(new ArrowType.FloatingPoint(wanted))) {
      throw refused(
          name, type, vector, "is read as garbage by a backend. Send Float" + (single ? 32 : 64));
    }
    return single
        ? reading(vector, ((Float4Vector) vector)::get)
        : reading(vector, ((Float8Vector) vector)::get);
  }

  private static ArrowColumn decimals(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    boolean wide = type.precision() > 38;
    if (wide ? !(vector instanceof Decimal256Vector) : !(vector instanceof DecimalVector)) {
      throw refused(name, type, vector, "crashes a backend. Send Decimal" + (wide ? "256" : "128"));
    }
    ArrowType.Decimal decimal = (ArrowType.Decimal) vector.getField().getType();
    if (decimal.getScale() != type.scale()) {
      throw refused(
          name,
          type,
          vector,
          "is off by a power of ten, as a backend does not rescale. Send scale " + type.scale());
    }
    BigInteger limit = BigInteger.TEN.pow(type.precision());
    return reading(
        vector,
        row -> {
          BigDecimal value = (BigDecimal) vector.getObject(row);
          if (value.unscaledValue().abs().compareTo(limit) >= 0) {
            throw refused(
                name, type, vector, "has more digits in row " + row + ", which wrap around");
          }
          return value;
        });
  }

  private static ArrowColumn dates(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    if (!(vector instanceof DateDayVector days)
        || !vector.getField().getType().equals(new ArrowType.Date(DateUnit.DAY))) {
      throw refused(name, type, vector, "crashes a backend. Send Date32");
    }
    return reading(vector, row -> LocalDate.ofEpochDay(days.get(row)));
  }

  private static ArrowColumn datetimes(
      String name, ColumnType type, FieldVector vector, ArrowRules rules)
      throws LoadFailedException {
    if (!(vector instanceof TimeStampVector instants)) {
      throw LoadFailedException.internal(
          "not support convert to datetimev2 from arrow type:" + vector.getField().getType());
    }
    ArrowType.Timestamp timestamp = (ArrowType.Timestamp) vector.getField().getType();
    boolean wallClock =
        timestamp.getTimezone() == null && rules.datetimes() == DatetimeBehaviour.WALL_CLOCK;
    ZoneOffset face = wallClock ? ZoneOffset.UTC : PLUS_8;
    ChronoUnit unit = unitOf(timestamp.getUnit());
    long truncateTo = BigInteger.TEN.pow(9 - type.scale()).longValueExact();
    return reading(
        vector,
        row -> {
          long epoch = instants.get(row);
          if (epoch < 0 && rules.datetimes() == DatetimeBehaviour.LEGACY_PLUS_8) {
            throw refused(
                name,
                type,
                vector,
                "is before 1970 in row " + row + ", which older backends break");
          }
          LocalDateTime value = LocalDateTime.ofInstant(Instant.EPOCH.plus(epoch, unit), face);
          return value.minusNanos(value.get(ChronoField.NANO_OF_SECOND) % truncateTo);
        });
  }

  private static ChronoUnit unitOf(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> ChronoUnit.SECONDS;
      case MILLISECOND -> ChronoUnit.MILLIS;
      case MICROSECOND -> ChronoUnit.MICROS;
      case NANOSECOND -> ChronoUnit.NANOS;
    };
  }

  private static ArrowColumn texts(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    if (vector instanceof VarCharVector texts) {
      return reading(vector, row -> text(texts.get(row)));
    }
    if (vector instanceof VarBinaryVector binaries) {
      return reading(vector, row -> text(binaries.get(row)));
    }
    if (vector instanceof FixedSizeBinaryVector binaries) {
      return reading(vector, row -> text(binaries.get(row)));
    }
    throw refused(name, type, vector, "crashes some backends. Send Utf8 or Binary");
  }

  /** A text, or the bytes as they are if they are none. */
  private static Object text(byte[] bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return text.toString();
    } catch (CharacterCodingException e) {
      return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }
  }

  private static ArrowColumn utf8(String name, ColumnType type, FieldVector vector)
      throws RefusedException {
    if (!(vector instanceof VarCharVector texts)) {
      throw refused(name, type, vector, "crashes a backend. Send Utf8");
    }
    return reading(vector, row -> new String(texts.get(row), StandardCharsets.UTF_8));
  }

  private static ArrowColumn json(
      String name, ColumnType type, FieldVector vector, ArrowRules rules) throws RefusedException {
    if (!rules.jsonFromText() || !(vector instanceof VarCharVector texts)) {
      throw refused(
          name,
          type,
          vector,
          "is stored as it stands by backends before 4.1, which corrupts it. Use JSON as the format"
              + " of the load, or a STRING column");
    }
    return reading(
        vector,
        row -> {
          try {
            return TextValues.parse(type, new String(texts.get(row), StandardCharsets.UTF_8));
          } catch (BadValueException e) {
            throw refused(name, type, vector, "is not JSON in row " + row);
          }
        });
  }

  private static ArrowColumn arrays(
      String name, ColumnType type, FieldVector vector, ArrowRules rules)
      throws LoadFailedException, RefusedException {
    if (!(vector instanceof ListVector lists) || vector instanceof MapVector) {
      throw refused(name, type, vector, "crashes a backend. Send List");
    }
    ArrowColumn elements = of(name + "[]", type.children().get(0), lists.getDataVector(), rules);
    return reading(
        vector,
        row -> {
          List<@Nullable Object> values = new ArrayList<>();
          for (int i = lists.getElementStartIndex(row); i < lists.getElementEndIndex(row); i++) {
            values.add(elements.read(i));
          }
          return values;
        });
  }

  private static ArrowColumn maps(
      String name, ColumnType type, FieldVector vector, ArrowRules rules)
      throws LoadFailedException, RefusedException {
    if (!(vector instanceof MapVector maps)) {
      throw refused(name, type, vector, "crashes a backend. Send Map");
    }
    StructVector entries = (StructVector) maps.getDataVector();
    ArrowColumn keys =
        of(name + ".key", type.children().get(0), entries.getChildrenFromFields().get(0), rules);
    ArrowColumn values =
        of(name + ".value", type.children().get(1), entries.getChildrenFromFields().get(1), rules);
    return reading(
        vector,
        row -> {
          Map<Object, @Nullable Object> map = new LinkedHashMap<>();
          for (int i = maps.getElementStartIndex(row); i < maps.getElementEndIndex(row); i++) {
            Object key = keys.read(i);
            if (key == null) {
              throw refused(name, type, vector, "has a null key in row " + row);
            }
            map.put(key, values.read(i));
          }
          return map;
        });
  }

  private static ArrowColumn structs(
      String name, ColumnType type, FieldVector vector, ArrowRules rules)
      throws LoadFailedException, RefusedException {
    if (!(vector instanceof StructVector struct)
        || struct.getChildrenFromFields().size() != type.names().size()) {
      throw refused(
          name,
          type,
          vector,
          "crashes a backend. Send a Struct of " + type.names().size() + " fields");
    }
    List<ArrowColumn> fields = new ArrayList<>();
    for (int i = 0; i < type.names().size(); i++) {
      fields.add(
          of(
              name + "." + type.names().get(i),
              type.children().get(i),
              struct.getChildrenFromFields().get(i),
              rules));
    }
    return reading(
        vector,
        row -> {
          Map<Object, @Nullable Object> values = new LinkedHashMap<>();
          for (int i = 0; i < fields.size(); i++) {
            values.put(type.names().get(i), fields.get(i).read(row));
          }
          return values;
        });
  }
}
