package dev.tidemark.iceberg;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.io.BaseEncoding;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the records of the failed output. */
final class FailedRecords {
  private static final Logger LOG = LoggerFactory.getLogger(FailedRecords.class);

  private FailedRecords() {}

  /**
   * A row that its table cannot hold: encoded, so that it can be written again, and as a JSON
   * object of texts. Beam's own JSON fails for most types of rows, with an error in the log for
   * each.
   */
  static BadRecord row(String table, Row row, Coder<Row> coder, RuntimeException reason) {
    BadRecord.Record.Builder record =
        BadRecord.Record.builder().setHumanReadableJsonRecord(json(row)).setCoder(coder.toString());
    try {
      record.setEncodedRecord(CoderUtils.encodeToByteArray(coder, row));
    } catch (IOException | RuntimeException e) {
      // A value that does not fit the schema of the rows either; the text has to do.
      LOG.debug("Cannot encode a failed row of table {}", table, e);
    }
    return BadRecord.builder()
        .setRecord(record.build())
        .setFailure(
            BadRecord.Failure.builder()
                .setException(reason.toString())
                .setDescription(String.format("Row for table %s: %s", table, reason.getMessage()))
                .build())
        .build();
  }

  /** Results of a table that were not committed. */
  static BadRecord table(String table, String what, List<String> files, String reason) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("table", table).put("results", what);
    ArrayNode paths = json.putArray("files");
    files.forEach(paths::add);
    return BadRecord.builder()
        .setRecord(BadRecord.Record.builder().setHumanReadableJsonRecord(json.toString()).build())
        .setFailure(BadRecord.Failure.builder().setDescription(reason).build())
        .build();
  }

  private static String json(Row row) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (Schema.Field field : row.getSchema().getFields()) {
      Object value = row.getValue(field.getName());
      if (value == null) {
        json.putNull(field.getName());
      } else if (value instanceof byte[] bytes) {
        json.put(field.getName(), BaseEncoding.base64().encode(bytes));
      } else {
        json.put(field.getName(), value.toString());
      }
    }
    return json.toString();
  }
}
