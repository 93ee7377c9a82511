package dev.tidemark.datafile;

import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;

/** Writes the rows of one table for one bundle into Parquet data files. Single-threaded. */
@SuppressWarnings("DoNotCallSuggester")
public final class TableFileWriter implements AutoCloseable {
  private TableFileWriter() {}

  /** Opens a writer; nothing is created before the first row. */
  public static TableFileWriter open(Table table, Schema rowSchema, FileOptions options) {
    throw new UnsupportedOperationException();
  }

  /** Writes one row, or throws {@link RowRejectedException} and writes nothing of it. */
  public void write(Row row) {
    throw new UnsupportedOperationException();
  }

  /** Closes all files and returns them in a deterministic order. */
  public List<DataFile> complete() {
    throw new UnsupportedOperationException();
  }

  /** Closes and deletes what this writer made, unless it is complete. */
  public void abort() {
    throw new UnsupportedOperationException();
  }

  /** Files that are open at the moment. */
  public int openWriters() {
    throw new UnsupportedOperationException();
  }

  /** Rows written, rejected ones not counted. */
  public long rows() {
    throw new UnsupportedOperationException();
  }

  /** Aborts, unless the writer is complete. */
  @Override
  public void close() {
    abort();
  }
}
