package dev.tidemark.streamload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/** Bodies of rows (id BIGINT, v BIGINT). */
final class ArrowRows {
  /** A table of such rows. */
  static final String DDL =
      "CREATE TABLE %s.%s (id BIGINT NOT NULL, v BIGINT NOT NULL) UNIQUE KEY(id)";

  /** A row. */
  record Entry(long id, Long value) {}

  private ArrowRows() {}

  /** An Arrow stream of the rows in their order. */
  static byte[] stream(Collection<Entry> rows) {
    try (BufferAllocator allocator = new RootAllocator();
        BigIntVector ids = new BigIntVector("id", allocator);
        BigIntVector values = new BigIntVector("v", allocator);
        VectorSchemaRoot root = VectorSchemaRoot.of(ids, values);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, Channels.newChannel(bytes))) {
      int index = 0;
      for (Entry row : rows) {
        ids.setSafe(index, row.id());
        if (row.value() == null) {
          values.setNull(index);
        } else {
          values.setSafe(index, row.value());
        }
        index++;
      }
      root.setRowCount(index);
      writer.start();
      writer.writeBatch();
      writer.end();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last value of each id, as the emulator returns rows of a table. */
  static List<Map<String, Object>> table(Collection<Entry> changes) {
    Map<Long, Map<String, Object>> rows = new TreeMap<>();
    changes.forEach(row -> rows.put(row.id(), Map.of("id", row.id(), "v", row.value())));
    return List.copyOf(rows.values());
  }
}
