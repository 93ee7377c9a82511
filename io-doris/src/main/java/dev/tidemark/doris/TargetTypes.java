package dev.tidemark.doris;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Which Arrow type a column has to have on the wire. The server checks next to nothing: it copies
 * the bytes of what it takes for the right type, or breaks on an array of another class.
 */
final class TargetTypes {
  /** Says why a type is not taken, and what to do. */
  static final class Mismatch extends Exception {
    private static final long serialVersionUID = 1;

    Mismatch(String reason, String remedy) {
      super(reason + ". " + remedy);
    }
  }

  private static final ArrowType NAIVE_MICROS = new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
  private static final int WIDEST_DECIMAL_128 = 38;

  /** Whether buffers are forwarded, so that widening is not possible. */
  private final boolean forwarded;

  TargetTypes(boolean forwarded) {
    this.forwarded = forwarded;
  }

  /**
   * The field to send for a source field.
   *
   * @param type null where the server does not tell it: of elements of an array, for example
   */
  Field target(String name, Field source, @Nullable DorisType type) throws Mismatch {
    if (source.getDictionary() != null) {
      throw new Mismatch(
          "it is dictionary-encoded, and the server would take the indexes for values",
          "Decode the dictionary before");
    }
    DorisType.Kind kind = type == null ? kindOf(source) : type.kind();
    List<Field> children = children(kind, source, type);
    return new Field(name, FieldType.nullable(arrowType(kind, source, type)), children);
  }

  private ArrowType arrowType(DorisType.Kind kind, Field source, @Nullable DorisType type)
      throws Mismatch {
    ArrowType from = source.getType();
    return switch (kind) {
      case BOOLEAN -> same(from, ArrowType.Bool.INSTANCE, "Make it a boolean before");
      case TINYINT -> integer(from, 8);
      case SMALLINT -> integer(from, 16);
      case INT -> integer(from, 32);
      case BIGINT -> integer(from, 64);
      case LARGEINT ->
          same(from, ArrowType.Utf8.INSTANCE, "Make it a string of decimal digits before");
      case FLOAT -> floatingPoint(from, FloatingPointPrecision.SINGLE);
      case DOUBLE -> floatingPoint(from, FloatingPointPrecision.DOUBLE);
      case DECIMAL -> decimal(from, type);
      case DATE -> same(from, new ArrowType.Date(DateUnit.DAY), "Make it a date in days before");
      case DATETIME -> timestamp(from);
      case TEXT -> text(from);
      case ARRAY ->
          same(from, ArrowType.List.INSTANCE, "Make it a list with 32-bit offsets before");
      case MAP -> map(from);
      case STRUCT -> same(from, ArrowType.Struct.INSTANCE, "Make it a nested row before");
      case OTHER -> throw notLoadable(from, type);
    };
  }

  private static Mismatch notLoadable(ArrowType from, @Nullable DorisType type) {
    if (type == null) {
      return new Mismatch(
          "Arrow's type " + from + " cannot be loaded",
          "Use another type: booleans, signed integers, floats, decimals, dates, timestamps, strings,"
              + " bytes, lists, maps and structs can");
    }
    return new Mismatch(
        "columns of this type cannot be loaded as Arrow, or not by all releases",
        "Leave the column out, or make it a STRING in the table");
  }

  private ArrowType integer(ArrowType from, int bits) throws Mismatch {
    if (from instanceof ArrowType.Int integer && integer.getIsSigned()) {
      int width = integer.getBitWidth();
      if (width == bits || (width < bits && !forwarded)) {
        return new ArrowType.Int(bits, true);
      }
      throw new Mismatch(
          width > bits
              ? "values would be cut to " + bits + " bits"
              : "values would be read past their " + width + " bits",
          "Make it an integer of " + bits + " bits before, or change the table's column");
    }
    throw new Mismatch(
        "only signed integers are taken", "Make it an integer of " + bits + " bits before");
  }

  private ArrowType floatingPoint(ArrowType from, FloatingPointPrecision precision)
      throws Mismatch {
    if (from instanceof ArrowType.FloatingPoint point) {
      boolean widens =
          precision == FloatingPointPrecision.DOUBLE
              && point.getPrecision() == FloatingPointPrecision.SINGLE;
      if (point.getPrecision() == precision || (widens && !forwarded)) {
        return new ArrowType.FloatingPoint(precision);
      }
    }
    throw new Mismatch(
        "only floats of the same width are taken",
        "Make it a "
            + (precision == FloatingPointPrecision.DOUBLE ? "double" : "float")
            + " before, or change the table's column");
  }

