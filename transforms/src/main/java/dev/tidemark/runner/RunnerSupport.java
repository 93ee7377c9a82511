package dev.tidemark.runner;

import dev.tidemark.candidates.CandidateStoreOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a runner's module tells transforms of its runner; found by {@link Runners}. */
public interface RunnerSupport {

  /** Whether this speaks for the runner that the options name. */
  boolean knows(PipelineOptions options);

  /**
   * The groups into which the runner hashes keys; null if it is not known, and keys are to be plain
   * numbers.
   *
   * @param streaming whether the pipeline has unbounded input or is run as if it had
   * @throws IllegalArgumentException if state would be bound to something the options leave open
   */
  @Nullable KeyGroups keyGroups(PipelineOptions options, boolean streaming);

  /** What stores of candidates in one worker process may use, where a transform does not say. */
  CandidateStoreOptions candidateStores(PipelineOptions options);
}
