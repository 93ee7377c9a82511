package dev.tidemark.schematransform;

import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Makes rows of {@link ErrorOutput} of failures. */
final class ErrorRowsFn<T> extends DoFn<BadRecord, Row> {
  private static final long serialVersionUID = 1L;

  private final Schema schema;
  private final Coder<T> coder;
  private final SerializableFunction<T, Row> asRow;

  ErrorRowsFn(Schema schema, Coder<T> coder, SerializableFunction<T, Row> asRow) {
    this.schema = schema;
    this.coder = coder;
    this.asRow = asRow;
  }

  @ProcessElement
  public void process(@Element BadRecord failed, OutputReceiver<Row> out) throws CoderException {
    out.output(
        Row.withSchema(schema)
            .addValues(
                element(failed),
                message(failed.getFailure()),
                failed.getRecord().getHumanReadableJsonRecord())
            .build());
  }

  private @Nullable Row element(BadRecord failed) throws CoderException {
    byte[] encoded = failed.getRecord().getEncodedRecord();
    return encoded == null ? null : asRow.apply(CoderUtils.decodeFromByteArray(coder, encoded));
  }

  static String message(BadRecord.Failure failure) {
    String description = failure.getDescription();
    String exception = failure.getException();
    if (description != null) {
      return description;
    }
    return exception == null ? "no reason is known" : exception;
  }
}