  private static ArrowType decimal(ArrowType from, @Nullable DorisType type) throws Mismatch {
    if (!(from instanceof ArrowType.Decimal decimal)) {
      throw new Mismatch("only decimals are taken", "Make it a decimal of the same scale before");
    }
    if (type == null) {
      return decimal;
    }
    Integer scale = type.scale();
    if (scale != null && scale != decimal.getScale()) {
      throw new Mismatch(
          "the server takes the digits as they are, whatever the scale",
          "Give the decimal the scale " + scale + " before, or change the table's column");
    }
    if (decimal.getPrecision() > type.precision()) {
      throw new Mismatch(
          "the server does not check the precision, and digits would be cut",
          "Give the decimal at most "
              + type.precision()
              + " digits before, or widen the table's column");
    }
    int bits = type.precision() > WIDEST_DECIMAL_128 ? 256 : 128;
    if (decimal.getBitWidth() != bits) {
      throw new Mismatch(
          "the server takes decimals of " + bits + " bits for it",
          "Make it a decimal of " + bits + " bits before");
    }
    return decimal;
  }

  private ArrowType timestamp(ArrowType from) throws Mismatch {
    if (!(from instanceof ArrowType.Timestamp timestamp)) {
      throw new Mismatch("only timestamps are taken", "Make it a timestamp before");
    }
    String zone = timestamp.getTimezone();
    if (zone != null && !zone.equals("UTC") && !zone.equals("Z") && !zone.equals("+00:00")) {
      throw new Mismatch(
          "the server ignores the zone " + zone,
          "Make it a timestamp without a zone, in the wall-clock time to store, before");
    }
    return forwarded ? new ArrowType.Timestamp(timestamp.getUnit(), null) : NAIVE_MICROS;
  }

  private static ArrowType text(ArrowType from) throws Mismatch {
    if (from instanceof ArrowType.Utf8
        || from instanceof ArrowType.Binary
        || from instanceof ArrowType.FixedSizeBinary) {
      return from;
    }
    throw new Mismatch(
        "only strings and bytes with 32-bit offsets are taken", "Make it a string before");
  }

  private static ArrowType map(ArrowType from) throws Mismatch {
    if (from instanceof ArrowType.Map) {
      return from;
    }
    throw new Mismatch("only maps are taken", "Make it a map before");
  }

  private static ArrowType same(ArrowType from, ArrowType wanted, String remedy) throws Mismatch {
    if (!from.equals(wanted)) {
      throw new Mismatch("the server takes " + wanted + " only", remedy);
    }
    return wanted;
  }

  private List<Field> children(DorisType.Kind kind, Field source, @Nullable DorisType type)
      throws Mismatch {
    List<Field> targets = new ArrayList<>();
    switch (kind) {
      case ARRAY, STRUCT -> {
        List<DorisType> types = type == null ? List.of() : type.children();
        List<Field> fields = source.getChildren();
        if (!types.isEmpty() && types.size() != fields.size()) {
          throw new Mismatch(
              "it has " + fields.size() + " fields", "Give it " + types.size() + " fields");
        }
        for (int i = 0; i < fields.size(); i++) {
          Field field = fields.get(i);
          targets.add(target(field.getName(), field, types.isEmpty() ? null : types.get(i)));
        }
      }
      case MAP -> {
        if (source.getType() instanceof ArrowType.Map) {
          targets.add(entries(source.getChildren().get(0), type));
        }
      }
      default -> {}
    }
    return targets;
  }

  /** Arrow demands that entries and their keys are not null. */
  private Field entries(Field source, @Nullable DorisType type) throws Mismatch {
    List<DorisType> types = type == null ? List.of() : type.children();
    Field key = source.getChildren().get(0);
    Field value = source.getChildren().get(1);
    boolean told = types.size() == 2;
    Field keyTarget = target(key.getName(), key, told ? types.get(0) : null);
    return new Field(
        source.getName(),
        FieldType.notNullable(ArrowType.Struct.INSTANCE),
        List.of(
            new Field(
                key.getName(), FieldType.notNullable(keyTarget.getType()), keyTarget.getChildren()),
            target(value.getName(), value, told ? types.get(1) : null)));
  }

  /** What a type without a counterpart is taken for. */
  private static DorisType.Kind kindOf(Field source) {
    ArrowType type = source.getType();
    if (type instanceof ArrowType.Int integer) {
      return switch (integer.getBitWidth()) {
        case 8 -> DorisType.Kind.TINYINT;
        case 16 -> DorisType.Kind.SMALLINT;
        case 32 -> DorisType.Kind.INT;
        default -> DorisType.Kind.BIGINT;
      };
    }
    if (type instanceof ArrowType.FloatingPoint point) {
      return point.getPrecision() == FloatingPointPrecision.SINGLE
          ? DorisType.Kind.FLOAT
          : point.getPrecision() == FloatingPointPrecision.DOUBLE
              ? DorisType.Kind.DOUBLE
              : DorisType.Kind.OTHER;
    }
    return switch (type.getTypeID()) {
      case Bool -> DorisType.Kind.BOOLEAN;
      case Decimal -> DorisType.Kind.DECIMAL;
      case Date -> DorisType.Kind.DATE;
      case Timestamp -> DorisType.Kind.DATETIME;
      case Utf8, Binary, FixedSizeBinary -> DorisType.Kind.TEXT;
      case List -> DorisType.Kind.ARRAY;
      case Map -> DorisType.Kind.MAP;
      case Struct -> DorisType.Kind.STRUCT;
      default -> DorisType.Kind.OTHER;
    };
  }
}
