package dev.tidemark.iceberg;

import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.TestPipeline;

/** Pipelines of tests. */
final class Pipelines {
  private Pipelines() {}

  /**
   * A pipeline on one thread. With more, the direct runner moves a key between instances of a
   * function; a commit that one has started is then repeated by another, and reported as replayed.
   */
  static TestPipeline onOneThread() {
    return TestPipeline.fromOptions(
        PipelineOptionsFactory.fromArgs("--targetParallelism=1").create());
  }
}
