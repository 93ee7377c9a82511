package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.schematransform.Configuring;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldName;

/** An accumulator as fields of a configuration tell it; those of one's own are code. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class AccumulatorConfig {
  /** The accumulators that there are. */
  private enum Kind {
    DISTINCT_COUNT,
    QUANTILES,
    ROWS_BY_KIND
  }

  @SchemaFieldName("name")
  @SchemaFieldDescription("Name, of a-z, 0-9 and -; entries are tidemark.acc.<name>.<entry>.")
  abstract String getName();

  @SchemaFieldName("kind")
  @SchemaFieldDescription(
      "DISTINCT_COUNT, QUANTILES of numbers, or ROWS_BY_KIND: rows for each value of a short text.")
  abstract String getKind();

  @SchemaFieldName("column")
  @SchemaFieldDescription("The column.")
  abstract String getColumn();

  CommitAccumulator<?, ?> accumulator() {
    return switch (Configuring.constant(Kind.class, getKind())) {
      case DISTINCT_COUNT -> CommitAccumulator.distinctCount(getName(), getColumn());
      case QUANTILES -> CommitAccumulator.quantiles(getName(), getColumn());
      case ROWS_BY_KIND -> CommitAccumulator.rowsByKind(getName(), getColumn());
    };
  }
}
