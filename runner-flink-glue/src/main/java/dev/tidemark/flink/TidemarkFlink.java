package dev.tidemark.flink;

import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;

/** Sets up Flink's classic runner for Tidemark's streaming writes. */
public final class TidemarkFlink {
  static final long BUNDLE_INTERVALS = 10;
  private static final long LEAST_BUNDLE_MILLIS = 600_000;
  private static final long AUTO_WATERMARK_MILLIS = 200;
  private static final long DEFAULT_PAUSE_MILLIS = 500;

  private TidemarkFlink() {}

  /**
   * Sets the runner, and the options for one bundle per checkpoint where they have not been set.
   * The checkpoint interval is the user's: it is how often tables are committed, and has no
   * default.
   *
   * <p>Does nothing if {@link TidemarkFlinkOptions#getTidemarkFlinkDefaults()} is false.
   *
   * @return the same options
   */
  public static TidemarkFlinkOptions configure(TidemarkFlinkOptions options) {
    if (!options.getTidemarkFlinkDefaults()) {
      return options;
    }
    options.setRunner(FlinkRunner.class);
    options.setStreaming(true);
    options.setFinishBundleBeforeCheckpointing(true);
    options.setObjectReuse(true);
    options.setMaxBundleSize(Long.MAX_VALUE);
    options.setMaxBundleTimeMills(
        Math.max(options.getMaxBundleTimeMills(), leastBundleMillis(options)));
    if (options.getAutoWatermarkInterval() == null) {
      options.setAutoWatermarkInterval(AUTO_WATERMARK_MILLIS);
    }
    if (options.getMinPauseBetweenCheckpoints() < 0) {
      options.setMinPauseBetweenCheckpoints(DEFAULT_PAUSE_MILLIS);
    }
    return options;
  }

  private static long leastBundleMillis(FlinkPipelineOptions options) {
    return Math.max(LEAST_BUNDLE_MILLIS, BUNDLE_INTERVALS * options.getCheckpointingInterval());
  }
}
