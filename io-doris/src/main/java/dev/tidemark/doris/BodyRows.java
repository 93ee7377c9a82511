package dev.tidemark.doris;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/** Takes bodies of loads apart, to find the rows that the server refuses. */
final class BodyRows {
  private final BufferAllocator allocator;

  BodyRows(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** The first and the second half of the rows; there have to be two rows. */
  List<LoadBody> halves(LoadBody body) {
    List<byte[]> streams = body.streams();
    if (streams.size() > 1) {
      int middle = streams.size() / 2;
      return List.of(
          of(body, streams.subList(0, middle)), of(body, streams.subList(middle, streams.size())));
    }
    try (ArrowStreamReader reader = open(body)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      int rows = root.getRowCount();
      return List.of(
          gathered(body, root, IntStream.range(0, rows / 2).toArray()),
          gathered(body, root, IntStream.range(rows / 2, rows).toArray()));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read an Arrow batch", e);
    }
  }

  private ArrowStreamReader open(LoadBody body) {
    return BatchStreams.open(body.streams().get(0), allocator);
  }

  private LoadBody of(LoadBody body, List<byte[]> streams) {
    int rows = 0;
    int deletes = 0;
    for (byte[] stream : streams) {
      try (ArrowStreamReader reader = BatchStreams.open(stream, allocator)) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        rows += root.getRowCount();
        deletes += deletes(root.getFieldVectors());
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read an Arrow batch", e);
      }
    }
    return new LoadBody(body.epoch(), body.columns(), rows, deletes, streams);
  }

  private LoadBody gathered(LoadBody body, VectorSchemaRoot root, int[] rows) {
    try (VectorSchemaRoot gathered =
        Gathering.rows(root.getFieldVectors(), root.getRowCount(), rows, allocator)) {
      List<FieldVector> vectors = gathered.getFieldVectors();
      byte[] stream = BatchStreams.write(root.getSchema(), vectors, rows.length);
      return new LoadBody(
          body.epoch(), body.columns(), rows.length, deletes(vectors), List.of(stream));
    }
  }

  /** Rows that say that their key is deleted. */
  static int deletes(List<FieldVector> vectors) {
    FieldVector last = vectors.get(vectors.size() - 1);
    int deletes = 0;
    if (last.getName().equals(LoadPlan.DELETE_SIGN)) {
      TinyIntVector signs = (TinyIntVector) last;
      for (int row = 0; row < signs.getValueCount(); row++) {
        deletes += signs.get(row);
      }
    }
    return deletes;
  }

  /** All rows, as records of the failed output. */
  List<BadRecord> failures(DorisTable table, LoadBody body, String reason) {
    List<BadRecord> failures = new ArrayList<>();
    for (byte[] stream : body.streams()) {
      try (ArrowStreamReader reader = BatchStreams.open(stream, allocator)) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int row = 0; row < root.getRowCount(); row++) {
          failures.add(FailedRows.row(table, root.getFieldVectors(), row, reason));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read an Arrow batch", e);
      }
    }
    return failures;
  }

  /** One body of what several hold. */
  static LoadBody joined(List<LoadBody> bodies) {
    List<byte[]> streams = new ArrayList<>();
    int rows = 0;
    int deletes = 0;
    for (LoadBody body : bodies) {
      streams.addAll(body.streams());
      rows += body.rows();
      deletes += body.deletes();
    }
    return new LoadBody(bodies.get(0).epoch(), bodies.get(0).columns(), rows, deletes, streams);
  }
}
