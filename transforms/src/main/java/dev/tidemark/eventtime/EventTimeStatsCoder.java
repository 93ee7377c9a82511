package dev.tidemark.eventtime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CoderProvider;
import org.apache.beam.sdk.coders.CoderProviders;
import org.apache.beam.sdk.util.VarInt;
import org.apache.beam.sdk.values.TypeDescriptor;

/**
 * Encodes {@link EventTimeStats} without loss, unions of partial sketches included, so that
 * statistics that cross a stage merge to the same bits as those that do not. Deterministic. Version
 * 1: a version byte, the counts of null, unparsable, past and future values, and the sketch.
 */
public final class EventTimeStatsCoder extends AtomicCoder<EventTimeStats> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final EventTimeStatsCoder INSTANCE = new EventTimeStatsCoder();

  private EventTimeStatsCoder() {}

  /** The coder; there is only one. */
  public static EventTimeStatsCoder of() {
    return INSTANCE;
  }

  /** Lets the registry find this coder by the value type. */
  public static CoderProvider getCoderProvider() {
    return CoderProviders.forCoder(TypeDescriptor.of(EventTimeStats.class), INSTANCE);
  }

  @Override
  public void encode(EventTimeStats value, OutputStream out) throws IOException {
    out.write(VERSION);
    VarInt.encode(value.nullCount(), out);
    VarInt.encode(value.unparsableCount(), out);
    VarInt.encode(value.pastCount(), out);
    VarInt.encode(value.futureCount(), out);
    encodeSketch(value.sketch(), out);
  }

  @Override
  public EventTimeStats decode(InputStream in) throws IOException {
    checkVersion("event-time statistics", VERSION, in);
    long nulls = VarInt.decodeLong(in);
    long unparsable = VarInt.decodeLong(in);
    long past = VarInt.decodeLong(in);
    long future = VarInt.decodeLong(in);
    return EventTimeStats.of(decodeSketch(in))
        .withNullCount(nulls)
        .withUnparsableCount(unparsable)
        .withPastCount(past)
        .withFutureCount(future);
  }

  /** One byte that tells whether it is compressed (1) or not (0), then length and bytes. */
  static void encodeSketch(EventTimeSketch sketch, OutputStream out) throws IOException {
    out.write(sketch.isCompressed() ? 1 : 0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    SketchBytes.write(sketch, bytes);
    ByteArrayCoder.of().encode(bytes.toByteArray(), out);
  }

  static EventTimeSketch decodeSketch(InputStream in) throws IOException {
    int compressed = in.read();
    if (compressed != 0 && compressed != 1) {
      throw new CoderException("Cannot decode event-time sketch: unknown kind " + compressed);
    }
    byte[] bytes = ByteArrayCoder.of().decode(in);
    try {
      return SketchBytes.read(bytes, bytes.length, compressed == 1);
    } catch (IllegalArgumentException e) {
      throw new CoderException(e.getMessage(), e);
    }
  }

  static void checkVersion(String what, int expected, InputStream in) throws IOException {
    int version = in.read();
    if (version != expected) {
      throw new CoderException(
          String.format(
              "Cannot decode %s: unknown version %s (must be %s)."
                  + " Run with the release that encoded it.",
              what, version, expected));
    }
  }

  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
