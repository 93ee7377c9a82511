package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.action.TagFinalPartitions;
import dev.tidemark.schematransform.Configuring;
import java.time.ZoneId;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** How final partitions are tagged, as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class FinalTagsConfig {
  /** Partitions that become final. */
  enum Every {
    HOUR,
    DAY
  }

  @SchemaFieldDescription("What is tagged: HOUR or DAY. Default: HOUR.")
  abstract @Nullable String getEvery();

  @SchemaFieldDescription("Zone of days; hours are of UTC. Default: UTC.")
  abstract @Nullable String getZone();

  @SchemaFieldDescription("What names of tags begin with. Default: final-.")
  abstract @Nullable String getPrefix();

  @SchemaFieldDescription(
      "Seconds after which expiry may remove a tag; 0 for never. Default: 604800, a week.")
  abstract @Nullable Long getRetentionSeconds();

  TagFinalPartitions listener() {
    TagFinalPartitions tags =
        every(getEvery()) == Every.HOUR
            ? TagFinalPartitions.hourly()
            : TagFinalPartitions.daily(zone(getZone()));
    return Configuring.of(tags)
        .set("prefix", getPrefix(), TagFinalPartitions::withPrefix)
        .set(
            "retention_seconds",
            getRetentionSeconds(),
            (t, seconds) ->
                t.withRetention(seconds == 0 ? null : Duration.standardSeconds(seconds)))
        .get();
  }

  static Every every(@Nullable String name) {
    return name == null
        ? Every.HOUR
        : Configuring.named("every", () -> Configuring.constant(Every.class, name));
  }

  static ZoneId zone(@Nullable String zone) {
    return Configuring.named("zone", () -> ZoneId.of(zone == null ? "UTC" : zone));
  }
}
