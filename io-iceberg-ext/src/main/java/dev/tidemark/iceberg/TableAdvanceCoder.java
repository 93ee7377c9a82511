package dev.tidemark.iceberg;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.joda.time.Instant;

/** Version byte 1, table, before, finalized until, reason. */
final class TableAdvanceCoder extends AtomicCoder<TableAdvance> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final Coder<Instant> NULLABLE_INSTANT = NullableCoder.of(InstantCoder.of());

  @Override
  public void encode(TableAdvance value, OutputStream out) throws IOException {
    out.write(VERSION);
    StringUtf8Coder.of().encode(value.table(), out);
    NULLABLE_INSTANT.encode(value.before(), out);
    InstantCoder.of().encode(value.finalizedUntil(), out);
    StringUtf8Coder.of().encode(value.reason(), out);
  }

  @Override
  public TableAdvance decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode table advance: unknown version " + version + " (must be 1)");
    }
    return TableAdvance.of(
        StringUtf8Coder.of().decode(in),
        NULLABLE_INSTANT.decode(in),
        InstantCoder.of().decode(in),
        StringUtf8Coder.of().decode(in));
  }
}
