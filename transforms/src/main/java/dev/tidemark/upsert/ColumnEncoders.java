package dev.tidemark.upsert;

import dev.tidemark.arrow.ChangeBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Encoders by the columns of batches, which rarely change. Belongs to one thread. */
final class ColumnEncoders {
  private final UpsertEncodings encodings;
  private @Nullable Schema columns;
  private @Nullable ColumnEncoder encoder;

  ColumnEncoders(UpsertEncodings encodings) {
    this.encodings = encodings;
  }

  /**
   * The encoder for the columns of a batch.
   *
   * @throws IllegalArgumentException if rows of the schema cannot be read from them
   */
  ColumnEncoder of(ChangeBatch batch) {
    ColumnEncoder known = encoder;
    if (known == null || !batch.schema().equals(columns)) {
      known = ColumnEncoder.of(encodings, batch.schema());
      columns = batch.schema();
      encoder = known;
    }
    return known;
  }
}
