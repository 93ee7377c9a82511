package dev.tidemark.change;

import com.google.auto.value.AutoValue;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldName;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A column of metadata as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class MetadataColumnConfig {
  @SchemaFieldName("value")
  @SchemaFieldDescription(
      "What to add: LSN, POSITION, SOURCE_TIME, KIND, OPERATION, TRANSACTION, TRANSACTION_ORDER or"
          + " UNKNOWN_COLUMNS.")
  abstract String getValue();

  @SchemaFieldName("column")
  @SchemaFieldDescription("Name of the column. Default: that of the value, for example _position.")
  abstract @Nullable String getColumn();
}
