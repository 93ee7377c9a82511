package dev.tidemark.iceberg;

import dev.tidemark.finalization.Attestation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/**
 * A kind byte with the version in it, then what the event is about. Lives between two stages only.
 */
final class TableEventCoder extends AtomicCoder<TableEvent> {
  private static final long serialVersionUID = 1L;
  private static final int COMMIT = 0x10;
  private static final int HEARTBEAT = 0x11;
  private static final int FAILURE = 0x12;
  private static final int TALLIES = 0x13;
  private static final Coder<Long> NULLABLE_LONG = NullableCoder.of(VarLongCoder.of());

  private final TableCommitCoder commitCoder = new TableCommitCoder();
  private final Coder<BadRecord> failureCoder;

  TableEventCoder(Coder<BadRecord> failureCoder) {
    this.failureCoder = failureCoder;
  }

  @Override
  public void encode(TableEvent value, OutputStream out) throws IOException {
    if (value.commit() != null) {
      out.write(COMMIT);
      commitCoder.encode(value.commit(), out);
      out.write(value.attestation() == null ? 0 : 1);
      encodeAttestation(value, out);
    } else if (value.failure() != null) {
      out.write(FAILURE);
      StringUtf8Coder.of().encode(value.table(), out);
      failureCoder.encode(value.failure(), out);
      encodeTallies(value.tallies(), out);
    } else if (value.attestation() != null) {
      out.write(HEARTBEAT);
      StringUtf8Coder.of().encode(value.table(), out);
      encodeAttestation(value, out);
    } else {
      out.write(TALLIES);
      StringUtf8Coder.of().encode(value.table(), out);
      encodeTallies(value.tallies(), out);
    }
  }

  @Override
  public TableEvent decode(InputStream in) throws IOException {
    int kind = in.read();
    return switch (kind) {
      case COMMIT -> {
        TableCommit commit = commitCoder.decode(in);
        yield TableEvent.commit(commit, in.read() == 0 ? null : decodeAttestation(in));
      }
      case HEARTBEAT ->
          TableEvent.heartbeat(StringUtf8Coder.of().decode(in), decodeAttestation(in));
      case FAILURE ->
          TableEvent.failure(
              StringUtf8Coder.of().decode(in), failureCoder.decode(in), decodeTallies(in));
      case TALLIES -> TableEvent.tallies(StringUtf8Coder.of().decode(in), decodeTallies(in));
      default -> throw new CoderException("Cannot decode table event: unknown kind " + kind);
    };
  }

  private static void encodeAttestation(TableEvent value, OutputStream out) throws IOException {
    Attestation attestation = value.attestation();
    if (attestation != null) {
      NULLABLE_LONG.encode(attestation.inputWatermarkMillis(), out);
      VarLongCoder.of().encode(attestation.atMillis(), out);
    }
  }

  private static Attestation decodeAttestation(InputStream in) throws IOException {
    return Attestation.of(NULLABLE_LONG.decode(in), VarLongCoder.of().decode(in));
  }

  private static void encodeTallies(Tallies tallies, OutputStream out) throws IOException {
    for (int number :
        new int[] {
          tallies.parkedResults(),
          tallies.acceptedRewinds(),
          tallies.orphanFiles(),
          tallies.propertiesRefused(),
          tallies.hookFailures(),
          tallies.metadataTooLarge(),
          tallies.droppedFacts(),
          tallies.windowResets()
        }) {
      VarIntCoder.of().encode(number, out);
    }
  }

  private static Tallies decodeTallies(InputStream in) throws IOException {
    int[] n = new int[8];
    for (int i = 0; i < n.length; i++) {
      n[i] = VarIntCoder.of().decode(in);
    }
    return Tallies.of(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
  }
}
