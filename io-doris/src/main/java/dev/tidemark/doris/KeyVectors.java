package dev.tidemark.doris;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.ArrowBufPointer;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;

/** The key columns of a batch, hashed and compared where they lie. */
final class KeyVectors {
  private static final long FACTOR = 0x9e3779b97f4a7c15L;
  private static final long START = 0xd6e8feb86659fd93L;
  private static final long NULL = 0x2545f4914f6cdd1dL;

  private final FieldVector[] vectors;

  private KeyVectors(FieldVector[] vectors) {
    this.vectors = vectors;
  }

  static KeyVectors of(List<FieldVector> vectors, int[] key) {
    FieldVector[] chosen = new FieldVector[key.length];
    for (int i = 0; i < key.length; i++) {
      chosen[i] = vectors.get(key[i]);
    }
    return new KeyVectors(chosen);
  }

  /** The hashes of the first rows. */
  long[] hashes(int rows) {
    long[] hashes = new long[rows];
    Arrays.fill(hashes, START);
    for (FieldVector vector : vectors) {
      mixAll(vector, hashes);
    }
    return hashes;
  }

  /** Column by column, so that the type is asked for once. */
  private static void mixAll(FieldVector vector, long[] hashes) {
    boolean nulls = vector.getNullCount() > 0;
    if (vector instanceof BitVector bits) {
      for (int row = 0; row < hashes.length; row++) {
        hashes[row] = mix(hashes[row] ^ (bits.isNull(row) ? NULL : bits.get(row)));
      }
    } else if (vector instanceof BaseVariableWidthVector texts) {
      for (int row = 0; row < hashes.length; row++) {
        hashes[row] = mix(hashes[row] ^ (nulls && texts.isNull(row) ? NULL : textHash(texts, row)));
      }
    } else if (vector instanceof BaseFixedWidthVector values) {
      ArrowBuf data = values.getDataBuffer();
      int width = values.getTypeWidth();
      for (int row = 0; row < hashes.length; row++) {
        hashes[row] =
            mix(hashes[row] ^ (nulls && values.isNull(row) ? NULL : fixed(data, row, width)));
      }
    } else {
      throw notAKey(vector);
    }
  }

  private static IllegalArgumentException notAKey(FieldVector vector) {
    return new IllegalArgumentException(
        String.format(
            "Cannot compare keys of column %s of type %s. Choose key columns of plain types",
            vector.getName(), vector.getField().getType()));
  }

  private static long fixed(ArrowBuf data, int row, int width) {
    long at = (long) row * width;
    return switch (width) {
      case 1 -> data.getByte(at);
      case 2 -> data.getShort(at);
      case 4 -> data.getInt(at);
      case 8 -> data.getLong(at);
      default -> wide(data, at, width);
    };
  }

  private static long wide(ArrowBuf data, long at, int width) {
    long hash = width;
    int done = 0;
    for (; width - done >= Long.BYTES; done += Long.BYTES) {
      hash = mix(hash ^ data.getLong(at + done));
    }
    for (; done < width; done++) {
      hash = mix(hash ^ data.getByte(at + done));
    }
    return hash;
  }

  private static long textHash(BaseVariableWidthVector texts, int row) {
    int start = texts.getStartOffset(row);
    return wide(texts.getDataBuffer(), start, texts.getEndOffset(row) - start);
  }

  private static long mix(long value) {
    long product = value * FACTOR;
    return product ^ Math.multiplyHigh(value, FACTOR) ^ product >>> 29;
  }

  /** Whether a row has the same key as a row of another batch. */
  boolean equal(int row, KeyVectors other, int otherRow) {
    for (int i = 0; i < vectors.length; i++) {
      if (!equal(vectors[i], row, other.vectors[i], otherRow)) {
        return false;
      }
    }
    return true;
  }

  private static boolean equal(FieldVector left, int row, FieldVector right, int otherRow) {
    if (left.isNull(row) || right.isNull(otherRow)) {
      return left.isNull(row) && right.isNull(otherRow);
    }
    if (left instanceof BitVector bits) {
      return bits.get(row) == ((BitVector) right).get(otherRow);
    }
    if (left instanceof BaseFixedWidthVector values) {
      int width = values.getTypeWidth();
      if (width <= Long.BYTES && Integer.bitCount(width) == 1) {
        return fixed(left.getDataBuffer(), row, width)
            == fixed(right.getDataBuffer(), otherRow, width);
      }
    }
    return pointer(left, row).equals(pointer(right, otherRow));
  }

  private static ArrowBufPointer pointer(FieldVector vector, int row) {
    if (vector instanceof BaseFixedWidthVector values) {
      return values.getDataPointer(row);
    }
    return ((BaseVariableWidthVector) vector).getDataPointer(row);
  }
}
