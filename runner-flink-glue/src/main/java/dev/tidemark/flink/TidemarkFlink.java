package dev.tidemark.flink;

import com.google.common.base.Joiner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets up Flink's classic runner for Tidemark's streaming writes. */
public final class TidemarkFlink {
  private static final Logger LOG = LoggerFactory.getLogger(TidemarkFlink.class);
  static final long BUNDLE_INTERVALS = 10;
  private static final long LEAST_BUNDLE_MILLIS = 600_000;
  private static final long AUTO_WATERMARK_MILLIS = 200;
  private static final long DEFAULT_PAUSE_MILLIS = 500;

  private TidemarkFlink() {}

  /**
   * Sets the pipeline to be a streaming one, and the runner and the options that streaming writes
   * need where they have not been set. What was set stays as it is, and is refused by the check
   * before launch if it does not do. The checkpoint interval is the user's: it is how often tables
   * are committed, and has no default.
   *
   * <p>Does nothing if {@link TidemarkFlinkOptions#getTidemarkFlinkDefaults()} is false. Doing it
   * twice is doing it once.
   *
   * @return the same options
   */
  public static TidemarkFlinkOptions configure(TidemarkFlinkOptions options) {
    if (!options.getTidemarkFlinkDefaults()) {
      return options;
    }
    Set<String> given = given(options);
    setUnless(given, "runner", () -> options.setRunner(FlinkRunner.class));
    options.setStreaming(true);
    setUnless(
        given,
        "finishBundleBeforeCheckpointing",
        () -> options.setFinishBundleBeforeCheckpointing(true));
    setUnless(given, "objectReuse", () -> options.setObjectReuse(true));
    setUnless(given, "maxBundleSize", () -> options.setMaxBundleSize(Long.MAX_VALUE));
    setUnless(
        given,
        "maxBundleTimeMills",
        () -> options.setMaxBundleTimeMills(leastBundleMillis(options)));
    setUnless(
        given,
        "autoWatermarkInterval",
        () -> options.setAutoWatermarkInterval(AUTO_WATERMARK_MILLIS));
    setUnless(
        given,
        "minPauseBetweenCheckpoints",
        () -> options.setMinPauseBetweenCheckpoints(DEFAULT_PAUSE_MILLIS));
    setUnless(given, "maxParallelism", () -> options.setMaxParallelism(MaxParallelism.DEFAULT));
    setUnless(
        given,
        "externalizedCheckpointsEnabled",
        () -> options.setExternalizedCheckpointsEnabled(true));
    if (options.isExternalizedCheckpointsEnabled()) {
      setUnless(
          given,
          "retainExternalizedCheckpointsOnCancellation",
          () -> options.setRetainExternalizedCheckpointsOnCancellation(true));
    }
    if ("rocksdb".equalsIgnoreCase(options.getStateBackend())) {
      LOG.warn(
          "Option stateBackend is rocksdb, which writes the whole state with each checkpoint."
              + " Set --stateBackendFactory={} instead",
          IncrementalRocksDb.class.getName());
    }
    return options;
  }

  /**
   * Checks a pipeline with its options before it is run, as each streaming write does when it is.
   *
   * @throws IllegalArgumentException with all problems and their remedies
   */
  public static void check(Pipeline pipeline) {
    PipelineOptions options = pipeline.getOptions();
    FlinkPipelineCheck check = new FlinkPipelineCheck();
    if (!check.knows(options)) {
      return;
    }
    List<String> problems = new ArrayList<>(check.problems(options));
    problems.addAll(check.problems(pipeline, options));
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot run the pipeline on Flink: " + Joiner.on("; ").join(problems) + ".");
    }
  }

  private static void setUnless(Set<String> given, String option, Runnable set) {
    if (!given.contains(option)) {
      set.run();
    }
  }

  /** The options that have been set, to whatever value. */
  private static Set<String> given(PipelineOptions options) {
    return DisplayData.from(options).items().stream()
        .map(DisplayData.Item::getKey)
        .collect(Collectors.toSet());
  }

  private static long leastBundleMillis(FlinkPipelineOptions options) {
    return Math.max(LEAST_BUNDLE_MILLIS, BUNDLE_INTERVALS * options.getCheckpointingInterval());
  }
}
