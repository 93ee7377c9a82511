package dev.tidemark.schematransform;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.transforms.providers.ErrorHandling;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What becomes of the records that a transform cannot process, as Beam's field {@code
 * error_handling} says: rows of an output of that name; without the field, the first one fails the
 * pipeline, so that none is lost unnoticed.
 *
 * <p>A row has {@code failed_row}, the element as it came, so that it can be sent again; {@code
 * error_message}; and {@code details}, a text in JSON. Where a record is about no element (files of
 * a table that was dropped), or its element cannot be encoded, {@code failed_row} is null.
 */
public final class ErrorOutput {
  /** The element as it came, or null. */
  public static final String FAILED_ROW = "failed_row";

  /** Why it failed. */
  public static final String ERROR_MESSAGE = "error_message";

  /** What is known of it, as a JSON object. */
  public static final String DETAILS = "details";

  private final @Nullable String output;
  private final Schema schema;
  private final List<PCollection<Row>> rows = new ArrayList<>();

  private ErrorOutput(@Nullable String output, Schema schema) {
    this.output = output;
    this.schema = schema;
  }

  /** Collects failures of a transform; its {@code failed_row} has this schema. */
  public static ErrorOutput of(@Nullable ErrorHandling handling, Schema failedRow) {
    return new ErrorOutput(ErrorHandling.getOutputOrNull(handling), schema(failedRow));
  }

  /** The schema of the rows. */
  public static Schema schema(Schema failedRow) {
    return Schema.builder()
        .addNullableField(FAILED_ROW, FieldType.row(failedRow))
        .addStringField(ERROR_MESSAGE)
        .addNullableStringField(DETAILS)
        .build();
  }

  /**
   * Adds failures.
   *
   * @param name of the step, unique within the transform
   * @param coder by which elements are encoded in the records
   * @param asRow an element as a row of the schema
   */
  public <T> void add(
      String name,
      PCollection<BadRecord> failed,
      Coder<T> coder,
      SerializableFunction<T, Row> asRow) {
    if (output == null) {
      failed.apply(name, ParDo.of(new FailFn()));
    } else {
      rows.add(
          failed
              .apply(name, ParDo.of(new ErrorRowsFn<>(schema, coder, asRow)))
              .setRowSchema(schema));
    }
  }

  /**
   * Outputs with the one of failures, if there is one.
   *
   * @throws IllegalArgumentException if another output has its name
   */
  public PCollectionRowTuple addTo(PCollectionRowTuple outputs) {
    if (output == null) {
      return outputs;
    }
    checkArgument(
        !outputs.has(output),
        "Invalid field error_handling: %s is the name of another output. Choose another one",
        output);
    PCollection<Row> all =
        rows.size() == 1
            ? rows.get(0)
            : PCollectionList.of(rows).apply("Errors", Flatten.pCollections());
    return outputs.and(output, all.setRowSchema(schema));
  }
}
