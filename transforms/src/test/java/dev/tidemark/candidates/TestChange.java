package dev.tidemark.candidates;

import dev.tidemark.change.ChangeKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** One change of a test. */
final class TestChange {
  private final ChangeKind kind;
  private final byte[] key;
  private final byte[] identity;
  private final double number;
  private final byte[] payload;
  private final boolean complete;

  /** A change, with the floating-point field of its upsert key, where it has one. */
  TestChange(
      ChangeKind kind,
      byte[] key,
      byte[] identity,
      double number,
      byte[] payload,
      boolean complete) {
    this.kind = kind;
    this.key = key;
    this.identity = identity;
    this.number = number;
    this.payload = payload;
    this.complete = complete;
  }

  ChangeKind kind() {
    return kind;
  }

  byte[] key() {
    return key;
  }

  byte[] identity() {
    return identity;
  }

  double number() {
    return number;
  }

  byte[] payload() {
    return payload;
  }

  boolean complete() {
    return complete;
  }

  /** Whether the reference finds two identities equal. */
  boolean matches(TestChange other, UpsertSemantics semantics, boolean large) {
    if (!semantics.hasUpsertKey()) {
      return Arrays.equals(payload, other.payload);
    }
    if (!semantics.floatKey()) {
      return Arrays.equals(identity, other.identity);
    }
    boolean fields =
        switch (semantics.strategy()) {
          case LEGACY, VALUE -> true;
          case MAP -> false;
          case ADAPTIVE -> !large;
        };
    boolean sameNumber =
        fields
            ? number == other.number
            : Double.doubleToRawLongBits(number) == Double.doubleToRawLongBits(other.number)
                && !(Double.isNaN(number) && semantics.nanNeverEqual());
    return sameNumber && Arrays.equals(identity, other.identity);
  }

  /** The identity as a change carries it; null for none. */
  byte[] storedIdentity(UpsertSemantics semantics) {
    if (!semantics.hasUpsertKey()) {
      return null;
    }
    return semantics.floatKey() ? floatIdentity(identity, number) : identity;
  }

  /** As {@link UpsertSemantics#floatKey} describes it. */
  static byte[] floatIdentity(byte[] rest, double number) {
    double normalised = number == 0 ? 0.0 : number;
    byte[] nan = {(byte) (Double.isNaN(number) ? 1 : 0)};
    int length = Double.BYTES + rest.length;
    byte[] varint =
        length < 0x80
            ? new byte[] {(byte) length}
            : new byte[] {(byte) (length | 0x80), (byte) (length >> 7)};
    return ByteBuffer.allocate(1 + varint.length + 2 * length)
        .put(nan)
        .put(varint)
        .putDouble(normalised)
        .put(rest)
        .putLong(Double.doubleToRawLongBits(number))
        .put(rest)
        .array();
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public String toString() {
    return kind.symbol() + " " + hex(key) + " " + hex(identity) + "/" + number + " " + hex(payload);
  }
}
