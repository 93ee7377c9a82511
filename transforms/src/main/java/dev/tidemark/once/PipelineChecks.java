package dev.tidemark.once;

import com.google.common.base.Joiner;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
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
    List<String> problems = new ArrayList<>();
    boolean known = false;
    for (PipelineCheck check :
        ServiceLoader.load(PipelineCheck.class, ReflectHelpers.findClassLoader())) {
      if (check.knows(options)) {
        known = true;
        problems.addAll(check.problems(options));
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
