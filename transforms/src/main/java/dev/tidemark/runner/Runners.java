package dev.tidemark.runner;

import dev.tidemark.candidates.CandidateStoreOptions;
import java.util.ServiceLoader;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.StreamingOptions;
import org.apache.beam.sdk.util.common.ReflectHelpers;
import org.apache.beam.sdk.values.PCollection;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Asks the {@link RunnerSupport}s on the class path. */
public final class Runners {
  private Runners() {}

  /** The groups into which the runner of this input hashes keys; null if it is not known. */
  public static @Nullable KeyGroups keyGroups(PCollection<?> input) {
    PipelineOptions options = input.getPipeline().getOptions();
    RunnerSupport support = support(options);
    return support == null
        ? null
        : support.keyGroups(
            options,
            input.isBounded() == PCollection.IsBounded.UNBOUNDED
                || options.as(StreamingOptions.class).isStreaming());
  }

  /** What stores of candidates may use, where a transform does not say. */
  public static CandidateStoreOptions candidateStores(PipelineOptions options) {
    RunnerSupport support = support(options);
    return support == null ? CandidateStoreOptions.defaults() : support.candidateStores(options);
  }

  private static @Nullable RunnerSupport support(PipelineOptions options) {
    for (RunnerSupport support :
        ServiceLoader.load(RunnerSupport.class, ReflectHelpers.findClassLoader())) {
      if (support.knows(options)) {
        return support;
      }
    }
    return null;
  }
}
