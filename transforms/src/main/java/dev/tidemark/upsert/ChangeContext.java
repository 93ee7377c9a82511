package dev.tidemark.upsert;

import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.LogPosition;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/**
 * What belongs to a change and not to its row, as the context of {@link KeyedChanges}.
 *
 * <p>Version 1: a byte (version in bits 4-7, bit 0: has a position, bit 1: has a sequence), the
 * element timestamp in milliseconds (8 bytes, big-endian), the position (LSN as 8 bytes, step as a
 * byte, order as 8 bytes), the sequence (8 bytes, sign bit inverted). Positions and sequences sort
 * as unsigned bytes.
 */
final class ChangeContext {
  private static final int VERSION = 1 << 4;
  private static final int VERSION_MASK = 0xf0;
  private static final int HAS_POSITION = 0x01;
  private static final int HAS_SEQUENCE = 0x02;
  private static final int TIMESTAMP_END = 1 + Long.BYTES;
  private static final int POSITION_BYTES = Long.BYTES + 1 + Long.BYTES;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private ChangeContext() {}

  static void encode(
      Instant timestamp,
      @Nullable LogPosition position,
      @Nullable Long sequence,
      EncodingBuffer out) {
    out.putByte(
        VERSION | (position == null ? 0 : HAS_POSITION) | (sequence == null ? 0 : HAS_SEQUENCE));
    out.putLong(timestamp.getMillis());
    if (position != null) {
      out.putLong(position.lsn());
      out.putByte(position.step().number());
      out.putLong(position.order());
    }
    if (sequence != null) {
      out.putLong(sequence ^ Long.MIN_VALUE);
    }
  }

  static long timestampMillis(KeyedChanges changes, int index) {
    flags(changes, index);
    return (long) LONGS.get(changes.data(), changes.contextOffset(index) + 1);
  }

  static @Nullable LogPosition position(KeyedChanges changes, int index) {
    if ((flags(changes, index) & HAS_POSITION) == 0) {
      return null;
    }
    byte[] data = changes.data();
    int at = changes.contextOffset(index) + TIMESTAMP_END;
    LogPosition.Step step = LogPosition.stepOf(data[at + Long.BYTES]);
    if (step == null) {
      throw unreadable("the step of a log position is not known");
    }
    return LogPosition.of(
        (long) LONGS.get(data, at), step, (long) LONGS.get(data, at + Long.BYTES + 1));
  }

  /** Compares two changes by what they are sorted by. */
  static int compare(
      ChangeOrder order, KeyedChanges changes, int index, KeyedChanges others, int other) {
    int length = order.by() == ChangeOrder.By.COLUMN ? Long.BYTES : POSITION_BYTES;
    int from = sortOffset(order, changes, index);
    int otherFrom = sortOffset(order, others, other);
    return Arrays.compareUnsigned(
        changes.data(), from, from + length, others.data(), otherFrom, otherFrom + length);
  }

  private static int sortOffset(ChangeOrder order, KeyedChanges changes, int index) {
    int flags = flags(changes, index);
    int position = changes.contextOffset(index) + TIMESTAMP_END;
    boolean byColumn = order.by() == ChangeOrder.By.COLUMN;
    if ((flags & (byColumn ? HAS_SEQUENCE : HAS_POSITION)) == 0) {
      throw unreadable("a change does not have what it is sorted by");
    }
    return byColumn && (flags & HAS_POSITION) != 0 ? position + POSITION_BYTES : position;
  }

  private static int flags(KeyedChanges changes, int index) {
    int length = changes.contextLength(index);
    int flags = length == 0 ? 0 : changes.data()[changes.contextOffset(index)];
    int expected =
        TIMESTAMP_END
            + ((flags & HAS_POSITION) == 0 ? 0 : POSITION_BYTES)
            + ((flags & HAS_SEQUENCE) == 0 ? 0 : Long.BYTES);
    if ((flags & VERSION_MASK) != VERSION || length != expected) {
      throw unreadable("its version or its length is not known");
    }
    return flags;
  }

  private static CorruptStateException unreadable(String reason) {
    return new CorruptStateException(
        "Cannot read the context of a change: "
            + reason
            + ". Run the release that wrote it, or a newer one");
  }
}
