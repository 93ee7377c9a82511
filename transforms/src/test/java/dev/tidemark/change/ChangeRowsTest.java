package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import java.util.List;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ChangeRowsTest {
  private static final Schema SCHEMA =
      Schema.builder().addInt32Field("id").addNullableStringField("name").build();

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void changesComeBackFromRowsAsTheyWere() {
    List<Change> changes =
        ImmutableList.of(
            Change.of(ChangeKind.INSERT, row(1, "a")),
            Change.of(ChangeKind.UPDATE_BEFORE, row(1, "a"))
                .withPosition(LogPosition.of(-1, LogPosition.Step.REMOVE, 3)),
            Change.of(ChangeKind.UPDATE_AFTER, row(1, null))
                .withPosition(LogPosition.of(7, LogPosition.Step.SNAPSHOT_REREAD, 0))
                .withUnknownColumns(ImmutableList.of("name")),
            Change.of(ChangeKind.DELETE, row(1, null))
                .withUnknownColumns(ImmutableList.of("name")));

    PCollectionTuple back =
        pipeline
            .apply(Create.of(changes).withCoder(ChangeCoder.of(SCHEMA)))
            .apply("There", ChangeRows.toRows())
            .apply("Back", ChangeRows.fromRows());

    PAssert.that(back.get(ChangeRows.CHANGES)).containsInAnyOrder(changes);
    PAssert.that(back.get(ChangeRows.FAILED)).empty();
    pipeline.run().waitUntilFinish();
    assertThat(((ChangeCoder) back.get(ChangeRows.CHANGES).getCoder()).schema(), is(SCHEMA));
  }

  @Test
  public void rowNeedsItsKindOnlyAndInAnyPlace() {
    Schema schema =
        Schema.builder()
            .addNullableStringField("_kind")
            .addInt32Field("id")
            .addNullableStringField("name")
            .build();
    PCollectionTuple read =
        pipeline
            .apply(
                Create.of(Row.withSchema(schema).addValues("-D", 4, "d").build())
                    .withRowSchema(schema))
            .apply(ChangeRows.fromRows());

    PAssert.that(read.get(ChangeRows.CHANGES))
        .containsInAnyOrder(Change.of(ChangeKind.DELETE, row(4, "d")));
    pipeline.run().waitUntilFinish();
  }

  @Test
  public void rowThatTellsNoChangeFailsWholeAndAlone() {
    Schema schema =
        Schema.builder()
            .addInt32Field("id")
            .addNullableStringField("name")
            .addNullableStringField("_kind")
            .addNullableField("_unknown_columns", FieldType.array(FieldType.STRING))
            .build();
    Row noKind = Row.withSchema(schema).addValues(1, "a", null, null).build();
    Row otherKind = Row.withSchema(schema).addValues(2, "b", "upsert", null).build();
    Row known = Row.withSchema(schema).addValues(3, "c", "+I", List.of("name")).build();
    PCollectionTuple read =
        pipeline
            .apply(
                Create.of(
                        noKind,
                        otherKind,
                        known,
                        Row.withSchema(schema).addValues(4, "d", "+I", null).build())
                    .withRowSchema(schema))
            .apply(ChangeRows.fromRows());

    PAssert.that(read.get(ChangeRows.CHANGES))
        .containsInAnyOrder(Change.of(ChangeKind.INSERT, row(4, "d")));
    assertFailed(
        read.get(ChangeRows.FAILED),
        schema,
        noKind,
        "Cannot take a row for a change: Invalid change kind: null (must be one of +I, -U, +U, -D)");
    assertFailed(
        read.get(ChangeRows.FAILED),
        schema,
        otherKind,
        "Cannot take a row for a change: Invalid change kind: upsert (must be one of +I, -U, +U, -D)");
    assertFailed(
        read.get(ChangeRows.FAILED),
        schema,
        known,
        "Cannot take a row for a change: Invalid unknown column: name (must be null in the row)");
    pipeline.run().waitUntilFinish();
  }

  private static void assertFailed(
      PCollection<BadRecord> failed, Schema schema, Row row, String reason) {
    PAssert.that(failed)
        .satisfies(
            records -> {
              BadRecord record =
                  Iterables.getOnlyElement(
                      Iterables.filter(
                          records, each -> reason.equals(each.getFailure().getDescription())));
              try {
                assertThat(
                    CoderUtils.decodeFromByteArray(
                        RowCoder.of(schema), record.getRecord().getEncodedRecord()),
                    is(row));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
              return null;
            });
  }

  @Test
  public void columnOfAReservedNameIsRefused() {
    Schema schema = Schema.builder().addStringField("_log_position").build();
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> ChangeRows.schema(schema)).getMessage(),
        is(
            "Invalid column: _log_position (changes as rows have a column of this name). Give it"
                + " another name"));
  }

  @Test
  public void schemaWithoutKindOrWithAnotherTypeIsRefused() {
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> ChangeRows.rowSchema(SCHEMA))
            .getMessage(),
        is(
            "Cannot find column _kind, which tells the kind of a change (one of +I, -U, +U, -D). The"
                + " columns are [id, name]"));
    Schema numbered = Schema.builder().addInt32Field("_kind").build();
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> ChangeRows.rowSchema(numbered))
            .getMessage(),
        startsWith("Invalid column _kind: of type "));
  }

  private static Row row(int id, String name) {
    return Row.withSchema(SCHEMA).addValues(id, name).build();
  }
}
