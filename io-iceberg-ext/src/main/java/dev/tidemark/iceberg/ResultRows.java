package dev.tidemark.iceberg;

import dev.tidemark.finalization.CommitFacts;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/** What a write tells, as rows. */
final class ResultRows {
  /** Of {@link #commit}. */
  static final Schema COMMIT =
      Schema.builder()
          .addStringField("table")
          .addInt64Field("snapshot_id")
          .addBooleanField("replayed")
          .addInt64Field("rows")
          .addInt32Field("files")
          .addNullableField("event_time_min", FieldType.DATETIME)
          .addNullableField("event_time_max", FieldType.DATETIME)
          .addNullableField("watermark_before", FieldType.DATETIME)
          .build();

  /** Of {@link #advance}. */
  static final Schema ADVANCE =
      Schema.builder()
          .addStringField("table")
          .addNullableField("before", FieldType.DATETIME)
          .addDateTimeField("finalized_until")
          .addStringField("reason")
          .build();

  private static final Schema LATE_HOUR =
      Schema.builder().addDateTimeField("hour").addInt64Field("records").build();

  /** Of {@link #late}. */
  static final Schema LATE =
      Schema.builder()
          .addStringField("table")
          .addNullableStringField("writer")
          .addInt64Field("snapshot_id")
          .addDateTimeField("watermark")
          .addArrayField("hours", FieldType.row(LATE_HOUR))
          .addInt64Field("hour_seconds")
          .addInt64Field("records")
          .addBooleanField("exact")
          .build();

  private ResultRows() {}

  static Row commit(TableCommit commit) {
    CommitFacts facts = commit.facts();
    return Row.withSchema(COMMIT)
        .addValues(
            commit.table(),
            commit.snapshotId(),
            commit.replayed(),
            commit.rows(),
            commit.files(),
            facts == null ? null : instant(facts.minMillis()),
            facts == null ? null : instant(facts.maxMillis()),
            instant(commit.watermarkBeforeMillis()))
        .build();
  }

  private static @Nullable Instant instant(@Nullable Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  static Row advance(TableAdvance advance) {
    return Row.withSchema(ADVANCE)
        .addValues(advance.table(), advance.before(), advance.finalizedUntil(), advance.reason())
        .build();
  }

  static Row late(LateData late) {
    List<Row> hours =
        late.recordsByHour().entrySet().stream()
            .map(
                hour -> Row.withSchema(LATE_HOUR).addValues(hour.getKey(), hour.getValue()).build())
            .toList();
    return Row.withSchema(LATE)
        .addValues(
            late.table(),
            late.writer(),
            late.snapshotId(),
            late.watermark(),
            hours,
            late.width().getStandardSeconds(),
            late.records(),
            late.exact())
        .build();
  }
}
