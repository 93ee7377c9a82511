package dev.tidemark.change;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.Row;

/** Rows that tell changes. */
final class RowsToChangesFn extends DoFn<Row, Change> {
  private static final long serialVersionUID = 1L;

  private final RowToChange function;

  RowsToChangesFn(RowToChange function) {
    this.function = function;
  }

  @ProcessElement
  public void process(@Element Row row, MultiOutputReceiver out) throws IOException {
    Change change;
    try {
      change = function.apply(row);
    } catch (IllegalArgumentException e) {
      out.get(ChangeRows.FAILED).output(badRecord(row, e));
      return;
    }
    out.get(ChangeRows.CHANGES).output(change);
  }

  private BadRecord badRecord(Row row, IllegalArgumentException reason) throws IOException {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put(ChangeRows.KIND, row.getString(ChangeRows.KIND));
    return BadRecord.builder()
        .setRecord(
            BadRecord.Record.builder()
                .setHumanReadableJsonRecord(json.toString())
                .addCoderAndEncodedRecord(RowCoder.of(function.input()), row)
                .build())
        .setFailure(
            BadRecord.Failure.builder()
                .setDescription("Cannot take a row for a change: " + reason.getMessage())
                .build())
        .build();
  }
}
