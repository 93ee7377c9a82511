package dev.tidemark.doris;

import dev.tidemark.streamload.PreCommitted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;

/** Version byte 1, database, table, label, transaction, rows, bytes, deletes. */
final class PreCommittedLoadCoder extends AtomicCoder<PreCommittedLoad> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final StringUtf8Coder TEXT = StringUtf8Coder.of();
  private static final VarLongCoder NUMBER = VarLongCoder.of();

  @Override
  public void encode(PreCommittedLoad load, OutputStream out) throws IOException {
    out.write(VERSION);
    PreCommitted transaction = load.transaction();
    TEXT.encode(transaction.database(), out);
    TEXT.encode(transaction.table(), out);
    TEXT.encode(transaction.label(), out);
    NUMBER.encode(transaction.transactionId(), out);
    NUMBER.encode(transaction.rows(), out);
    NUMBER.encode(transaction.bytes(), out);
    NUMBER.encode(load.deletes(), out);
  }

  @Override
  public PreCommittedLoad decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode a pre-committed load: unknown version " + version + " (must be 1)");
    }
    return PreCommittedLoad.of(
        PreCommitted.of(
            TEXT.decode(in),
            TEXT.decode(in),
            TEXT.decode(in),
            NUMBER.decode(in),
            NUMBER.decode(in),
            NUMBER.decode(in)),
        NUMBER.decode(in));
  }
}
