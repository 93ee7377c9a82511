package dev.tidemark.upsert;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Arrays and iterables: the number of elements as a varint, a bit for each that is set where it is
 * null, and those that are not.
 */
final class SequenceEncoding extends ValueEncoding {
  private final ValueEncoding element;

  SequenceEncoding(ValueEncoding element) {
    this.element = element;
  }

  @Override
  void encode(Object value, EncodingBuffer out) {
    Collection<?> elements =
        value instanceof Collection<?> collection ? collection : listOf((Iterable<?>) value);
    int size = elements.size();
    out.putVarint(size);
    int nulls = out.putBitmap(size);
    int index = 0;
    for (Object each : elements) {
      if (each == null) {
        out.setBit(nulls, index);
      } else {
        element.encode(each, out);
      }
      index++;
    }
  }

  @Override
  Object decode(DecodingCursor in) {
    int size = in.getVarint();
    int nulls = in.getBitmap(size);
    // Elements may take no byte each, so that the size alone does not justify memory.
    List<Object> elements = new ArrayList<>(Math.min(size, in.remaining()));
    for (int i = 0; i < size; i++) {
      elements.add(in.isBitSet(nulls, i) ? null : element.decode(in));
    }
    return elements;
  }

  private static Collection<?> listOf(Iterable<?> values) {
    List<Object> list = new ArrayList<>();
    values.forEach(list::add);
    return list;
  }
}
