package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.EventTimeUnit;
import dev.tidemark.eventtime.NullPolicy;
import dev.tidemark.schematransform.Configuring;
import java.time.ZoneId;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** How event time is read, as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class EventTimeConfig {
  @SchemaFieldDescription("The column, with the names of rows around it and dots before it.")
  abstract String getColumn();

  @SchemaFieldDescription(
      "What numbers count: SECONDS, MILLIS, MICROS or NANOS. Default: MILLIS for INT64, none for"
          + " INT32.")
  abstract @Nullable String getUnit();

  @SchemaFieldDescription("Pattern of texts, as of Java's DateTimeFormatter. Default: ISO 8601.")
  abstract @Nullable String getFormat();

  @SchemaFieldDescription("Zone of local times and dates. Default: UTC.")
  abstract @Nullable String getZone();

  @SchemaFieldDescription(
      "What becomes of null: COUNT, or REJECT, which sends the row to the errors. Default: COUNT.")
  abstract @Nullable String getNullPolicy();

  @SchemaFieldDescription(
      "Seconds before now that an event time is still sane. Default: 315360000, ten years.")
  abstract @Nullable Long getMaxPastSeconds();

  @SchemaFieldDescription(
      "Seconds after now that an event time is still sane. Default: 86400, a day.")
  abstract @Nullable Long getMaxFutureSeconds();

  EventTimeExtractor extractor() {
    return Configuring.of(Configuring.named("column", () -> EventTimeExtractor.column(getColumn())))
        .set(
            "unit",
            getUnit(),
            (e, unit) -> e.withUnit(Configuring.constant(EventTimeUnit.class, unit)))
        .set("format", getFormat(), EventTimeExtractor::withFormat)
        .set("zone", getZone(), (e, zone) -> e.withZone(ZoneId.of(zone)))
        .set(
            "null_policy",
            getNullPolicy(),
            (e, policy) -> e.withNullPolicy(Configuring.constant(NullPolicy.class, policy)))
        .set(
            "max_past_seconds",
            getMaxPastSeconds(),
            (e, past) -> e.withRange(Duration.standardSeconds(past), e.maxFuture()))
        .set(
            "max_future_seconds",
            getMaxFutureSeconds(),
            (e, future) -> e.withRange(e.maxPast(), Duration.standardSeconds(future)))
        .get();
  }
}
