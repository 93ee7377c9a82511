package dev.tidemark.datafile;

import com.google.auto.value.AutoValue;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.types.Type;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A column that rows have and their table does not. */
@AutoValue
public abstract class MissingColumn {
  /** Dotted path of the struct, list or map that lacks the column; null for the table itself. */
  public abstract @Nullable String parent();

  /** Name of the column below its parent. */
  public abstract String name();

  /** The type the column gets; field ids in it are placeholders that the table replaces. */
  public abstract Type type();

  static MissingColumn of(@Nullable String parent, String name, Type type) {
    return new AutoValue_MissingColumn(parent, name, type);
  }

  /** Adds this column, always as optional, since rows written before do not have it. */
  public void addTo(UpdateSchema update) {
    update.addColumn(parent(), name(), type());
  }
}
