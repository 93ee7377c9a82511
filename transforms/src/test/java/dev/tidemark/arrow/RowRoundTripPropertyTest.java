package dev.tidemark.arrow;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.tidemark.arrow.testing.RandomColumns;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RowRoundTripPropertyTest {
  private static final int SCHEMAS = Boolean.getBoolean("tidemark.long") ? 10_000 : 300;

  @Test
  public void rowsComeBackFromColumns() {
    forEachSchema(
        (columns, schema, random, message) -> {
          int rows = random.nextInt(40);
          List<Row> written = rows(columns, schema, rows);
          try (BufferAllocator allocator = ArrowAllocators.child(message);
              VectorSchemaRoot root = VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator)) {
            append(schema, written, root);

            assertThat(message, read(schema, root), equalTo(written));
          }
        });
  }

  @Test
  public void rowsComeBackFromColumnsThatTakeSomeAtATime() {
    forEachSchema(
        (columns, schema, random, message) -> {
          List<Row> written = rows(columns, schema, random.nextInt(40));
          try (BufferAllocator allocator = ArrowAllocators.child(message);
              VectorSchemaRoot root = VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator)) {
            appendAll(schema, written, root, random);

            assertThat(message, read(schema, root), equalTo(written));
          }
        });
  }

  @Test
  public void rowsComeBackFromStreams() {
    forEachSchema(
        (columns, schema, random, message) -> {
          List<Row> written = rows(columns, schema, random.nextInt(40));
          try (BufferAllocator allocator = ArrowAllocators.child(message);
              ChangeBatchBuilder builder = ChangeBatchBuilder.of(schema, allocator)) {
            for (int batch = 0; batch < 2; batch++) {
              written.forEach(row -> builder.add(ChangeKind.INSERT, row));
              try (OpenChangeBatch open = builder.build().open(allocator)) {
                assertThat(message, read(schema, open.root()), equalTo(written));
              }
            }
          }
        });
  }

  @Test
  public void selectedRowsComeBackFromSeveralBatches() {
    forEachSchema(
        (columns, schema, random, message) -> {
          List<List<Row>> written = new ArrayList<>();
          List<VectorSchemaRoot> roots = new ArrayList<>();
          try (BufferAllocator allocator = ArrowAllocators.child(message);
              VectorSchemaRoot target =
                  VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator)) {
            for (int i = 0; i < 3; i++) {
              written.add(rows(columns, schema, random.nextInt(20)));
              roots.add(VectorSchemaRoot.create(ArrowSchemas.of(schema), allocator));
              append(schema, written.get(i), roots.get(i));
            }
            for (int round = 0; round < 3; round++) {
              RowSelection selection = new RowSelection();
              List<Row> expected = new ArrayList<>();
              for (int i = random.nextInt(40); i > 0; i--) {
                int source = random.nextInt(3);
                if (!written.get(source).isEmpty()) {
                  int row = random.nextInt(written.get(source).size());
                  selection.add(source, row);
                  expected.add(written.get(source).get(row));
                }
              }

              Gather.into(target, selection, roots);

              assertThat(message, read(schema, target), equalTo(expected));
              ChangeBatch batch = ChangeBatch.of(inserts(expected.size()), target);
              try (OpenChangeBatch open = batch.open(allocator)) {
                assertThat(message, read(schema, open.root()), equalTo(expected));
              }
            }
            roots.forEach(VectorSchemaRoot::close);
          }
        });
  }

  private static List<ChangeKind> inserts(int count) {
    return java.util.Collections.nCopies(count, ChangeKind.INSERT);
  }

  static List<Row> rows(RandomColumns columns, Schema schema, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(columns.row(schema));
    }
    return rows;
  }

  static void append(Schema schema, List<Row> rows, VectorSchemaRoot root) {
    RowAppender appender = RowAppender.of(schema, root.getSchema(), AppendOptions.defaults());
    for (int i = 0; i < rows.size(); i++) {
      appender.append(rows.get(i), root, i);
    }
    root.setRowCount(rows.size());
  }

  /** As {@link #append}, some rows at a time. */
  private static void appendAll(
      Schema schema, List<Row> rows, VectorSchemaRoot root, Random random) {
    RowAppender appender = RowAppender.of(schema, root.getSchema(), AppendOptions.defaults());
    Row[] all = rows.toArray(new Row[0]);
    int from = 0;
    while (from < all.length) {
      int to = from + 1 + random.nextInt(all.length - from);
      appender.appendAll(
          all,
          from,
          to,
          root,
          from,
          (row, reason) -> {
            throw reason;
          });
      from = to;
    }
    root.setRowCount(all.length);
  }

  static List<Row> read(Schema schema, VectorSchemaRoot root) {
    RowReader reader = RowReader.of(schema, root.getSchema());
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < root.getRowCount(); i++) {
      rows.add(reader.read(root, i));
    }
    return rows;
  }

  private static void forEachSchema(Property property) {
    long base = Long.getLong("tidemark.seed", 11);
    for (int i = 0; i < SCHEMAS; i++) {
      long seed = base + i;
      Random random = new Random(seed);
      RandomColumns columns = new RandomColumns(random);
      Schema schema = i == 0 ? RandomColumns.allTypes() : columns.schema();
      String message = "-Dtidemark.seed=" + seed + " " + schema.getFields();
      try {
        property.check(columns, schema, random, message);
      } catch (RuntimeException e) {
        throw new AssertionError(message, e);
      }
    }
  }

  private interface Property {
    void check(RandomColumns columns, Schema schema, Random random, String message);
  }
}
