package dev.tidemark.schematransform;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/** Fails the pipeline on the first record that its transform could not process. */
final class FailFn extends DoFn<BadRecord, Void> {
  private static final long serialVersionUID = 1L;

  @ProcessElement
  public void process(@Element BadRecord failed) {
    String reason = ErrorRowsFn.message(failed.getFailure());
    throw new IllegalStateException(
        reason + ". Mend it, or set error_handling to have such records in an output");
  }
}
