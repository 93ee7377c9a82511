package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.action.MarkFinalPartitions;
import dev.tidemark.iceberg.FinalTagsConfig.Every;
import dev.tidemark.schematransform.Configuring;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.checkerframework.checker.nullness.qual.Nullable;

/** How final partitions are marked by files, as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class FinalMarkersConfig {
  @SchemaFieldDescription("What is marked: HOUR or DAY. Default: HOUR.")
  abstract @Nullable String getEvery();

  @SchemaFieldDescription("Zone of days; hours are of UTC. Default: UTC.")
  abstract @Nullable String getZone();

  @SchemaFieldDescription(
      "Where a marker is written, with {partition} and, if wanted, {location}, {table} and {branch}."
          + " Default: {location}/_finalized/{branch}/{partition}/_SUCCESS.")
  abstract @Nullable String getLocation();

  MarkFinalPartitions listener() {
    MarkFinalPartitions markers =
        FinalTagsConfig.every(getEvery()) == Every.HOUR
            ? MarkFinalPartitions.hourly()
            : MarkFinalPartitions.daily(FinalTagsConfig.zone(getZone()));
    return Configuring.of(markers)
        .set("location", getLocation(), MarkFinalPartitions::withLocation)
        .get();
  }
}
