package dev.tidemark.arrow;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema;

/**
 * Schemas of rows as schemas of record batches, and back. The package documentation has the table
 * of types.
 *
 * <p>A {@code DECIMAL} needs a precision and a scale in Arrow. Either the field is of the logical
 * type {@code FixedPrecisionNumeric}, or it has the two options {@link #PRECISION_OPTION} and
 * {@link #SCALE_OPTION} (INT32), which hold for all decimals of the field, also for those in its
 * arrays and maps:
 *
 * <pre>{@code
 * Schema.Field.of("price", FieldType.DECIMAL)
 *     .withOptions(
 *         Schema.Options.builder()
 *             .setOption(ArrowSchemas.PRECISION_OPTION, FieldType.INT32, 12)
 *             .setOption(ArrowSchemas.SCALE_OPTION, FieldType.INT32, 2))
 * }</pre>
 */
public final class ArrowSchemas {
  /** The option of a field that holds the precision of its decimals, an INT32 from 1 to 76. */
  public static final String PRECISION_OPTION = "tidemark.decimal.precision";

  /** The option of a field that holds the scale of its decimals, an INT32. */
  public static final String SCALE_OPTION = "tidemark.decimal.scale";

  private ArrowSchemas() {}

  /**
   * The schema of record batches that hold rows of a schema: the same names, in the same order.
   *
   * @throws IllegalArgumentException for a type that record batches do not hold, by column name
   */
  public static org.apache.arrow.vector.types.pojo.Schema of(Schema beam) {
    return new org.apache.arrow.vector.types.pojo.Schema(fields(beam, ""));
  }

  /**
   * The schema of rows read from record batches of a schema. It has the types that hold all values
   * of their columns; rows can be read as others, too, see {@link RowReader}.
   *
   * @throws IllegalArgumentException for a type that rows do not hold, by column name
   */
  public static Schema toBeam(org.apache.arrow.vector.types.pojo.Schema arrow) {
    return BeamTypes.schema(arrow.getFields(), "");
  }

  static ImmutableList<Field> fields(Schema beam, String path) {
    return beam.getFields().stream()
        .map(field -> ArrowTypes.field(field, path))
        .collect(toImmutableList());
  }

  /** Whether two schemas agree in names and types; nullability and metadata may differ. */
  static boolean sameColumns(List<Field> one, List<Field> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!one.get(i).getName().equals(other.get(i).getName())
          || !sameType(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Children of structs have names that count; those of lists and maps do not. */
  static boolean sameType(Field one, Field other) {
    if (!one.getType().equals(other.getType())
        || one.getDictionary() != null
        || other.getDictionary() != null) {
      return false;
    }
    List<Field> children = one.getChildren();
    List<Field> others = other.getChildren();
    return switch (one.getType().getTypeID()) {
      case Struct -> sameColumns(children, others);
      case List -> sameType(children.get(0), others.get(0));
      case Map -> {
        List<Field> entry = children.get(0).getChildren();
        List<Field> otherEntry = others.get(0).getChildren();
        yield sameType(entry.get(0), otherEntry.get(0))
            && sameType(entry.get(1), otherEntry.get(1));
      }
      default -> true;
    };
  }
}
