package dev.tidemark.eventtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.VarInt;

/**
 * Encodes an accumulator without loss and without changing it, its buffer included, so that a
 * runner may store it between any two rows. Version 1: a version byte, the merged statistics, the
 * sketch under construction, and the buffered event times as differences.
 */
final class EventTimeAccumulatorCoder extends AtomicCoder<EventTimeAccumulator> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final EventTimeAccumulatorCoder INSTANCE = new EventTimeAccumulatorCoder();

  private EventTimeAccumulatorCoder() {}

  static EventTimeAccumulatorCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(EventTimeAccumulator value, OutputStream out) throws IOException {
    out.write(VERSION);
    EventTimeStatsCoder.of().encode(value.merged(), out);
    EventTimeStatsCoder.encodeSketch(value.builder().merged(), out);
    long[] buffered = value.builder().bufferedMillis();
    VarInt.encode(buffered.length, out);
    long before = 0;
    for (long millis : buffered) {
      VarInt.encode(Varints.zigzag(millis - before), out);
      before = millis;
    }
  }

  @Override
  public EventTimeAccumulator decode(InputStream in) throws IOException {
    EventTimeStatsCoder.checkVersion("event-time accumulator", VERSION, in);
    EventTimeStats merged = EventTimeStatsCoder.of().decode(in);
    EventTimeSketch sketch = EventTimeStatsCoder.decodeSketch(in);
    int size = VarInt.decodeInt(in);
    if (size < 0 || size > EventTimeSketchBuilder.BUFFER_RECORDS) {
      throw new CoderException("Cannot decode event-time accumulator: buffer of " + size);
    }
    long[] buffered = new long[size];
    long before = 0;
    for (int i = 0; i < size; i++) {
      before += Varints.unzigzag(VarInt.decodeLong(in));
      buffered[i] = before;
    }
    return new EventTimeAccumulator(new EventTimeSketchBuilder(sketch, buffered), merged);
  }
}
