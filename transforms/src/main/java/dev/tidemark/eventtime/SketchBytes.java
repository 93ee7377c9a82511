package dev.tidemark.eventtime;

import java.io.ByteArrayOutputStream;

/**
 * The binary form of a sketch, version 1. All numbers are unsigned LEB128 varints of minimal
 * length, a signed one is zigzag:
 *
 * <pre>
 * version = 1 (one byte), k, boundary in minutes, width in minutes, count
 * and if count &gt; 0: min (zigzag, ms), max - min, n,
 * n times: mean minus the mean before (the first: minus min), weight
 * </pre>
 *
 * <p>A reader checks everything against the bytes at hand before it allocates: every centroid takes
 * two bytes at least, weights add up to the count, means ascend within [min, max], both extremes
 * fall into an occupied bucket, and no more buckets are occupied than a sketch allows.
 */
final class SketchBytes {
  static final int VERSION = 1;

  private static final long MINUTE_MILLIS = 60_000L;

  private SketchBytes() {}

  /** What precedes the centroids. */
  static final class Header {
    boolean compressed;
    long boundaryMillis;
    long widthMillis;
    long count;
    long minMillis;
    long maxMillis;
    int centroids;
  }

  static void write(EventTimeSketch sketch, ByteArrayOutputStream out) {
    out.write(VERSION);
    Varints.write(SketchReducer.K, out);
    Varints.write(sketch.boundaryMillis() / MINUTE_MILLIS, out);
    Varints.write(sketch.widthMillis() / MINUTE_MILLIS, out);
    Varints.write(sketch.count(), out);
    if (sketch.isEmpty()) {
      return;
    }
    Varints.write(Varints.zigzag(sketch.minMillis()), out);
    Varints.write(sketch.maxMillis() - sketch.minMillis(), out);
    long[] means = sketch.means();
    long[] weights = sketch.weights();
    Varints.write(means.length, out);
    long before = sketch.minMillis();
    for (int i = 0; i < means.length; i++) {
      Varints.write(means[i] - before, out);
      Varints.write(weights[i], out);
      before = means[i];
    }
  }

  /** Reads {@code length} bytes from the start, all of which have to belong to the sketch. */
  static EventTimeSketch read(byte[] bytes, int length, boolean compressed) {
    Varints.Reader in = new Varints.Reader(bytes, length);
    Header header = readHeader(in);
    header.compressed = compressed;
    int centroidsAt = in.position();
    checkCentroids(header, in);
    check(in.remaining() == 0, "bytes are left over");
    long[] means = new long[header.centroids];
    long[] weights = new long[header.centroids];
    in.seek(centroidsAt);
    long mean = header.minMillis;
    for (int i = 0; i < means.length; i++) {
      mean += in.next();
      means[i] = mean;
      weights[i] = in.next();
    }
    return EventTimeSketch.ofDecoded(header, means, weights);
  }

  private static Header readHeader(Varints.Reader in) {
    check(in.remaining() > 0, "it is cut off");
    long version = in.next();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot read event-time sketch: unknown version %s (must be %s)."
                  + " Read it with the release that wrote it, or ignore the sketch.",
              version, VERSION));
    }
    check(in.next() == SketchReducer.K, "its k is not supported");
    Header header = new Header();
    header.boundaryMillis = millis(in.next());
    check(
        header.boundaryMillis == BucketWidths.HOUR_MILLIS
            || header.boundaryMillis == BucketWidths.QUARTER_HOUR_MILLIS,
        "its boundary is not supported");
    header.widthMillis = millis(in.next());
    check(
        BucketWidths.isReachable(header.boundaryMillis, header.widthMillis),
        "its width does not fit the boundary");
    header.count = in.next();
    check(header.count <= EventTimeSketch.MAX_COUNT, "its count is out of range");
    if (header.count == 0) {
      check(header.widthMillis == header.boundaryMillis, "it is wide without a record");
      return header;
    }
    header.minMillis = Varints.unzigzag(in.next());
    check(inRange(header.minMillis), "its minimum is out of range");
    long span = in.next();
    check(span <= EventTimeSketch.MAX_MILLIS - header.minMillis, "its maximum is out of range");
    header.maxMillis = header.minMillis + span;
    long centroids = in.next();
    check(
        centroids >= 1 && centroids <= header.count && centroids <= in.remaining() / 2,
        "it holds fewer centroids than it says");
    header.centroids = (int) centroids;
    return header;
  }

  private static void checkCentroids(Header header, Varints.Reader in) {
    long mean = header.minMillis;
    long left = header.count;
    int occupied = 0;
    long end = Long.MIN_VALUE;
    for (int i = 0; i < header.centroids; i++) {
      long delta = in.next();
      check(delta > 0 || i == 0, "its centroids do not ascend");
      check(delta <= header.maxMillis - mean, "a centroid lies beyond the maximum");
      mean += delta;
      long weight = in.next();
      check(weight >= 1 && weight <= left, "its counts do not add up");
      left -= weight;
      if (i == 0 || mean >= end) {
        occupied++;
        end = bucketStart(mean, header) + header.widthMillis;
      }
      check(
          i > 0 || bucketStart(mean, header) == bucketStart(header.minMillis, header),
          "no centroid is near the minimum");
    }
    check(left == 0, "its counts do not add up");
    check(
        header.count == 0 || bucketStart(mean, header) == bucketStart(header.maxMillis, header),
        "no centroid is near the maximum");
    check(header.count != 1 || header.minMillis == header.maxMillis, "one record has no span");
    check(occupied <= BucketWidths.MAX_OCCUPIED, "it occupies too many buckets");
  }

  private static long bucketStart(long millis, Header header) {
    return BucketWidths.bucketStart(millis, header.widthMillis);
  }

  private static boolean inRange(long millis) {
    return millis >= EventTimeSketch.MIN_MILLIS && millis <= EventTimeSketch.MAX_MILLIS;
  }

  private static long millis(long minutes) {
    check(minutes <= EventTimeSketch.MAX_MILLIS, "its width is out of range");
    return minutes <= Long.MAX_VALUE / MINUTE_MILLIS ? minutes * MINUTE_MILLIS : Long.MAX_VALUE;
  }

  static void check(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot read event-time sketch: %s. It is damaged or not from a supported writer;"
                  + " use the plain count, minimum and maximum beside it.",
              reason));
    }
  }
}
