package dev.tidemark.once;

import com.google.common.base.Joiner;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.BiFunction;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/** Runs the {@link PipelineCheck}s on the class path. */
public final class PipelineChecks {
  private static final String DIRECT_RUNNER = "org.apache.beam.runners.direct.DirectRunner";

  private PipelineChecks() {}

  /**
   * Refuses a streaming pipeline whose runner or options do not give what {@link PerformOnce}
   * relies on.
   *
   * @param what the transform to name in the message
   * @throws IllegalArgumentException with all problems and their remedies
   */
  public static void requireStreaming(String what, PipelineOptions options) {
    require(what, options, PipelineCheck::problems);
  }

  /** As {@link #requireStreaming(String, PipelineOptions)}, and looks at the graph, too. */
  public static void requireStreaming(String what, Pipeline pipeline, PipelineOptions options) {
    require(
        what,
        options,
        (check, checked) -> {
          List<String> problems = new ArrayList<>(check.problems(checked));
          problems.addAll(check.problems(pipeline, checked));
          return problems;
        });
  }

  private static void require(
      String what,
      PipelineOptions options,
      BiFunction<PipelineCheck, PipelineOptions, List<String>> look) {
    List<String> problems = new ArrayList<>();
    boolean known = false;
    for (PipelineCheck check :
        ServiceLoader.load(PipelineCheck.class, ReflectHelpers.findClassLoader())) {
      if (check.knows(options)) {
        known = true;
        problems.addAll(look.apply(check, options));
      }
    }
    String runner = options.getRunner() == null ? "none" : options.getRunner().getName();
    if (!known && !runner.equals(DIRECT_RUNNER)) {
      problems.add(
          String.format(
              "No check on the class path knows the runner %s, so nothing vouches for its checkpoints."
                  + " Run on Flink's classic runner and add dev.tidemark:tidemark-runner-flink-glue, or"
                  + " read a bounded input",
              runner));
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot run %s as a streaming pipeline: %s.", what, Joiner.on("; ").join(problems)));
    }
  }
}
