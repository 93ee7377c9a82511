package dev.tidemark.streamload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/** A body in pieces, of known length. */
final class BodyEntity extends AbstractHttpEntity {
  private final List<byte[]> pieces;
  private final long length;

  BodyEntity(List<byte[]> pieces, long length) {
    super((String) null, null);
    this.pieces = pieces;
    this.length = length;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    for (byte[] piece : pieces) {
      out.write(piece);
    }
  }

  @Override
  public long getContentLength() {
    return length;
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public boolean isStreaming() {
    return false;
  }

  @Override
  public InputStream getContent() {
    throw new UnsupportedOperationException("Cannot read the body of a load: it is only written");
  }

  @Override
  public void close() {}
}
