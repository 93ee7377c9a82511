package dev.tidemark.flink;

import com.google.auto.service.AutoService;
import dev.tidemark.once.PipelineCheck;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;

/** Checks the options of Flink's classic runner, and refuses the portable one by name. */
@AutoService(PipelineCheck.class)
public final class FlinkPipelineCheck implements PipelineCheck {
  private static final String EXACTLY_ONCE = "EXACTLY_ONCE";

  @Override
  public boolean knows(PipelineOptions options) {
    return FlinkRunners.isClassic(options) || FlinkRunners.isPortable(options);
  }

  @Override
  public List<String> problems(PipelineOptions options) {
    if (FlinkRunners.isPortable(options)) {
      return List.of(
          "The portable runner "
              + FlinkRunners.name(options)
              + " fuses stages and does not bind bundle finalizers to checkpoints; use --runner=FlinkRunner");
    }
    FlinkPipelineOptions flink = options.as(FlinkPipelineOptions.class);
    List<String> problems = new ArrayList<>();
    checkCheckpoints(flink, problems);
    checkBundles(flink, problems);
    StateOptions.check(flink, problems);
    return problems;
  }

  @Override
  public List<String> problems(Pipeline pipeline, PipelineOptions options) {
    return FlinkRunners.isPortable(options) ? List.of() : KafkaReads.problems(pipeline, options);
  }

  private static void checkCheckpoints(FlinkPipelineOptions options, List<String> problems) {
    if (options.getCheckpointingInterval() <= 0) {
      problems.add(
          problem(
              "checkpointingInterval",
              options.getCheckpointingInterval(),
              "set --checkpointingInterval to the millis between two commits, for example 60000"));
    }
    if (!EXACTLY_ONCE.equals(options.getCheckpointingMode())) {
      problems.add(
          problem(
              "checkpointingMode",
              options.getCheckpointingMode(),
              "set --checkpointingMode=EXACTLY_ONCE"));
    }
    if (options.getNumConcurrentCheckpoints() != 1) {
      problems.add(
          problem(
              "numConcurrentCheckpoints",
              options.getNumConcurrentCheckpoints(),
              "set --numConcurrentCheckpoints=1"));
    }
    if (options.getMinPauseBetweenCheckpoints() < 1) {
      problems.add(
          problem(
              "minPauseBetweenCheckpoints",
              options.getMinPauseBetweenCheckpoints(),
              "set --minPauseBetweenCheckpoints=500"));
    }
    if (options.getUnalignedCheckpointEnabled() || options.getForceUnalignedCheckpointEnabled()) {
      problems.add(
          problem(
              "unalignedCheckpointEnabled",
              true,
              "set --unalignedCheckpointEnabled=false and --forceUnalignedCheckpointEnabled=false"));
    }
  }

  private static void checkBundles(FlinkPipelineOptions options, List<String> problems) {
    if (!options.getFinishBundleBeforeCheckpointing()) {
      problems.add(
          problem(
              "finishBundleBeforeCheckpointing",
              false,
              "set --finishBundleBeforeCheckpointing=true"));
    }
    if (options.getMaxBundleSize() != Long.MAX_VALUE) {
      problems.add(
          problem(
              "maxBundleSize",
              options.getMaxBundleSize(),
              "set --maxBundleSize=" + Long.MAX_VALUE));
    }
    long least = TidemarkFlink.BUNDLE_INTERVALS * Math.max(0, options.getCheckpointingInterval());
    if (options.getMaxBundleTimeMills() < least) {
      problems.add(
          problem(
              "maxBundleTimeMills",
              options.getMaxBundleTimeMills(),
              "set --maxBundleTimeMills to at least " + least + ", 10 checkpoint intervals"));
    }
    if (options.getAutoWatermarkInterval() == null) {
      problems.add(problem("autoWatermarkInterval", "unset", "set --autoWatermarkInterval=200"));
    }
  }

  static String problem(String option, Object value, String remedy) {
    return String.format("Option %s is %s; %s", option, value, remedy);
  }
}
