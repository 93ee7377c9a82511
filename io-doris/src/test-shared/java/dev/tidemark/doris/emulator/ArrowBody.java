package dev.tidemark.doris.emulator;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Reads Arrow bodies: complete IPC streams, one after the other. It refuses what a backend would
 * read as something else, see section 2 of the page on the emulator.
 */
final class ArrowBody {

  private static final byte[] CONTINUATION = {-1, -1, -1, -1};
  private static final byte[] END_OF_STREAM = {-1, -1, -1, -1, 0, 0, 0, 0};

  private final LoadPlan plan;
  private final RowCollector rows;
  private final ArrowRules rules;

  ArrowBody(LoadPlan plan, RowCollector rows, ArrowRules rules) {
    this.plan = plan;
    this.rows = rows;
    this.rules = rules;
  }

  void read(byte[] body) throws LoadFailedException, RefusedException {
    ByteArrayInputStream in = new ByteArrayInputStream(body);
    try (BufferAllocator allocator = new RootAllocator()) {
      while (in.available() > 0) {
        int start = body.length - in.available();
        if (!matches(body, start, CONTINUATION)) {
          throw new RefusedException(
              "Cannot read the Arrow stream at byte "
                  + start
                  + ": it does not start with the continuation marker, without which a backend"
                  + " loses its place. Send streams of format version 5 with nothing between them");
        }
        long read = readStream(in, allocator);
        int end = body.length - in.available();
        if (in.available() > 0) {
          if (!matches(body, end - END_OF_STREAM.length, END_OF_STREAM)) {
            throw new RefusedException(
                "Cannot read on behind byte " + end + ": the Arrow stream has no end marker");
          }
          if (read == 0) {
            throw new RefusedException(
                "An Arrow stream without rows ends at byte "
                    + end
                    + ", and a backend would drop the "
                    + in.available()
                    + " bytes behind it. Send no empty streams");
          }
        }
      }
    } catch (IOException e) {
      throw LoadFailedException.internal(
          "Read Arrow stream failed: Invalid: " + firstLine(e.getMessage()));
    }
  }

  private long readStream(ByteArrayInputStream in, BufferAllocator allocator)
      throws IOException, LoadFailedException, RefusedException {
    long read = 0;
    try (ArrowStreamReader reader = new ArrowStreamReader(in, allocator)) {
      VectorSchemaRoot root = root(reader);
      List<FieldVector> vectors = match(root);
      List<ArrowColumn> columns = new ArrayList<>();
      for (int i = 0; i < vectors.size(); i++) {
        LoadPlan.Source source = plan.sources().get(i);
        columns.add(
            ArrowColumn.of(
                plan.table().fullName() + "." + source.name(),
                plan.typeOf(source),
                vectors.get(i),
                rules));
      }
      while (reader.loadNextBatch()) {
        read += root.getRowCount();
        if (rows.keepsRows()) {
          addRows(root.getRowCount(), columns);
        } else {
          rows.count(root.getRowCount());
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw LoadFailedException.internal(
          "Read Arrow stream failed: Invalid: " + firstLine(e.getMessage()));
    }
    return read;
  }

  private static VectorSchemaRoot root(ArrowStreamReader reader)
      throws IOException, RefusedException {
    VectorSchemaRoot root = reader.getVectorSchemaRoot();
    if (!reader.getDictionaryVectors().isEmpty()) {
      throw new RefusedException(
          "The Arrow stream has dictionaries, and a backend would load the indices in place of the"
              + " values. Send plain vectors");
    }
    return root;
  }

  private void addRows(int count, List<ArrowColumn> columns) throws RefusedException {
    for (int row = 0; row < count; row++) {
      @Nullable Object[] fields = new Object[columns.size()];
      for (int i = 0; i < fields.length; i++) {
        fields[i] = columns.get(i).read(row);
      }
      rows.add(fields, null);
    }
  }

  /** The vectors in the order of the plan's sources. */
  private List<FieldVector> match(VectorSchemaRoot root)
      throws LoadFailedException, RefusedException {
    List<FieldVector> vectors = root.getFieldVectors();
    List<LoadPlan.Source> sources = plan.sources();
    Schema schema = root.getSchema();
    if (vectors.size() != sources.size()) {
      throw new RefusedException(
          "The Arrow stream has "
              + vectors.size()
              + " columns and the load has "
              + sources.size()
              + ", which a backend reads out of range. Send the columns "
              + sources.stream().map(LoadPlan.Source::name).toList());
    }
    List<FieldVector> matched = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      String expected = sources.get(i).name();
      if (rules.matching() == ColumnMatching.STRICT) {
        String found = schema.getFields().get(i).getName();
        if (!found.equals(expected)) {
          throw LoadFailedException.internal(
              "Column name mismatch: expected " + expected + ", got " + found);
        }
        matched.add(vectors.get(i));
      } else {
        FieldVector vector = root.getVector(expected);
        if (vector == null) {
          throw new RefusedException(
              "The Arrow stream has no column " + expected + ", on which an older backend crashes");
        }
        matched.add(vector);
      }
    }
    return matched;
  }

  private static boolean matches(byte[] body, int start, byte[] expected) {
    if (start < 0 || body.length - start < expected.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if (body[start + i] != expected[i]) {
        return false;
      }
    }
    return true;
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "unexpected end" : message.lines().findFirst().orElse("");
  }
}
