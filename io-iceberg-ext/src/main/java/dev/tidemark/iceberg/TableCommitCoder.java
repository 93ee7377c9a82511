package dev.tidemark.iceberg;

import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Version byte 1, then the fields; facts in the text form of a window. */
final class TableCommitCoder extends AtomicCoder<TableCommit> {
  private static final int VERSION = 1;
  private static final Coder<String> NULLABLE_TEXT = NullableCoder.of(StringUtf8Coder.of());
  private static final Coder<Long> NULLABLE_LONG = NullableCoder.of(VarLongCoder.of());

  @Override
  public void encode(TableCommit value, OutputStream out) throws IOException {
    out.write(VERSION);
    StringUtf8Coder.of().encode(value.table(), out);
    VarLongCoder.of().encode(value.snapshotId(), out);
    BooleanCoder.of().encode(value.replayed(), out);
    VarLongCoder.of().encode(value.rows(), out);
    VarIntCoder.of().encode(value.files(), out);
    NULLABLE_TEXT.encode(text(value.facts()), out);
    NULLABLE_LONG.encode(value.watermarkBeforeMillis(), out);
    VarLongCoder.of().encode(value.granularityMillis(), out);
  }

  @Override
  public TableCommit decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode table commit: unknown version " + version + " (must be 1)");
    }
    return TableCommit.of(
        StringUtf8Coder.of().decode(in),
        VarLongCoder.of().decode(in),
        BooleanCoder.of().decode(in),
        VarLongCoder.of().decode(in),
        VarIntCoder.of().decode(in),
        facts(NULLABLE_TEXT.decode(in)),
        NULLABLE_LONG.decode(in),
        VarLongCoder.of().decode(in));
  }

  private static @Nullable String text(@Nullable CommitFacts facts) {
    return facts == null ? null : WriterWindow.empty(facts.writer()).add(facts).toText();
  }

  private static @Nullable CommitFacts facts(@Nullable String text) {
    return text == null ? null : WriterWindow.fromText(text).newest();
  }
}
