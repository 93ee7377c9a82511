package dev.tidemark.examples.week;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import java.time.Instant;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;

/**
 * A change that reaches a writer.
 *
 * @param late whether it comes further behind its event time than the policy allows for
 */
record Delivery(long id, String region, long eventMillis, boolean late) {
  static final String EVENT_TIME = "at";
  static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addStringField("region")
          .addLogicalTypeField(EVENT_TIME, SqlTypes.TIMESTAMP)
          .build();

  /** Every fifth one updates a row. */
  Change change() {
    return Change.of(
        id % 5 == 0 ? ChangeKind.UPDATE_AFTER : ChangeKind.INSERT,
        Row.withSchema(SCHEMA).attachValues(id, region, Instant.ofEpochMilli(eventMillis)));
  }
}
