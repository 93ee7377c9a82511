package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.eventtime.EventTimeSketch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The text of a window: {@code w1:} + unpadded base64url of the facts and a CRC32C over facts and
 * sketches, then each sketch as {@code ~} + its own text. Numbers are varints, zigzag where they
 * may be negative; times are relative to the commit's.
 */
final class WriterWindowCodec {

  static final String PREFIX = "w1:";
  static final int MAX_CHARS = 1 << 20;

  private static final char SKETCH = '~';
  private static final int HAS_EXTREMES = 1;
  private static final int HAS_BUCKETS = 2;
  private static final int HAS_SKETCH = 4;
  private static final int HAS_WATERMARK = 8;
  private static final int CRC_BYTES = 4;

  /** What all widths are multiples of. */
  private static final long WIDTH_UNIT_MILLIS = 900_000L;

  /** No facts are encoded in fewer bytes. */
  private static final int MIN_FACTS_BYTES = 9;

  private WriterWindowCodec() {}

  static String encode(WriterWindow window) {
    Output out = new Output();
    StringBuilder sketches = new StringBuilder();
    byte[] writer = window.writer().getBytes(StandardCharsets.US_ASCII);
    out.varint(writer.length);
    out.bytes.writeBytes(writer);
    out.varint(window.facts().size());
    long previous = 0;
    for (CommitFacts facts : window.facts()) {
      encode(facts, previous, out);
      previous = facts.committedAtMillis();
      EventTimeSketch sketch = facts.sketch();
      if (sketch != null) {
        sketches.append(SKETCH).append(sketch.toText());
      }
    }
    byte[] body = out.bytes.toByteArray();
    byte[] all =
        ByteBuffer.allocate(body.length + CRC_BYTES)
            .put(body)
            .putInt(checksum(ByteBuffer.wrap(body), sketches.toString()))
            .array();
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(all) + sketches;
  }

