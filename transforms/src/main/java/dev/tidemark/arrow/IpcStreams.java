package dev.tidemark.arrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/** Arrow IPC streams of one record batch each, in arrays. */
public final class IpcStreams {
  private IpcStreams() {}

  /** Schema, record batch and end of stream of a root without dictionaries. */
  static byte[] write(VectorSchemaRoot root) {
    return write(root.getSchema(), root);
  }

  /**
   * Schema, record batch and end of stream. The schema names and types what the root holds, of
   * which only the buffers count; neither has dictionaries.
   *
   * <p>Written twice, first to see how long it is, so that each buffer is copied just once.
   */
  public static byte[] write(Schema schema, VectorSchemaRoot root) {
    try (ArrowRecordBatch batch = new VectorUnloader(root).getRecordBatch()) {
      Length length = new Length();
      write(schema, batch, length);
      byte[] stream = new byte[Math.toIntExact(length.bytes)];
      write(schema, batch, new Output(stream));
      return stream;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write an Arrow batch to memory", e);
    }
  }

  private static void write(Schema schema, ArrowRecordBatch batch, WritableByteChannel target)
      throws IOException {
    try (WriteChannel channel = new WriteChannel(target)) {
      MessageSerializer.serialize(channel, schema);
      MessageSerializer.serialize(channel, batch);
      ArrowStreamWriter.writeEndOfStream(channel, IpcOption.DEFAULT);
    }
  }

  /** The schema, without memory outside of the heap. */
  static Schema schema(byte[] stream) throws IOException {
    return MessageSerializer.deserializeSchema(new ReadChannel(new Input(stream)));
  }

  /** A reader of a stream, which copies each buffer just once; it owns the vectors. */
  public static ArrowStreamReader read(byte[] stream, BufferAllocator allocator) {
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

  /** Base of channels that never close. */
  private abstract static class Target implements WritableByteChannel {
    @Override
    public final boolean isOpen() {
      return true;
    }

    @Override
    public final void close() {}
  }

  /** Counts bytes. */
  private static final class Length extends Target {
    private long bytes;

    @Override
    public int write(ByteBuffer source) {
      int length = source.remaining();
      source.position(source.limit());
      bytes += length;
      return length;
    }
  }

  /** Fills an array. */
  private static final class Output extends Target {
    private final byte[] bytes;
    private int end;

    Output(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int write(ByteBuffer source) {
      int length = source.remaining();
      source.get(bytes, end, length);
      end += length;
      return length;
    }
  }
}
