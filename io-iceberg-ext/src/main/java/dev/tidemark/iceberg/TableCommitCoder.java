package dev.tidemark.iceberg;

import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
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

/**
 * Version byte 1, then the fields. Facts are a byte (0: none, 1: of rows with event times, 2: of
 * rows without) and the text form of a window, which takes no facts without event times, or else
 * their counts.
 */
final class TableCommitCoder extends AtomicCoder<TableCommit> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final int NO_FACTS = 0;
  private static final int FACTS_AS_WINDOW = 1;
  private static final int FACTS_AS_COUNTS = 2;
  private static final Coder<Long> NULLABLE_LONG = NullableCoder.of(VarLongCoder.of());

  @Override
  public void encode(TableCommit value, OutputStream out) throws IOException {
    out.write(VERSION);
    StringUtf8Coder.of().encode(value.table(), out);
    VarLongCoder.of().encode(value.snapshotId(), out);
    BooleanCoder.of().encode(value.replayed(), out);
    VarLongCoder.of().encode(value.rows(), out);
    VarIntCoder.of().encode(value.files(), out);
    encodeFacts(value.facts(), out);
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
        decodeFacts(in),
        NULLABLE_LONG.decode(in),
        VarLongCoder.of().decode(in));
  }

  private static void encodeFacts(@Nullable CommitFacts facts, OutputStream out)
      throws IOException {
    if (facts == null) {
      out.write(NO_FACTS);
    } else if (facts.count() > 0) {
      out.write(FACTS_AS_WINDOW);
      String text = WriterWindow.empty(facts.writer()).add(facts).toText();
      StringUtf8Coder.of().encode(text, out);
    } else {
      out.write(FACTS_AS_COUNTS);
      StringUtf8Coder.of().encode(facts.writer(), out);
      VarLongCoder.of().encode(facts.snapshotId(), out);
      VarLongCoder.of().encode(facts.committedAtMillis(), out);
      VarLongCoder.of().encode(facts.nullCount(), out);
      VarLongCoder.of().encode(facts.unparsableCount(), out);
      VarLongCoder.of().encode(facts.pastCount(), out);
      VarLongCoder.of().encode(facts.futureCount(), out);
      NULLABLE_LONG.encode(facts.inputWatermarkMillis(), out);
    }
  }

  private static @Nullable CommitFacts decodeFacts(InputStream in) throws IOException {
    int kind = in.read();
    return switch (kind) {
      case NO_FACTS -> null;
      case FACTS_AS_WINDOW -> WriterWindow.fromText(StringUtf8Coder.of().decode(in)).newest();
      case FACTS_AS_COUNTS -> decodeCounts(in);
      default ->
          throw new CoderException("Cannot decode table commit: unknown kind of facts " + kind);
    };
  }

  private static CommitFacts decodeCounts(InputStream in) throws IOException {
    String writer = StringUtf8Coder.of().decode(in);
    long snapshotId = VarLongCoder.of().decode(in);
    long committedAtMillis = VarLongCoder.of().decode(in);
    EventTimeStats stats =
        EventTimeStats.empty(EventTimeSketch.HOUR_MILLIS)
            .withNullCount(VarLongCoder.of().decode(in))
            .withUnparsableCount(VarLongCoder.of().decode(in))
            .withPastCount(VarLongCoder.of().decode(in))
            .withFutureCount(VarLongCoder.of().decode(in));
    return CommitFacts.of(writer, snapshotId, committedAtMillis, stats, NULLABLE_LONG.decode(in));
  }
}
