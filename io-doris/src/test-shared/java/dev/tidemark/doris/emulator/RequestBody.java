package dev.tidemark.doris.emulator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What came of a request's body, without the framing of chunks. */
final class RequestBody {

  /** How the reading of a body ended. */
  enum End {
    /** All of it was read. */
    COMPLETE,
    /** The client closed the connection before. */
    SHORT,
    /** It is longer than the limit; the rest is unread. */
    TOO_LONG
  }

  private static final RequestBody EMPTY = new RequestBody(new byte[0], End.COMPLETE);

  private final byte[] bytes;
  private final End end;

  private RequestBody(byte[] bytes, End end) {
    this.bytes = bytes;
    this.end = end;
  }

  byte[] bytes() {
    return bytes;
  }

  End end() {
    return end;
  }

  /** Reads a body, but never more than {@code limit} bytes of it. */
  static RequestBody read(RequestHead head, InputStream in, long limit) throws IOException {
    try {
      return head.chunked() ? readChunks(in, limit) : readLength(head.contentLength(), in, limit);
    } catch (SocketException e) {
      // A reset by the client is as good as an early end.
      return new RequestBody(new byte[0], End.SHORT);
    }
  }

  private static RequestBody readLength(long length, InputStream in, long limit)
      throws IOException {
    if (length <= 0) {
      return EMPTY;
    }
    int wanted = Math.toIntExact(Math.min(length, limit));
    byte[] bytes = in.readNBytes(wanted);
    if (bytes.length < wanted) {
      return new RequestBody(bytes, End.SHORT);
    }
    return new RequestBody(bytes, wanted < length ? End.TOO_LONG : End.COMPLETE);
  }

  private static RequestBody readChunks(InputStream in, long limit) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (true) {
      long size = chunkSize(in);
      if (size < 0) {
        return new RequestBody(bytes.toByteArray(), End.SHORT);
      }
      if (size == 0) {
        return new RequestBody(bytes.toByteArray(), "".equals(line(in)) ? End.COMPLETE : End.SHORT);
      }
      int wanted = Math.toIntExact(Math.min(size, limit - bytes.size()));
      byte[] chunk = in.readNBytes(wanted);
      bytes.write(chunk);
      if (chunk.length < wanted) {
        return new RequestBody(bytes.toByteArray(), End.SHORT);
      }
      if (wanted < size) {
        return new RequestBody(bytes.toByteArray(), End.TOO_LONG);
      }
      if (!"".equals(line(in))) {
        return new RequestBody(bytes.toByteArray(), End.SHORT);
      }
    }
  }

  /** The size of the next chunk, or -1 if there is none. */
  private static long chunkSize(InputStream in) throws IOException {
    String line = line(in);
    if (line == null) {
      return -1;
    }
    int extension = line.indexOf(';');
    String size = (extension < 0 ? line : line.substring(0, extension)).trim();
    try {
      return size.isEmpty() ? -1 : Long.parseLong(size, 16);
    } catch (NumberFormatException e) {
      throw new IOException("Invalid chunk size: " + size, e);
    }
  }

  /** A line, or null if the client closed the connection before its end. */
  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      if (line.size() > 1024) {
        throw new IOException("Line of a chunk exceeds 1024 bytes");
      }
      if (next == '\n') {
        String text = line.toString(StandardCharsets.US_ASCII);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      line.write(next);
    }
  }
}
