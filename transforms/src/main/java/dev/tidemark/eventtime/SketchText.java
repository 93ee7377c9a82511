package dev.tidemark.eventtime;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * The text form of a compressed sketch: {@code ets1:} and, in unpadded base64url, the bytes of
 * {@link SketchBytes} followed by their CRC32C, big endian.
 */
final class SketchText {
  static final String PREFIX = "ets1:";
  static final int MAX_CHARS = 8 * 1024;

  private static final int CRC_BYTES = 4;
  private static final int MAX_BYTES = (MAX_CHARS - PREFIX.length()) * 3 / 4;

  private SketchText() {}

  static String encode(EventTimeSketch sketch) {
    byte[] bytes = bytes(sketch.compressed());
    if (bytes.length > MAX_BYTES) {
      // Only spans of ten thousand years with as many records get here; a bucket takes 16 bytes
      // at most, so the exact part always fits.
      bytes = bytes(SketchReducer.reduceToBuckets(sketch));
    }
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] bytes(EventTimeSketch sketch) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    SketchBytes.write(sketch, out);
    int crc = crc(out.toByteArray(), out.size());
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write(crc >>> shift);
    }
    return out.toByteArray();
  }

  static EventTimeSketch decode(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot read event-time sketch: %s characters (must be <= %s)",
              text.length(), MAX_CHARS));
    }
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException(
          "Cannot read event-time sketch: the text does not start with \""
              + PREFIX
              + "\", so it is of another version. Ignore the sketch and use the plain keys.");
    }
    byte[] bytes = base64(text.substring(PREFIX.length()));
    int length = bytes.length - CRC_BYTES;
    SketchBytes.check(length > 0, "it is cut off");
    int crc = 0;
    for (int i = length; i < bytes.length; i++) {
      crc = crc << 8 | (bytes[i] & 0xff);
    }
    SketchBytes.check(crc == crc(bytes, length), "its checksum does not match");
    return SketchBytes.read(bytes, length, true);
  }

  private static byte[] base64(String text) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Cannot read event-time sketch: it is not unpadded base64url. It is damaged;"
              + " use the plain count, minimum and maximum beside it.",
          e);
    }
    // The decoder takes padding and stray trailing bits; a stored text has one form only.
    SketchBytes.check(
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text),
        "it is not in canonical base64url");
    return bytes;
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
