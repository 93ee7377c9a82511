package dev.tidemark.arrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/** The columns of a {@link ChangeBatch} in memory outside of the heap, until it is closed. */
public final class OpenChangeBatch implements AutoCloseable {
  private final ChangeBatch batch;
  private final ArrowStreamReader reader;
  private final VectorSchemaRoot root;

  private OpenChangeBatch(ChangeBatch batch, ArrowStreamReader reader, VectorSchemaRoot root) {
    this.batch = batch;
    this.reader = reader;
    this.root = root;
  }

  static OpenChangeBatch open(ChangeBatch batch, BufferAllocator allocator) {
    ArrowStreamReader reader = IpcStreams.read(batch.ipc(), allocator);
    try {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      if (!reader.loadNextBatch() || root.getRowCount() != batch.rows()) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot open change batch: its stream has %d rows, and there are %d kinds. The"
                    + " batch was damaged; send it again",
                root.getRowCount(), batch.rows()));
      }
      return new OpenChangeBatch(batch, reader, root);
    } catch (IOException e) {
      close(reader, e);
      throw new UncheckedIOException(
          "Cannot open change batch: its stream cannot be read. The batch was damaged; send it again",
          e);
    } catch (RuntimeException | Error e) {
      close(reader, e);
      throw e;
    }
  }

  private static void close(ArrowStreamReader reader, Throwable cause) {
    try {
      reader.close();
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** The batch that was opened. */
  public ChangeBatch batch() {
    return batch;
  }

  /** The columns. Valid until this is closed, and not to be changed. */
  public VectorSchemaRoot root() {
    return root;
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
