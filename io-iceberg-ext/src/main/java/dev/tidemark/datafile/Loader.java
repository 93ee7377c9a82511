package dev.tidemark.datafile;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Checks one value of a row, converts it, and puts it on the track of its column.
 *
 * <p>Everything that a table can refuse is refused here, while nothing is written yet: what is on
 * the tracks can be written without a further check.
 */
abstract class Loader {
  private final String path;
  private final Type type;
  private final boolean required;

  Loader(String path, Types.NestedField field) {
    this.path = path;
    this.type = field.type();
    this.required = field.isRequired();
  }

  /**
   * Loads a value of the class that the field's type has in rows.
   *
   * @throws RowRejectedException when the column cannot hold it
   * @throws ClassCastException when it is of another class; {@link #wrongClass} names the column
   */
  abstract void load(@Nullable Object value);

  /** Throws where the column is required. */
  final void checkNullable() {
    if (required) {
      throw rejected("is required, but the row has no value for it");
    }
  }

  final RowRejectedException rejected(String reason) {
    return new RowRejectedException(path, type.toString(), reason);
  }

  final RowRejectedException wrongClass(@Nullable Object value) {
    return rejected(
        "got a value that is or holds an object of another class than its field's type says"
            + (value == null ? "" : " (" + value.getClass().getName() + ")"));
  }
}
