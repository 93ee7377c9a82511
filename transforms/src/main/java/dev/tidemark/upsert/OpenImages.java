package dev.tidemark.upsert;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.Set;

/** The streams of images that are being written, all of which are closed if one of them fails. */
final class OpenImages implements Closeable {
  private final Set<OutputStream> streams = new HashSet<>();

  OutputStream add(OutputStream stream) {
    streams.add(stream);
    return stream;
  }

  /** Closes one whose image is whole. */
  void close(OutputStream stream) throws IOException {
    streams.remove(stream);
    stream.close();
  }

  /** Closes those whose images will never be whole. */
  @Override
  public void close() throws IOException {
    for (OutputStream stream : streams) {
      stream.close();
    }
    streams.clear();
  }
}
