package dev.tidemark.flink;

import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Options of a Tidemark pipeline on Flink, beside those of the runner itself. */
public interface TidemarkFlinkOptions extends FlinkPipelineOptions {

  /** See the description. */
  @Description(
      "Whether TidemarkFlink.configure() sets the runner's options that Tidemark needs, where they are not given."
          + " With false all of them are given by hand; they are checked before launch in any case."
          + " Example: --tidemarkFlinkDefaults=false")
  @Default.Boolean(true)
  boolean getTidemarkFlinkDefaults();

  /** Sets {@link #getTidemarkFlinkDefaults()}. */
  void setTidemarkFlinkDefaults(boolean value);

  /** See the description. */
  @Description(
      "Memory for all candidate stores of a task manager process and job, in MiB, at least 1: three quarters of it"
          + " on the heap (taskmanager.memory.task.heap.size), one quarter off it"
          + " (taskmanager.memory.task.off-heap.size). Not part of Flink's managed memory."
          + " Example: --candidateStoreMemoryMb=1024")
  @Default.Long(256)
  long getCandidateStoreMemoryMb();

  /** Sets {@link #getCandidateStoreMemoryMb()}. */
  void setCandidateStoreMemoryMb(long value);

  /** See the description. */
  @Description(
      "Local directory of task managers for the files of candidate stores, which are never used after their process."
          + " Default: java.io.tmpdir. Example: --candidateStoreDirectory=/data/candidates")
  @Nullable String getCandidateStoreDirectory();

  /** Sets {@link #getCandidateStoreDirectory()}. */
  void setCandidateStoreDirectory(@Nullable String value);
}