  static WriterWindow decode(String text) {
    checkArgument(
        text.startsWith(PREFIX), "Cannot read a writer window: unknown version (must be w1)");
    checkArgument(
        text.length() <= MAX_CHARS,
        "Cannot read a writer window: %s characters (must be at most %s)",
        text.length(),
        MAX_CHARS);
    try {
      WriterWindow window = decodeBody(text.substring(PREFIX.length()));
      checkArgument(window.toText().equals(text), "not canonical");
      return window;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "Cannot read a writer window: " + e.getMessage() + ". The property was damaged or edited",
          e);
    }
  }

  private static WriterWindow decodeBody(String text) {
    int bodyEnd = text.indexOf(SKETCH) < 0 ? text.length() : text.indexOf(SKETCH);
    String sketchTexts = text.substring(bodyEnd);
    byte[] all = Base64.getUrlDecoder().decode(text.substring(0, bodyEnd));
    checkArgument(all.length > CRC_BYTES, "cut short");
    ByteBuffer body = ByteBuffer.wrap(all, 0, all.length - CRC_BYTES);
    int expected = ByteBuffer.wrap(all, all.length - CRC_BYTES, CRC_BYTES).getInt();
    checkArgument(checksum(body.duplicate(), sketchTexts) == expected, "wrong checksum");

    Input in = new Input(body);
    int writerLength = in.length(1);
    byte[] writer = new byte[writerLength];
    body.get(writer);
    String name = CommitFacts.checkWriter(new String(writer, StandardCharsets.US_ASCII));
    int size = in.length(MIN_FACTS_BYTES);
    Iterator<String> sketches =
        sketchTexts.isEmpty()
            ? List.<String>of().iterator()
            : Splitter.on(SKETCH).splitToList(sketchTexts.substring(1)).iterator();
    List<CommitFacts> facts = new ArrayList<>(size);
    long previous = 0;
    for (int i = 0; i < size; i++) {
      CommitFacts next = decode(name, previous, in, sketches);
      previous = next.committedAtMillis();
      facts.add(next);
    }
    checkArgument(!body.hasRemaining() && !sketches.hasNext(), "trailing data");
    return WriterWindow.of(name, facts);
  }

  private static void encode(CommitFacts facts, long previousMillis, Output out) {
    Long min = facts.minMillis();
    Long max = facts.maxMillis();
    Long watermark = facts.inputWatermarkMillis();
    boolean sketch = facts.sketch() != null;
    boolean buckets = !sketch && !facts.buckets().isEmpty();
    out.varint(
        (min != null ? HAS_EXTREMES : 0)
            | (buckets ? HAS_BUCKETS : 0)
            | (sketch ? HAS_SKETCH : 0)
            | (watermark != null ? HAS_WATERMARK : 0));
    out.varint(facts.commits());
    out.signed(facts.snapshotId());
    long at = facts.committedAtMillis();
    out.signed(at - previousMillis);
    out.varint(facts.count());
    out.varint(facts.pastCount());
    out.varint(facts.futureCount());
    out.varint(facts.nullCount());
    out.varint(facts.unparsableCount());
    if (min != null && max != null) {
      out.signed(min - at);
      out.varint(max - min);
      out.varint(facts.widthMillis() / WIDTH_UNIT_MILLIS);
      encodeQuantiles(facts.quantilesMillis(), min, out);
    }
    if (buckets) {
      encodeBuckets(facts, out);
    }
    if (watermark != null) {
      out.signed(watermark - at);
    }
  }

  private static CommitFacts decode(
      String writer, long previousMillis, Input in, Iterator<String> sketches) {
    long flags = in.varint();
    checkArgument(flags >= 0 && flags < 2 * HAS_WATERMARK, "unknown flags");
    int commits = Math.toIntExact(in.varint());
    long snapshotId = in.signed();
    long at = previousMillis + in.signed();
    CommitFacts.Builder builder =
        CommitFacts.builder(writer, snapshotId, at)
            .setCommits(commits)
            .setCount(in.varint())
            .setPastCount(in.varint())
            .setFutureCount(in.varint())
            .setNullCount(in.varint())
            .setUnparsableCount(in.varint());
    if ((flags & HAS_EXTREMES) != 0) {
      long min = at + in.signed();
      builder
          .setMinMillis(min)
          .setMaxMillis(min + in.varint())
          .setWidthMillis(Math.multiplyExact(in.varint(), WIDTH_UNIT_MILLIS))
          .setQuantilesMillis(decodeQuantiles(min, in));
    }
    if ((flags & HAS_BUCKETS) != 0) {
      builder.setBuckets(decodeBuckets(builder.build().widthMillis(), in));
    }
    if ((flags & HAS_SKETCH) != 0) {
      checkArgument(sketches.hasNext(), "a sketch is missing");
      EventTimeSketch sketch = EventTimeSketch.fromText(sketches.next());
      builder.setSketch(sketch).setBuckets(sketch.countsByBucket());
    }
    if ((flags & HAS_WATERMARK) != 0) {
      builder.setInputWatermarkMillis(at + in.signed());
    }
    return builder.build();
  }

  private static void encodeQuantiles(Map<Integer, Long> quantiles, long min, Output out) {
    out.varint(quantiles.size());
    long previous = min;
    for (Map.Entry<Integer, Long> quantile : quantiles.entrySet()) {
      out.varint(quantile.getKey());
      out.varint(quantile.getValue() - previous);
      previous = quantile.getValue();
    }
  }

  private static ImmutableSortedMap<Integer, Long> decodeQuantiles(long min, Input in) {
    int size = in.length(2);
    ImmutableSortedMap.Builder<Integer, Long> quantiles = ImmutableSortedMap.naturalOrder();
    long previous = min;
    for (int i = 0; i < size; i++) {
      int perMille = Math.toIntExact(in.varint());
      previous += in.varint();
      quantiles.put(perMille, previous);
    }
    // Refuses the same quantile twice; any other order is not canonical.
    return quantiles.buildOrThrow();
  }

  private static void encodeBuckets(CommitFacts facts, Output out) {
    out.varint(facts.buckets().size());
    long previous = 0;
    for (Map.Entry<Long, Long> bucket : facts.buckets().entrySet()) {
      long index = bucket.getKey() / facts.widthMillis();
      out.signed(index - previous);
      out.varint(bucket.getValue());
      previous = index;
    }
  }

  private static ImmutableSortedMap<Long, Long> decodeBuckets(long width, Input in) {
    int size = in.length(2);
    ImmutableSortedMap.Builder<Long, Long> buckets = ImmutableSortedMap.naturalOrder();
    long index = 0;
    for (int i = 0; i < size; i++) {
      index += in.signed();
      buckets.put(Math.multiplyExact(index, width), in.varint());
    }
    return buckets.buildOrThrow();
  }

  private static int checksum(ByteBuffer body, String sketches) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    crc.update(sketches.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  private static final class Output {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void varint(long value) {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        bytes.write((int) (rest & 0x7F) | 0x80);
        rest >>>= 7;
      }
      bytes.write((int) rest);
    }

    void signed(long value) {
      varint((value << 1) ^ (value >> 63));
    }
  }

  private static final class Input {
    private final ByteBuffer bytes;

    Input(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    long varint() {
      long value = 0;
      for (int shift = 0; shift < 64; shift += 7) {
        checkArgument(bytes.hasRemaining(), "cut short");
        byte next = bytes.get();
        value |= (long) (next & 0x7F) << shift;
        if (next >= 0) {
          return value;
        }
      }
      throw new IllegalArgumentException("a number is too long");
    }

    long signed() {
      long value = varint();
      return (value >>> 1) ^ -(value & 1);
    }

    /**
     * A number of things that take at least {@code minBytes} each, checked before anything is
     * allocated.
     */
    int length(int minBytes) {
      long length = varint();
      checkArgument(
          length >= 0 && length <= bytes.remaining() / minBytes, "more is announced than there is");
      return (int) length;
    }
  }
}
