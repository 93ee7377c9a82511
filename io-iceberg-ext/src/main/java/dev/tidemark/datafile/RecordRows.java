package dev.tidemark.datafile;

import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.data.Record;

/** Reads Iceberg's generic records back as rows. */
@SuppressWarnings("DoNotCallSuggester")
public final class RecordRows {
  private RecordRows() {}

  /** The row of {@code record} with the fields of {@code beam}, taken by name. */
  public static Row toRow(Record record, Schema beam) {
    throw new UnsupportedOperationException();
  }
}
