package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import com.google.common.collect.ImmutableList;
import dev.tidemark.arrow.AppendOptions;
import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ArrowSchemas;
import dev.tidemark.arrow.RowAppender;
import dev.tidemark.arrow.RowReader;
import dev.tidemark.arrow.testing.RandomColumns;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The bytes of columns are those of the rows that they hold. */
@RunWith(JUnit4.class)
public class ColumnEncoderPropertyTest {
  private static final int SCHEMAS = Boolean.getBoolean("tidemark.long") ? 10_000 : 300;
  private static final int ROWS = 20;

  @Test
  public void rowsHaveTheBytesOfRows() {
    forEachRow(
        (encodings, encoder, row, index, message) ->
            assertThat(
                message,
                bytes(out -> encoder.row(index, out)),
                equalTo(encodings.rows().encode(row))));
  }

  @Test
  public void rowsThatAreReadHaveTheSameBytes() {
    forEachRow(
        (encodings, encoder, row, index, message) ->
            assertThat(
                message,
                encodings.rows().decode(bytes(out -> encoder.row(index, out))),
                equalTo(row)));
  }

  @Test
  public void sinkKeysHaveTheBytesOfThoseOfRows() {
    forEachRow(
        (encodings, encoder, row, index, message) ->
            assertThat(
                message,
                bytes(out -> encoder.sinkKey(index, out)),
                equalTo(encodings.sinkKey().encode(row))));
  }

  @Test
  public void upsertKeysHaveTheBytesOfThoseOfRows() {
    int[] floatKeys = new int[1];
    forEachRow(
        (encodings, encoder, row, index, message) -> {
          KeyEncoding key = encodings.upsertKey();
          if (key != null) {
            floatKeys[0] += key.isFloatKey() ? 1 : 0;
            assertThat(
                message, bytes(out -> encoder.upsertKey(index, out)), equalTo(key.encode(row)));
          }
        });
    assertThat(floatKeys[0], greaterThan(SCHEMAS / 4));
  }

  private static byte[] bytes(Consumer<EncodingBuffer> encode) {
    EncodingBuffer buffer = new EncodingBuffer();
    encode.accept(buffer);
    return buffer.toByteArray();
  }

  private static void forEachRow(Property property) {
    long base = Long.getLong("tidemark.seed", 13);
    for (int i = 0; i < SCHEMAS; i++) {
      long seed = base + i;
      Random random = new Random(seed);
      RandomColumns columns = new RandomColumns(random);
      Schema schema = i == 0 ? RandomColumns.allTypes() : columns.schema();
      String message = "-Dtidemark.seed=" + seed + " " + SchemaText.of(schema);
      ImmutableList<String> sinkKey = keys(schema, random, false);
      ImmutableList<String> upsertKey = keys(schema, random, true);
      UpsertEncodings encodings =
          UpsertEncodings.of(
              schema,
              sinkKey.isEmpty() ? ImmutableList.of(schema.getField(0).getName()) : sinkKey,
              upsertKey.isEmpty() ? null : upsertKey);
      try (BufferAllocator allocator = ArrowAllocators.child(message);
          VectorSchemaRoot root = VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator)) {
        check(columns, encodings, root, property, message);
      } catch (RuntimeException e) {
        throw new AssertionError(message, e);
      }
    }
  }

  private static void check(
      RandomColumns columns,
      UpsertEncodings encodings,
      VectorSchemaRoot root,
      Property property,
      String message) {
    Schema schema = encodings.rows().schema();
    RowAppender appender = RowAppender.of(schema, root.getSchema(), AppendOptions.defaults());
    for (int i = 0; i < ROWS; i++) {
      appender.append(columns.row(schema), root, i);
    }
    root.setRowCount(ROWS);
    ColumnEncoder encoder = ColumnEncoder.of(encodings, root.getSchema());
    encoder.bind(root);
    RowReader reader = RowReader.of(schema, root.getSchema());
    for (int i = 0; i < ROWS; i++) {
      Row row = reader.read(root, i);
      property.check(encodings, encoder, row, i, message);
    }
  }

  /** Some columns; for upsert keys those that can be in one. */
  private static ImmutableList<String> keys(Schema schema, Random random, boolean upsert) {
    return schema.getFields().stream()
        .filter(field -> random.nextInt(3) == 0)
        .filter(field -> !upsert || UpsertKeyTypes.refusal(field.getType()) == null)
        .map(Schema.Field::getName)
        .collect(ImmutableList.toImmutableList());
  }

  private interface Property {
    void check(
        UpsertEncodings encodings, ColumnEncoder encoder, Row row, int index, String message);
  }
}
