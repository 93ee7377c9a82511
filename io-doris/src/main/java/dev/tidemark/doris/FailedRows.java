package dev.tidemark.doris;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.io.BaseEncoding;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the records of the failed output. */
final class FailedRows {
  private static final Logger LOG = LoggerFactory.getLogger(FailedRows.class);

  private FailedRows() {}

  /** An element as it came: encoded, so that it can be written again. */
  static <T> BadRecord element(
      DorisTable table, T element, Coder<T> coder, String text, String reason) {
    BadRecord.Record.Builder record =
        BadRecord.Record.builder().setHumanReadableJsonRecord(text).setCoder(coder.toString());
    try {
      record.setEncodedRecord(CoderUtils.encodeToByteArray(coder, element));
    } catch (IOException | RuntimeException e) {
      // A value that does not fit the schema of the rows either; the text has to do.
      LOG.debug("Cannot encode a failed row of table {}", table, e);
    }
    return of(record.build(), table, reason);
  }

  /** Beam's own JSON fails for most types of rows, with an error in the log for each. */
  static String json(Row row) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (Schema.Field field : row.getSchema().getFields()) {
      put(json, field.getName(), row.getValue(field.getName()));
    }
    return json.toString();
  }

  private static void put(ObjectNode json, String name, @Nullable Object value) {
    if (value == null) {
      json.putNull(name);
    } else if (value instanceof byte[] bytes) {
      json.put(name, BaseEncoding.base64().encode(bytes));
    } else {
      json.put(name, value.toString());
    }
  }

  /** A row of a batch, as a JSON object of texts. */
  static BadRecord row(DorisTable table, List<FieldVector> vectors, int row, String reason) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (FieldVector vector : vectors) {
      put(json, vector.getName(), vector.getObject(row));
    }
    return of(
        BadRecord.Record.builder().setHumanReadableJsonRecord(json.toString()).build(),
        table,
        reason);
  }

  private static BadRecord of(BadRecord.Record record, DorisTable table, String reason) {
    return BadRecord.builder()
        .setRecord(record)
        .setFailure(
            BadRecord.Failure.builder()
                .setDescription(String.format("Row for table %s: %s", table, reason))
                .build())
        .build();
  }
}
