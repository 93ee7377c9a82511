package dev.tidemark.datafile;

import java.util.function.Consumer;
import org.apache.iceberg.FieldMetrics;
import org.apache.parquet.column.ColumnWriteStore;

/**
 * Writes one column of the row in hand from its track to Parquet: values, or nulls at the level
 * where the null is.
 */
abstract class Emitter {
  /** Writes the next entry of the track, which starts at the given repetition level. */
  abstract void emit(int repetitionLevel);

  /** Writes a null that some parent is the cause of; takes nothing from the track. */
  abstract void emitNull(int repetitionLevel, int definitionLevel);

  /** Turns to the columns of a new row group. */
  abstract void open(ColumnWriteStore store);

  /** Passes on what Parquet's own statistics do not have; nothing by default. */
  void metrics(Consumer<FieldMetrics<?>> sink) {}
}
