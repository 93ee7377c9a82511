package dev.tidemark.upsert;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Maps: the number of entries as a varint, and for each entry its key and its value, either as a
 * byte 0 and the value, or as a byte 1 for null.
 *
 * <p>No encoded key is the beginning of another one, so sorting entries by their bytes sorts them
 * by those of their keys.
 */
final class MapEncoding extends ValueEncoding {
  private static final int MIN_ENTRY_BYTES = 2;

  private final ValueEncoding key;
  private final ValueEncoding value;
  private final MapOrder order;

  MapEncoding(ValueEncoding key, ValueEncoding value, MapOrder order) {
    this.key = key;
    this.value = value;
    this.order = order;
  }

  @Override
  void encode(Object map, EncodingBuffer out) {
    Map<?, ?> entries = (Map<?, ?>) map;
    int size = entries.size();
    out.putVarint(size);
    int[] begins = new int[size + 1];
    int index = 0;
    begins[0] = out.end();
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      encode(key, entry.getKey(), out);
      encode(value, entry.getValue(), out);
      begins[++index] = out.end();
    }
    order(begins, order, out);
  }

  /** Puts entries in order that were written last; they lie between these places. */
  static void order(int[] begins, MapOrder order, EncodingBuffer out) {
    if (order == MapOrder.SORTED && !isSorted(begins, out)) {
      sort(begins, out);
    }
  }

  private static boolean isSorted(int[] begins, EncodingBuffer out) {
    for (int i = 1; i < begins.length - 1; i++) {
      if (out.compare(begins[i - 1], begins[i], begins[i], begins[i + 1]) > 0) {
        return false;
      }
    }
    return true;
  }

  private static void sort(int[] begins, EncodingBuffer out) {
    byte[][] entries = new byte[begins.length - 1][];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = out.copyOfRange(begins[i], begins[i + 1]);
    }
    Arrays.sort(entries, Arrays::compareUnsigned);
    out.truncate(begins[0]);
    for (byte[] entry : entries) {
      out.putBytes(entry);
    }
  }

  private static void encode(ValueEncoding encoding, @Nullable Object value, EncodingBuffer out) {
    if (value == null) {
      out.putByte(1);
    } else {
      out.putByte(0);
      encoding.encode(value, out);
    }
  }

  @Override
  Object decode(DecodingCursor in) {
    int size = in.getVarint();
    if (size < 0 || size > in.remaining() / MIN_ENTRY_BYTES) {
      throw DecodingCursor.corrupt(
          String.format("%d entries where %d bytes are left", size, in.remaining()));
    }
    Map<Object, Object> entries = new LinkedHashMap<>();
    int previous = in.position();
    for (int i = 0; i < size; i++) {
      int begin = in.position();
      Object entryKey = in.getFlag() ? null : key.decode(in);
      entries.put(entryKey, in.getFlag() ? null : value.decode(in));
      if (order == MapOrder.SORTED && in.compare(previous, begin, begin, in.position()) > 0) {
        throw DecodingCursor.corrupt("the entries of a map are not sorted");
      }
      previous = begin;
    }
    return entries;
  }
}
