package dev.tidemark.datafile;

import com.google.common.collect.ImmutableList;
import org.apache.beam.sdk.schemas.Schema;

/** Maps Beam schemas to Iceberg schemas and back. */
@SuppressWarnings("DoNotCallSuggester")
public final class RowSchemas {
  private RowSchemas() {}

  /** The Iceberg schema of a table made for rows of {@code schema}. */
  public static org.apache.iceberg.Schema toIceberg(Schema schema) {
    throw new UnsupportedOperationException();
  }

  /** The Beam schema of the rows of a table. */
  public static Schema toBeam(org.apache.iceberg.Schema schema) {
    throw new UnsupportedOperationException();
  }

  /** Checks that rows of {@code from} can be written to {@code to}. */
  public static RowBinding bind(Schema from, org.apache.iceberg.Schema to) {
    throw new UnsupportedOperationException();
  }

  /** The columns of {@code from} that {@code to} lacks, parents before children. */
  public static ImmutableList<MissingColumn> missingColumns(
      Schema from, org.apache.iceberg.Schema to) {
    throw new UnsupportedOperationException();
  }
}
