package dev.tidemark.peers.doris;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.Text;

/** What the Arrow streams of a body hold, column by column. */
final class ArrowValues {
  private final Map<String, ArrowType> types = new LinkedHashMap<>();
  private final Map<String, List<Object>> columns = new LinkedHashMap<>();
  private final List<Integer> rowsOfStreams = new ArrayList<>();

  private ArrowValues() {}

  /** Reads a body: complete streams, one after the other. */
  static ArrowValues read(byte[] body) throws IOException {
    ArrowValues values = new ArrowValues();
    ByteArrayInputStream in = new ByteArrayInputStream(body);
    try (BufferAllocator allocator = new RootAllocator()) {
      while (in.available() > 0) {
        try (ArrowStreamReader reader = new ArrowStreamReader(in, allocator)) {
          int rows = 0;
          while (reader.loadNextBatch()) {
            values.add(reader.getVectorSchemaRoot());
            rows += reader.getVectorSchemaRoot().getRowCount();
          }
          values.rowsOfStreams.add(rows);
        }
      }
    }
    return values;
  }

  private void add(VectorSchemaRoot root) {
    for (FieldVector vector : root.getFieldVectors()) {
      Field field = vector.getField();
      types.put(field.getName(), field.getType());
      List<Object> column = columns.computeIfAbsent(field.getName(), name -> new ArrayList<>());
      for (int row = 0; row < root.getRowCount(); row++) {
        Object value = vector.getObject(row);
        column.add(
            vector instanceof DateDayVector && value != null
                ? LocalDate.ofEpochDay((Integer) value)
                : plain(value));
      }
    }
  }

  private static Object plain(Object value) {
    if (value instanceof Text) {
      return value.toString();
    }
    if (value instanceof List<?> list) {
      List<Object> plain = new ArrayList<>();
      list.forEach(element -> plain.add(plain(element)));
      return plain;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> plain = new LinkedHashMap<>();
      map.forEach((name, field) -> plain.put(String.valueOf(name), plain(field)));
      return plain;
    }
    return value;
  }

  /** The type of each column by its name, in order. */
  Map<String, ArrowType> types() {
    return types;
  }

  /** The values of a column; timestamps as LocalDateTime, decimals with their scale. */
  List<Object> column(String name) {
    return columns.get(name);
  }

  /** The values of a column in the order of another's. */
  List<Object> columnBy(String key, String name) {
    List<Object> keys = column(key);
    Map<Long, Object> sorted = new java.util.TreeMap<>();
    for (int row = 0; row < keys.size(); row++) {
      sorted.put((Long) keys.get(row), column(name).get(row));
    }
    return new ArrayList<>(sorted.values());
  }

  /** How many rows each of the streams has. */
  List<Integer> rowsOfStreams() {
    return rowsOfStreams;
  }
}
