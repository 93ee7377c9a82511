package dev.tidemark.flink;

import com.google.auto.service.AutoService;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.runner.KeyGroups;
import dev.tidemark.runner.RunnerSupport;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Tells transforms of Flink's key groups, and of the memory that its workers have for stores. */
@AutoService(RunnerSupport.class)
public final class FlinkRunnerSupport implements RunnerSupport {
  private static final long MEBIBYTE = 1L << 20;

  /** 1 TiB. */
  private static final long MOST_MEBIBYTES = 1L << 20;

  @Override
  public boolean knows(PipelineOptions options) {
    return FlinkRunners.isClassic(options);
  }

  /**
   * As many groups as {@code maxParallelism} says. None for bounded pipelines, whose state no other
   * run finds again.
   *
   * @throws IllegalArgumentException if a streaming pipeline leaves {@code maxParallelism} open
   */
  @Override
  public @Nullable KeyGroups keyGroups(PipelineOptions options, boolean streaming) {
    if (!streaming) {
      return null;
    }
    Integer groups = options.as(FlinkPipelineOptions.class).getMaxParallelism();
    String problem = MaxParallelism.problem(groups);
    if (problem != null) {
      throw new IllegalArgumentException("Cannot place keys of state: " + problem + ".");
    }
    return new FlinkKeyGroups(groups);
  }

  @Override
  public CandidateStoreOptions candidateStores(PipelineOptions options) {
    TidemarkFlinkOptions flink = options.as(TidemarkFlinkOptions.class);
    long mebibytes = flink.getCandidateStoreMemoryMb();
    if (mebibytes < 1 || mebibytes > MOST_MEBIBYTES) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot keep candidates: option candidateStoreMemoryMb is %d. Set --candidateStoreMemoryMb to"
                  + " a number of MiB from 1 to %d, for example 256",
              mebibytes, MOST_MEBIBYTES));
    }
    CandidateStoreOptions stores =
        CandidateStoreOptions.defaults().withMemoryBytes(mebibytes * MEBIBYTE);
    String directory = flink.getCandidateStoreDirectory();
    return directory == null ? stores : stores.withDirectory(directory);
  }
}
