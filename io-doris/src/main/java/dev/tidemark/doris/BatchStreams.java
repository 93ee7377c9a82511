package dev.tidemark.doris;

import dev.tidemark.arrow.IpcStreams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Batches as complete Arrow IPC streams: schema, one record batch, end of stream. */
final class BatchStreams {
  private BatchStreams() {}

  /** The schema names and types what the vectors hold; only their buffers count. */
  static byte[] write(Schema schema, List<FieldVector> vectors, int rows) {
    List<Field> fields = vectors.stream().map(FieldVector::getField).toList();
    // Not closed: the vectors are their owner's.
    VectorSchemaRoot root = new VectorSchemaRoot(fields, vectors, rows);
    return IpcStreams.write(schema, root);
  }

  /** Opens a stream of one batch. The reader owns the vectors. */
  static ArrowStreamReader open(byte[] stream, BufferAllocator allocator) {
    ArrowStreamReader reader = IpcStreams.read(stream, allocator);
    try {
      if (!reader.loadNextBatch()) {
        throw new IllegalStateException("Cannot read an Arrow batch: it has no rows");
      }
      return reader;
    } catch (IOException e) {
      close(reader);
      throw new UncheckedIOException("Cannot read an Arrow batch", e);
    } catch (RuntimeException e) {
      close(reader);
      throw e;
    }
  }

  static VectorSchemaRoot root(ArrowStreamReader reader) {
    try {
      return reader.getVectorSchemaRoot();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read an Arrow batch", e);
    }
  }

  static void close(ArrowStreamReader reader) {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close an Arrow batch", e);
    }
  }
}
