package dev.tidemark.arrow;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Copies selected values of columns of one type, nested ones with what they hold. */
final class GatherColumns {
  private static final int OFFSET_BYTES = BaseVariableWidthVector.OFFSET_WIDTH;

  private GatherColumns() {}

  static void gather(FieldVector[] sources, RowSelection selection, FieldVector target) {
    if (target instanceof BitVector bits) {
      gatherBits(sources, selection, bits);
    } else if (target instanceof BaseFixedWidthVector fixed) {
      gatherFixed(sources, selection, fixed);
    } else if (target instanceof BaseVariableWidthVector variable) {
      gatherVariable(sources, selection, variable);
    } else if (target instanceof ListVector list) {
      gatherLists(sources, selection, list);
    } else if (target instanceof StructVector struct) {
      gatherStructs(sources, selection, struct);
    } else {
      throw new IllegalArgumentException(
          String.format(
              "Cannot copy column %s: %s is not supported. Cast it to a type that the documentation"
                  + " of the package lists before",
              target.getName(), Appenders.describe(target.getField())));
    }
  }

  private static void gatherBits(FieldVector[] sources, RowSelection selection, BitVector target) {
    int size = selection.size();
    target.allocateNew(size);
    ArrowBuf[] values = dataBuffers(sources);
    ArrowBuf to = target.getDataBuffer();
    for (int i = 0; i < size; i++) {
      if (BitVectorHelper.get(values[selection.source(i)], selection.row(i)) != 0) {
        BitVectorHelper.setBit(to, i);
      }
    }
    gatherValidity(sources, selection, target.getValidityBuffer());
    target.setValueCount(size);
  }

  private static void gatherFixed(
      FieldVector[] sources, RowSelection selection, BaseFixedWidthVector target) {
    int size = selection.size();
    target.allocateNew(size);
    ArrowBuf[] values = dataBuffers(sources);
    ArrowBuf to = target.getDataBuffer();
    int width = target.getTypeWidth();
    switch (width) {
      case Integer.BYTES -> {
        for (int i = 0; i < size; i++) {
          ArrowBuf from = values[selection.source(i)];
          to.setInt((long) i * width, from.getInt((long) selection.row(i) * width));
        }
      }
      case Long.BYTES -> {
        for (int i = 0; i < size; i++) {
          ArrowBuf from = values[selection.source(i)];
          to.setLong((long) i * width, from.getLong((long) selection.row(i) * width));
        }
      }
      default -> {
        for (int i = 0; i < size; i++) {
          ArrowBuf from = values[selection.source(i)];
          to.setBytes((long) i * width, from, (long) selection.row(i) * width, width);
        }
      }
    }
    gatherValidity(sources, selection, target.getValidityBuffer());
    target.setValueCount(size);
  }

  private static void gatherVariable(
      FieldVector[] sources, RowSelection selection, BaseVariableWidthVector target) {
    int size = selection.size();
    ArrowBuf[] offsets = offsetBuffers(sources);
    ArrowBuf[] values = dataBuffers(sources);
    // Offsets of columns are of four bytes.
    int bytes = 0;
    for (int i = 0; i < size; i++) {
      ArrowBuf from = offsets[selection.source(i)];
      int length = offset(from, selection.row(i) + 1) - offset(from, selection.row(i));
      bytes = Math.addExact(bytes, length);
    }
    target.allocateNew(bytes, size);
    ArrowBuf to = target.getDataBuffer();
    ArrowBuf toOffsets = target.getOffsetBuffer();
    int end = 0;
    for (int i = 0; i < size; i++) {
      int source = selection.source(i);
      int begin = offset(offsets[source], selection.row(i));
      int length = offset(offsets[source], selection.row(i) + 1) - begin;
      if (length > 0) {
        to.setBytes(end, values[source], begin, length);
        end += length;
      }
      toOffsets.setInt((i + 1L) * OFFSET_BYTES, end);
    }
    gatherValidity(sources, selection, target.getValidityBuffer());
    target.setLastSet(size - 1);
    target.setValueCount(size);
  }

  private static void gatherLists(
      FieldVector[] sources, RowSelection selection, ListVector target) {
    int size = selection.size();
    FieldVector[] elements = new FieldVector[sources.length];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = ((ListVector) sources[i]).getDataVector();
    }
    ArrowBuf[] offsets = offsetBuffers(sources);
    target.setInitialCapacity(size);
    target.allocateNew();
    ArrowBuf toOffsets = target.getOffsetBuffer();
    RowSelection selected = new RowSelection();
    for (int i = 0; i < size; i++) {
      int source = selection.source(i);
      int end = offset(offsets[source], selection.row(i) + 1);
      for (int at = offset(offsets[source], selection.row(i)); at < end; at++) {
        selected.add(source, at);
      }
      toOffsets.setInt((i + 1L) * OFFSET_BYTES, selected.size());
    }
    gather(elements, selected, target.getDataVector());
    gatherValidity(sources, selection, target.getValidityBuffer());
    target.setLastSet(size - 1);
    target.setValueCount(size);
  }

  private static void gatherStructs(
      FieldVector[] sources, RowSelection selection, StructVector target) {
    int size = selection.size();
    target.setInitialCapacity(size);
    target.allocateNew();
    FieldVector[] children = new FieldVector[sources.length];
    for (FieldVector child : target.getChildrenFromFields()) {
      for (int i = 0; i < children.length; i++) {
        children[i] = ((StructVector) sources[i]).getChild(child.getName());
      }
      gather(children, selection, child);
    }
    gatherValidity(sources, selection, target.getValidityBuffer());
    target.setValueCount(size);
  }

  private static void gatherValidity(
      FieldVector[] sources, RowSelection selection, ArrowBuf target) {
    int size = selection.size();
    boolean anyNull = false;
    ArrowBuf[] validity = new ArrowBuf[sources.length];
    for (int i = 0; i < sources.length; i++) {
      validity[i] = sources[i].getValidityBuffer();
      anyNull |= sources[i].getNullCount() > 0;
    }
    if (!anyNull) {
      int wholeBytes = size >>> 3;
      target.setOne(0L, (long) wholeBytes);
      if ((size & 7) != 0) {
        target.setByte(wholeBytes, (1 << (size & 7)) - 1);
      }
      return;
    }
    for (int i = 0; i < size; i++) {
      if (BitVectorHelper.get(validity[selection.source(i)], selection.row(i)) != 0) {
        BitVectorHelper.setBit(target, i);
      }
    }
  }

  private static int offset(ArrowBuf offsets, int index) {
    return offsets.getInt((long) index * OFFSET_BYTES);
  }

  private static ArrowBuf[] dataBuffers(FieldVector[] vectors) {
    ArrowBuf[] buffers = new ArrowBuf[vectors.length];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = vectors[i].getDataBuffer();
    }
    return buffers;
  }

  private static ArrowBuf[] offsetBuffers(FieldVector[] vectors) {
    ArrowBuf[] buffers = new ArrowBuf[vectors.length];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = vectors[i].getOffsetBuffer();
    }
    return buffers;
  }
}
