package dev.tidemark.commit;

import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import com.google.common.io.ByteArrayDataInput;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads and writes the checksummed bytes of stored records as text: {@code <version>:<base64url>}.
 */
final class RecordBytes {
  private static final BaseEncoding BASE64 = BaseEncoding.base64Url().omitPadding();
  private static final int CRC_BYTES = 4;

  private RecordBytes() {}

  static String toText(String prefix, ByteArrayDataOutput out) {
    byte[] body = out.toByteArray();
    ByteArrayDataOutput whole = ByteStreams.newDataOutput(body.length + CRC_BYTES);
    whole.write(body);
    whole.writeInt(Hashing.crc32c().hashBytes(body).asInt());
    return prefix + BASE64.encode(whole.toByteArray());
  }

  /**
   * The bytes of a text.
   *
   * @throws IllegalArgumentException unless it starts with the prefix and its checksum is right
   */
  static byte[] fromText(String prefix, String text) {
    if (!text.startsWith(prefix)) {
      throw new IllegalArgumentException(
          "Invalid record: unknown version (must start with %s). Use the Tidemark version that wrote it, or a newer one."
              .formatted(prefix));
    }
    byte[] whole = BASE64.decode(text.substring(prefix.length()));
    if (!BASE64.encode(whole).contentEquals(text.substring(prefix.length()))) {
      throw new IllegalArgumentException(
          "Invalid record: not in canonical form (must be unchanged since written)");
    }
    if (whole.length < CRC_BYTES) {
      throw new IllegalArgumentException("Invalid record: too short (must end in a checksum)");
    }
    byte[] body = Arrays.copyOf(whole, whole.length - CRC_BYTES);
    int crc = ByteStreams.newDataInput(whole, body.length).readInt();
    if (crc != Hashing.crc32c().hashBytes(body).asInt()) {
      throw new IllegalArgumentException(
          "Invalid record: wrong checksum (must be unchanged since written)");
    }
    return body;
  }

  static void writeVarLong(ByteArrayDataOutput out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.writeByte((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  static long readVarLong(ByteArrayDataInput in) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "Invalid record: endless number (must have at most 10 bytes)");
  }

  static void writeString(ByteArrayDataOutput out, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    writeVarLong(out, bytes.length);
    out.write(bytes);
  }

  static String readString(ByteArrayDataInput in, int maxBytes) {
    long length = readVarLong(in);
    if (length < 0 || length > maxBytes) {
      throw new IllegalArgumentException(
          "Invalid record: text of %d bytes (must be <= %d)".formatted(length, maxBytes));
    }
    byte[] bytes = new byte[(int) length];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
