package dev.tidemark.doris;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;

/** Version byte 1, then the fields in the order of {@link DorisLoad}. */
final class DorisLoadCoder extends AtomicCoder<DorisLoad> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final StringUtf8Coder TEXT = StringUtf8Coder.of();
  private static final VarLongCoder NUMBER = VarLongCoder.of();

  @Override
  public void encode(DorisLoad load, OutputStream out) throws IOException {
    out.write(VERSION);
    TEXT.encode(load.database(), out);
    TEXT.encode(load.table(), out);
    TEXT.encode(load.label(), out);
    NUMBER.encode(load.transactionId(), out);
    NUMBER.encode(load.rows(), out);
    NUMBER.encode(load.deletes(), out);
    NUMBER.encode(load.bytes(), out);
    NUMBER.encode(load.durationMillis(), out);
    BooleanCoder.of().encode(load.replayed(), out);
  }

  @Override
  public DorisLoad decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode a report of a load: unknown version " + version + " (must be 1)");
    }
    return DorisLoad.builder()
        .database(TEXT.decode(in))
        .table(TEXT.decode(in))
        .label(TEXT.decode(in))
        .transactionId(NUMBER.decode(in))
        .rows(NUMBER.decode(in))
        .deletes(NUMBER.decode(in))
        .bytes(NUMBER.decode(in))
        .durationMillis(NUMBER.decode(in))
        .replayed(BooleanCoder.of().decode(in))
        .build();
  }
}
