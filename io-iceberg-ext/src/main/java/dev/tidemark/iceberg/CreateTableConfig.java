package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.schematransform.Configuring;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.checkerframework.checker.nullness.qual.Nullable;

/** How a missing table is created, as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class CreateTableConfig {
  @SchemaFieldDescription(
      "Partition fields, each a column or one of identity, year, month, day, hour, void of a column,"
          + " bucket(n, column), truncate(w, column). Default: none.")
  abstract @Nullable List<String> getPartitions();

  @SchemaFieldDescription("Table properties. Default: Tidemark's for new tables.")
  abstract @Nullable Map<String, String> getProperties();

  @SchemaFieldDescription("Location of the table. Default: the catalog's choice.")
  abstract @Nullable String getLocation();

  TableCreation creation() {
    return Configuring.of(TableCreation.unpartitioned())
        .set(
            "partitions",
            getPartitions(),
            (c, fields) -> c.withPartitions(fields.toArray(new String[0])))
        .set("properties", getProperties(), TableCreation::withProperties)
        .set("location", getLocation(), TableCreation::withLocation)
        .get();
  }
}
