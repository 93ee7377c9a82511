package dev.tidemark.arrow;

import static dev.tidemark.arrow.RowRoundTripPropertyTest.append;
import static dev.tidemark.arrow.RowRoundTripPropertyTest.read;
import static dev.tidemark.arrow.RowRoundTripPropertyTest.rows;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.junit.Assert.assertThrows;

import dev.tidemark.arrow.testing.RandomColumns;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class GatherTest {
  private static final Schema SCHEMA = RandomColumns.allTypes();
  private static final int ROWS = 100;

  private BufferAllocator allocator;
  private List<Row> rows;
  private VectorSchemaRoot source;

  @Before
  public void write() {
    allocator = ArrowAllocators.child("GatherTest");
    rows = rows(new RandomColumns(new Random(3)), SCHEMA, ROWS);
    source = VectorSchemaRoot.create(ArrowSchemas.of(SCHEMA), allocator);
    append(SCHEMA, rows, source);
  }

  @After
  public void giveBack() {
    source.close();
    allocator.close();
  }

  private VectorSchemaRoot target() {
    return VectorSchemaRoot.create(ArrowSchemas.of(SCHEMA), allocator);
  }

  private static RowSelection whole() {
    RowSelection selection = new RowSelection();
    for (int i = 0; i < ROWS; i++) {
      selection.add(0, i);
    }
    return selection;
  }

  @Test
  public void wholeBatchSharesItsMemory() {
    try (VectorSchemaRoot target = target()) {
      Gather.into(target, whole(), List.of(source));

      assertThat(
          target.getVector("leaf3").getDataBufferAddress(),
          equalTo(source.getVector("leaf3").getDataBufferAddress()));
      assertThat(
          target.getVector("leaf8").getDataBufferAddress(),
          equalTo(source.getVector("leaf8").getDataBufferAddress()));
      assertThat(read(SCHEMA, target), equalTo(rows));
    }
  }

  @Test
  public void sharedMemoryOutlivesItsSource() {
    try (VectorSchemaRoot target = target()) {
      Gather.into(target, whole(), List.of(source));
      source.close();

      assertThat(read(SCHEMA, target), equalTo(rows));
    }
  }

  @Test
  public void targetMayHaveSomeOfTheColumnsInAnotherOrder() {
    org.apache.arrow.vector.types.pojo.Schema schema =
        new org.apache.arrow.vector.types.pojo.Schema(
            List.of(source.getSchema().findField("texts"), source.getSchema().findField("leaf3")));
    RowSelection selection = new RowSelection();
    selection.add(0, 7);
    selection.add(0, 7);
    selection.add(0, 2);
    try (VectorSchemaRoot target = VectorSchemaRoot.create(schema, allocator)) {
      Gather.into(target, selection, List.of(source));

      Schema beam =
          Schema.builder().addFields(SCHEMA.getField("texts"), SCHEMA.getField("leaf3")).build();
      List<Row> gathered = read(beam, target);
      assertThat(gathered.size(), equalTo(3));
      assertThat(gathered.get(0), equalTo(gathered.get(1)));
      assertThat(
          gathered.get(2).getValue("leaf3"), equalTo((Object) rows.get(2).getInt64("leaf3")));
    }
  }

  @Test
  public void refusesColumnOfAnotherType() {
    org.apache.arrow.vector.types.pojo.Schema schema =
        ArrowSchemas.of(Schema.builder().addInt32Field("leaf3").build());
    try (VectorSchemaRoot target = VectorSchemaRoot.create(schema, allocator)) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> Gather.into(target, whole(), List.of(source)));

      assertThat(
          e.getMessage(),
          equalTo(
              "Cannot copy column leaf3: batch 0 has Int(64, true) there, and the target Int(32,"
                  + " true). Cast the column before"));
    }
  }

  @Test
  public void givesBackWhatItTookWhenMemoryEnds() {
    RowSelection selection = whole();
    selection.add(0, 0);
    int failures = 0;
    boolean fits = false;
    for (long limit = 1 << 10; !fits; limit += 3 << 9) {
      try (BufferAllocator limited = ArrowAllocators.child("limited", limit);
          VectorSchemaRoot target = VectorSchemaRoot.create(ArrowSchemas.of(SCHEMA), limited)) {
        try {
          Gather.into(target, selection, List.of(source));
          fits = true;
        } catch (OutOfMemoryException e) {
          assertThat(limited.getAllocatedMemory(), equalTo(0L));
          failures++;
        }
      }
    }
    assertThat(failures, greaterThan(10));
  }
}
