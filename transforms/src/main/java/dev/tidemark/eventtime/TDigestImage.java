package dev.tidemark.eventtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The serialized form of {@code org.apache.datasketches.tdigest.TDigestDouble}, serial version 1.
 * Its readers expect the outermost centroids to be single records and reserve room by k, so heavy
 * ends are split and k is raised to fit the centroids.
 */
final class TDigestImage {
  private static final byte SERIAL_VERSION = 1;
  private static final byte FAMILY_TDIGEST = 20;
  private static final byte EMPTY = 1;
  private static final byte SINGLE_VALUE = 2;
  private static final int PREAMBLE_BYTES = 8;
  private static final int CENTROID_BYTES = Double.BYTES + Long.BYTES;

  private TDigestImage() {}

  static byte[] encode(EventTimeSketch sketch) {
    if (sketch.count() <= 1) {
      boolean empty = sketch.isEmpty();
      byte[] bytes = new byte[empty ? PREAMBLE_BYTES : PREAMBLE_BYTES + Double.BYTES];
      ByteBuffer image = littleEndian(bytes);
      preamble(image, 1, SketchReducer.K, empty ? EMPTY : SINGLE_VALUE);
      if (!empty) {
        image.putDouble((double) sketch.minMillis());
      }
      return bytes;
    }
    int last = sketch.means().length - 1;
    boolean splitFirst = sketch.weights()[0] > 1;
    boolean splitLast = sketch.weights()[last] > 1 && (last > 0 || sketch.count() > 2);
    int centroids = last + 1 + (splitFirst ? 1 : 0) + (splitLast ? 1 : 0);
    byte[] bytes = new byte[2 * PREAMBLE_BYTES + 2 * Double.BYTES + centroids * CENTROID_BYTES];
    ByteBuffer image = littleEndian(bytes);
    preamble(image, 2, Math.max(SketchReducer.K, (centroids + 1) / 2), (byte) 0);
    image.putInt(centroids).putInt(0);
    image.putDouble((double) sketch.minMillis()).putDouble((double) sketch.maxMillis());
    putCentroids(sketch, splitFirst, splitLast, image);
    return bytes;
  }

  private static void putCentroids(
      EventTimeSketch sketch, boolean splitFirst, boolean splitLast, ByteBuffer image) {
    int last = sketch.means().length - 1;
    double min = (double) sketch.minMillis();
    double max = (double) sketch.maxMillis();
    if (splitFirst) {
      image.putDouble(min).putLong(1);
    }
    for (int i = 0; i <= last; i++) {
      double mean = (double) sketch.means()[i];
      long weight = sketch.weights()[i];
      if (i == 0 && splitFirst) {
        weight--;
        mean += (mean - min) / (double) weight;
      }
      if (i == last && splitLast) {
        weight--;
        mean -= (max - mean) / (double) weight;
      }
      // Rounded means may leave an extreme by a fraction of a millisecond.
      image.putDouble(Math.max(min, Math.min(max, mean))).putLong(weight);
    }
    if (splitLast) {
      image.putDouble(max).putLong(1);
    }
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void preamble(ByteBuffer image, int preambleLongs, int k, byte flags) {
    image.put((byte) preambleLongs).put(SERIAL_VERSION).put(FAMILY_TDIGEST);
    image.putShort((short) k).put(flags).putShort((short) 0);
  }
}
