package dev.tidemark.iceberg;

import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.Row;

/** Makes the records of the failed output. */
final class FailedRecords {
  private FailedRecords() {}

  /** A row that its table cannot hold: encoded, so that it can be written again. */
  static BadRecord row(String table, Row row, Coder<Row> coder, RuntimeException reason)
      throws IOException {
    return BadRecord.fromExceptionInformation(
        row, coder, reason, String.format("Row for table %s: %s", table, reason.getMessage()));
  }

  /** Results of a table that were not committed. */
  static BadRecord table(String table, String what, List<String> files, String reason) {
    StringBuilder text = new StringBuilder(64 + 128 * files.size());
    text.append("{\"table\":\"").append(table).append("\",\"results\":\"").append(what);
    text.append("\",\"files\":[");
    for (int i = 0; i < files.size(); i++) {
      text.append(i == 0 ? "\"" : ",\"").append(files.get(i).replace("\"", "\\\"")).append('"');
    }
    text.append("]}");
    return BadRecord.builder()
        .setRecord(BadRecord.Record.builder().setHumanReadableJsonRecord(text.toString()).build())
        .setFailure(BadRecord.Failure.builder().setDescription(reason).build())
        .build();
  }
}
