package dev.tidemark.upsert;

import dev.tidemark.candidates.ShardImages;
import java.io.IOException;

/** Counts records as they are written, and says when all are there. */
final class ImageSink implements ShardImages.Sink {
  private final ShardImages.Sink sink;
  private final Whole whole;
  private long count;

  /** Is told that an image is whole. */
  interface Whole {
    void accept(long records) throws IOException;
  }

  ImageSink(ShardImages.Sink sink, Whole whole) {
    this.sink = sink;
    this.whole = whole;
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    sink.put(key, value);
    count++;
  }

  @Override
  public void close() throws IOException {
    sink.close();
    whole.accept(count);
  }
}
