package dev.tidemark.once;

import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What a streaming pipeline needs from its runner's options, checked before anything starts.
 *
 * <p>A module for a runner provides an implementation through {@link java.util.ServiceLoader}. A
 * streaming pipeline on a runner that no check knows is refused, since nobody vouches for its
 * checkpoints.
 */
public interface PipelineCheck {

  /** Whether this check speaks for the runner that the options name. */
  boolean knows(PipelineOptions options);

  /**
   * Looks for what keeps a streaming pipeline with effects from being exactly-once.
   *
   * @return one sentence for each problem, with the option, its value and the value to set; empty
   *     if the pipeline may start
   */
  List<String> problems(PipelineOptions options);

  /**
   * Looks for transforms in the graph of a pipeline that need more of the options than {@link
   * #problems} asks for, or that the runner cannot bring back after a restart.
   *
   * @return as above, with the name of the transform
   */
  default List<String> problems(Pipeline pipeline, PipelineOptions options) {
    return List.of();
  }
}
