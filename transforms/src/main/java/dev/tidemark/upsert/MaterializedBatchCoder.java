package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.VarInt;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Encodes {@link MaterializedBatch}es.
 *
 * <p>Version 1: version byte, the changes as {@link KeyedChangesCoder} writes them, for each change
 * a byte: 0 for nothing, else bit 0, the kind in bits 1-2 and bit 3 if a kept payload is emitted,
 * whose length as a varint and bytes follow. Deterministic.
 */
public final class MaterializedBatchCoder extends AtomicCoder<MaterializedBatch> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final int EMITS = 0x01;
  private static final int RETAINED = 0x08;
  private static final int KIND_MASK = 0x03;
  private static final KeyedChangesCoder CHANGES = KeyedChangesCoder.of();
  private static final MaterializedBatchCoder INSTANCE = new MaterializedBatchCoder();

  private MaterializedBatchCoder() {}

  /** The coder. */
  public static MaterializedBatchCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(MaterializedBatch batch, OutputStream out) throws IOException {
    out.write(VERSION);
    CHANGES.encode(batch.changes(), out);
    for (int i = 0; i < batch.changes().size(); i++) {
      ChangeKind kind = batch.kind(i);
      byte[] retained = batch.retained(i);
      if (kind == null) {
        out.write(0);
      } else if (retained == null) {
        out.write(EMITS | kind.code() << 1);
      } else {
        out.write(EMITS | kind.code() << 1 | RETAINED);
        VarInt.encode(retained.length, out);
        out.write(retained);
      }
    }
  }

  @Override
  public MaterializedBatch decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          String.format(
              "Cannot decode batch: version %d is not known (must be %d). Run the release that wrote it, or a newer one",
              version, VERSION));
    }
    KeyedChanges changes = CHANGES.decode(in);
    @Nullable ChangeKind[] kinds = new ChangeKind[changes.size()];
    byte @Nullable [][] retained = new byte[changes.size()][];
    for (int i = 0; i < changes.size(); i++) {
      int emission = in.read();
      if (emission == 0) {
        continue;
      }
      kinds[i] = kind(emission);
      if ((emission & RETAINED) != 0) {
        retained[i] = payload(in);
      }
    }
    return MaterializedBatch.of(changes, kinds, retained);
  }

  private static ChangeKind kind(int emission) throws CoderException {
    ChangeKind kind = ChangeKind.ofCode(emission >> 1 & KIND_MASK);
    if (emission < 0
        || (emission & EMITS) == 0
        || emission > (EMITS | KIND_MASK << 1 | RETAINED)
        || kind == null
        || kind == ChangeKind.UPDATE_BEFORE) {
      throw new CoderException(String.format("Cannot decode batch: bad emission %#x", emission));
    }
    return kind;
  }

  private static byte[] payload(InputStream in) throws IOException {
    int length = VarInt.decodeInt(in);
    if (length < 0) {
      throw new CoderException("Cannot decode batch: bad length " + length);
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      throw new CoderException(
          String.format(
              "Cannot decode batch: a payload ends after %d of %d bytes", payload.length, length));
    }
    return payload;
  }

  /** Batches have no equality of their own; their encoded forms are compared. */
  @Override
  public boolean consistentWithEquals() {
    return false;
  }
}
