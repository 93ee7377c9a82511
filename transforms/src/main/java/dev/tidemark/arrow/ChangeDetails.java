package dev.tidemark.arrow;

import dev.tidemark.change.LogPosition;
import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the changes of a batch have beside kind and row; arrays are null where no change has it. */
final class ChangeDetails {
  private static final ChangeDetails NONE = new ChangeDetails(null, null, null, 0);

  /** By row, in milliseconds. */
  final long @Nullable [] timestamps;

  /** By row. */
  final @Nullable LogPosition @Nullable [] positions;

  /** Per row so many bytes, a bit for each column, low ones first. */
  final byte @Nullable [] unknown;

  final int unknownStride;

  ChangeDetails(
      long @Nullable [] timestamps,
      @Nullable LogPosition @Nullable [] positions,
      byte @Nullable [] unknown,
      int unknownStride) {
    this.timestamps = timestamps;
    this.positions = positions;
    this.unknown = unknown;
    this.unknownStride = unknownStride;
  }

  static ChangeDetails none() {
    return NONE;
  }

  @Nullable LogPosition position(int row) {
    return positions == null ? null : positions[row];
  }

  boolean isUnknown(int row, int column) {
    return unknown != null
        && (unknown[row * unknownStride + (column >>> 3)] >> (column & 7) & 1) != 0;
  }

  boolean isComplete(int row) {
    if (unknown == null) {
      return true;
    }
    for (int i = row * unknownStride; i < (row + 1) * unknownStride; i++) {
      if (unknown[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** The same without columns that are not told. */
  ChangeDetails complete() {
    return unknown == null ? this : new ChangeDetails(timestamps, positions, null, 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChangeDetails that
        && Arrays.equals(timestamps, that.timestamps)
        && Arrays.equals(positions, that.positions)
        && Arrays.equals(unknown, that.unknown);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(timestamps) * 31 + Arrays.hashCode(positions);
  }

  /** Collects details; may be used again after {@link #build}. */
  static final class Builder {
    private final int unknownStride;
    private long[] timestamps = new long[16];
    private @Nullable LogPosition[] positions = new LogPosition[16];
    private byte[] unknown = new byte[0];
    private int size;
    private boolean timed;
    private boolean positioned;
    private boolean incomplete;

    Builder(int columns) {
      this.unknownStride = (columns + 7) / 8;
    }

    /** Adds a change; a batch has timestamps of all its changes, or of none. */
    void add(@Nullable Long timestampMillis, @Nullable LogPosition position) {
      if (size == timestamps.length) {
        timestamps = Arrays.copyOf(timestamps, 2 * size);
        positions = Arrays.copyOf(positions, 2 * size);
      }
      if (timestampMillis != null && (size == 0 || timed)) {
        timed = true;
        timestamps[size] = timestampMillis;
      } else if (timestampMillis != null || timed) {
        throw new IllegalArgumentException(
            "Invalid timestamps: a batch has them for all of its changes, or for none");
      }
      positions[size] = position;
      positioned |= position != null;
      size++;
    }

    /** Says that the change added last does not tell a column. */
    void markUnknown(int column) {
      int length = size * unknownStride;
      if (unknown.length < length) {
        unknown = Arrays.copyOf(unknown, Math.max(length, 2 * unknown.length));
      }
      unknown[(size - 1) * unknownStride + (column >>> 3)] |= (byte) (1 << (column & 7));
      incomplete = true;
    }

    /** Adds a change of other details. */
    void add(ChangeDetails other, int row) {
      add(other.timestamps == null ? null : (Long) other.timestamps[row], other.position(row));
      if (!other.isComplete(row)) {
        for (int column = 0; column < 8 * unknownStride; column++) {
          if (other.isUnknown(row, column)) {
            markUnknown(column);
          }
        }
      }
    }

    ChangeDetails build() {
      ChangeDetails details =
          timed || positioned || incomplete
              ? new ChangeDetails(
                  timed ? Arrays.copyOf(timestamps, size) : null,
                  positioned ? Arrays.copyOf(positions, size) : null,
                  incomplete ? Arrays.copyOf(unknown, size * unknownStride) : null,
                  incomplete ? unknownStride : 0)
              : NONE;
      Arrays.fill(positions, null);
      Arrays.fill(unknown, (byte) 0);
      size = 0;
      timed = false;
      positioned = false;
      incomplete = false;
      return details;
    }
  }
}
