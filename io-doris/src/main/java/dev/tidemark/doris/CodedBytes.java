package dev.tidemark.doris;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.beam.sdk.coders.CoderException;

/** Reads arrays whose length was read before them. */
final class CodedBytes {
  /** Taken at once, so that what a load holds is copied once; a damaged length may cost as much. */
  private static final int MOST_AT_ONCE = 16 << 20;

  private CodedBytes() {}

  /**
   * So many bytes.
   *
   * @param of what they are of, for the message of the exception
   */
  static byte[] read(InputStream in, int length, String of) throws IOException {
    if (length < 0) {
      throw new CoderException("Cannot decode " + of + ": a length is negative");
    }
    byte[] bytes = new byte[Math.min(length, MOST_AT_ONCE)];
    int end = 0;
    while (true) {
      int read = in.readNBytes(bytes, end, bytes.length - end);
      end += read;
      if (end < bytes.length) {
        throw new CoderException("Cannot decode " + of + ": it ends early");
      }
      if (end == length) {
        return bytes;
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * end));
    }
  }
}
