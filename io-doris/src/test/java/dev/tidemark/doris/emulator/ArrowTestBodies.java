package dev.tidemark.doris.emulator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes Arrow streams for tests. */
final class ArrowTestBodies {

  private ArrowTestBodies() {}

  static ArrowType.Int int64() {
    return new ArrowType.Int(64, true);
  }

  static ArrowType.Int int8() {
    return new ArrowType.Int(8, true);
  }

  static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  /** One stream with one batch, whose vectors a function fills and sizes. */
  static byte[] stream(Schema schema, int rows, BiConsumer<Integer, FieldVector> fill)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
      for (int i = 0; i < root.getFieldVectors().size(); i++) {
        FieldVector vector = root.getVector(i);
        vector.allocateNew();
        fill.accept(i, vector);
        vector.setValueCount(rows);
      }
      root.setRowCount(rows);
      return write(root, new DictionaryProvider.MapDictionaryProvider());
    }
  }

  /** One stream of rows with an id each, and a name that is n and the id. */
  static byte[] idsAndNames(long... ids) throws IOException {
    return stream(
        new Schema(List.of(field("id", int64()), field("name", ArrowType.Utf8.INSTANCE))),
        ids.length,
        (column, vector) -> {
          for (int i = 0; i < ids.length; i++) {
            if (column == 0) {
              ((BigIntVector) vector).setSafe(i, ids[i]);
            } else {
              ((VarCharVector) vector).setSafe(i, ("n" + ids[i]).getBytes(StandardCharsets.UTF_8));
            }
          }
        });
  }

  static byte[] write(VectorSchemaRoot root, DictionaryProvider dictionaries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArrowStreamWriter writer =
        new ArrowStreamWriter(root, dictionaries, Channels.newChannel(bytes))) {
      writer.start();
      writer.writeBatch();
      writer.end();
    }
    return bytes.toByteArray();
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }
}
