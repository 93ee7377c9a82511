package dev.tidemark.arrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/** Arrow IPC streams of one record batch each, in arrays. */
final class IpcStreams {
  private static final int MARGIN_BYTES = 1 << 10;

  private IpcStreams() {}

  /** Schema, record batch and end of stream. */
  static byte[] write(VectorSchemaRoot root) {
    long size = MARGIN_BYTES;
    for (var vector : root.getFieldVectors()) {
      size += vector.getBufferSize();
    }
    Output out = new Output((int) Math.min(size, 1 << 30));
    try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
      writer.start();
      writer.writeBatch();
      writer.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** The schema, without memory outside of the heap. */
  static Schema schema(byte[] stream) throws IOException {
    return MessageSerializer.deserializeSchema(new ReadChannel(new Input(stream)));
  }

  static ArrowStreamReader read(byte[] stream, BufferAllocator allocator) {
    return new ArrowStreamReader(new Input(stream), allocator);
  }

  /** Copies from an array. */
  private static final class Input implements ReadableByteChannel {
    private final byte[] bytes;
    private int position;

    Input(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read(ByteBuffer target) {
      if (position == bytes.length) {
        return -1;
      }
      int length = Math.min(target.remaining(), bytes.length - position);
      target.put(bytes, position, length);
      position += length;
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Collects in an array. */
  private static final class Output implements WritableByteChannel {
    private byte[] bytes;
    private int end;

    Output(int size) {
      this.bytes = new byte[size];
    }

    @Override
    public int write(ByteBuffer source) {
      int length = source.remaining();
      if (bytes.length - end < length) {
        int needed = Math.addExact(end, length);
        bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(2L * end, 1L << 30)));
      }
      source.get(bytes, end, length);
      end += length;
      return length;
    }

    byte[] toByteArray() {
      return end == bytes.length ? bytes : Arrays.copyOf(bytes, end);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
