package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.merge.MergeSource;
import dev.tidemark.schematransform.Configuring;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldName;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A change table as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class MergeSourceConfig {
  @SchemaFieldName("name")
  @SchemaFieldDescription("What the base table remembers it by: 1 to 64 letters, digits, _ or -.")
  abstract String getName();

  @SchemaFieldName("table")
  @SchemaFieldDescription("The change table, namespace.table.")
  abstract String getTable();

  @SchemaFieldName("branch")
  @SchemaFieldDescription("The branch that is read. Default: main.")
  abstract @Nullable String getBranch();

  MergeSource source() {
    return Configuring.of(
            Configuring.named(
                "name", () -> MergeSource.of(getName(), TableIdentifier.parse(getTable()))))
        .set("branch", getBranch(), MergeSource::withBranch)
        .get();
  }
}
