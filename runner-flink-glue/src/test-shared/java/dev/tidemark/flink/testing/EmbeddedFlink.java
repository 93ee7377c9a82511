package dev.tidemark.flink.testing;

import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.ReadableInstant;

/**
 * A Flink cluster in this process, to which Beam pipelines are submitted over its REST endpoint.
 */
public final class EmbeddedFlink implements AutoCloseable {
  private static final int SLOTS = 4;

  private final MiniCluster cluster;
  private final int port;

  private EmbeddedFlink(MiniCluster cluster, int port) {
    this.cluster = cluster;
    this.port = port;
  }

  public static EmbeddedFlink start() throws Exception {
    return start(SLOTS, new Configuration());
  }

  /** A cluster of one task manager with so many slots, with a configuration of its own. */
  public static EmbeddedFlink start(int slots, Configuration additions) throws Exception {
    Configuration conf = new Configuration();
    conf.set(RestOptions.BIND_PORT, "0");
    // Tasks share the test's classes, and so its static crash points.
    conf.set(CoreOptions.CLASSLOADER_RESOLVE_ORDER, "parent-first");
    conf.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    conf.addAll(additions);
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(conf)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
    cluster.start();
    return new EmbeddedFlink(cluster, cluster.getRestAddress().get().getPort());
  }

  /** Options for a pipeline on this cluster: detached, restarted after each failure. */
  public TidemarkFlinkOptions options(int parallelism, long checkpointMillis) {
    TidemarkFlinkOptions options = PipelineOptionsFactory.as(TidemarkFlinkOptions.class);
    options.setFlinkMaster("127.0.0.1:" + port);
    options.setFilesToStage(List.of(aSmallJar()));
    options.setParallelism(parallelism);
    options.setMaxParallelism(16);
    options.setCheckpointingInterval(checkpointMillis);
    options.setMinPauseBetweenCheckpoints(50L);
    options.setAttachedMode(false);
    options.setNumberOfExecutionRetries(50);
    options.setExecutionRetryDelay(0L);
    options.setFailOnCheckpointingErrors(false);
    return TidemarkFlink.configure(options);
  }

  /** Staging nothing means staging the whole class path, which this process has anyway. */
  private static String aSmallJar() {
    return new File(
            ReadableInstant.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .getPath();
  }

  /** Submits a pipeline and returns its job. */
  public JobID submit(Pipeline pipeline) throws Exception {
    Set<JobID> before = jobs();
    pipeline.run();
    return jobs().stream()
        .filter(job -> !before.contains(job))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("Cannot find the submitted job"));
  }

  private Set<JobID> jobs() throws Exception {
    return cluster.listJobs().get().stream()
        .map(JobStatusMessage::getJobId)
        .collect(Collectors.toSet());
  }

  /** Waits for the end of a job. */
  public JobResult await(JobID job, long seconds) throws Exception {
    return cluster.requestJobResult(job).get(seconds, TimeUnit.SECONDS);
  }

  public boolean hasEnded(JobID job) throws Exception {
    return cluster.getJobStatus(job).get().isGloballyTerminalState();
  }

  /** Waits for a condition while a job runs; fails if the job ends before. */
  public void awaitCondition(JobID job, BooleanSupplier condition, long seconds) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.getAsBoolean()) {
      JobStatus status = cluster.getJobStatus(job).get();
      if (status.isGloballyTerminalState() && !condition.getAsBoolean()) {
        throw new IllegalStateException("Job ended as " + status + " before the condition held");
      }
      if (System.nanoTime() > deadline) {
        throw new TimeoutException(
            "Condition does not hold after " + seconds + " s; job " + status);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** The newest checkpoint of a job; null if none has completed. */
  public @Nullable CompletedCheckpointStats checkpoint(JobID job) {
    CheckpointStatsSnapshot stats =
        cluster.getExecutionGraph(job).join().getCheckpointStatsSnapshot();
    return stats == null ? null : stats.getHistory().getLatestCompletedCheckpoint();
  }

  /** Takes a checkpoint beside those that come by the interval. */
  public void takeCheckpoint(JobID job) throws Exception {
    awaitCondition(job, () -> noTaskStarts(job), 60);
    cluster.triggerCheckpoint(job).get(60, TimeUnit.SECONDS);
  }

  /** Waits for a checkpoint that began after this call. */
  public CompletedCheckpointStats awaitCheckpoint(JobID job) throws Exception {
    CompletedCheckpointStats before = checkpoint(job);
    // The next one may have begun already.
    long after = before == null ? 1 : before.getCheckpointId() + 1;
    awaitCondition(
        job,
        () -> {
          CompletedCheckpointStats now = checkpoint(job);
          return now != null && now.getCheckpointId() > after;
        },
        60);
    return checkpoint(job);
  }

  /** The name of the class that keeps a job's state. */
  public String stateBackend(JobID job) {
    return cluster.getExecutionGraph(job).join().getStateBackendName().orElse("");
  }

  public void cancel(JobID job) throws Exception {
    cluster.cancelJob(job).get();
    cluster.requestJobResult(job).get(30, TimeUnit.SECONDS);
  }

  /**
   * A savepoint while the job goes on; tried again where the job fails or is just being restored.
   */
  public String savepoint(JobID job, Path dir) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (true) {
      awaitCondition(job, () -> noTaskStarts(job), 60);
      try {
        return cluster
            .triggerSavepoint(job, dir.toUri().toString(), false, SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /**
   * A job counts as running before its tasks do, and no savepoint is taken until all of them do, or
   * have finished.
   */
  private boolean noTaskStarts(JobID job) {
    for (AccessExecutionVertex task :
        cluster.getExecutionGraph(job).join().getAllExecutionVertices()) {
      ExecutionState state = task.getExecutionState();
      if (state != ExecutionState.RUNNING && state != ExecutionState.FINISHED) {
        return false;
      }
    }
    return true;
  }

  /** Stops a job with a savepoint, whose path it returns. */
  public String stop(JobID job, Path dir, boolean drain) throws Exception {
    awaitCondition(job, () -> noTaskStarts(job), 60);
    String path =
        cluster
            .stopWithSavepoint(job, dir.toUri().toString(), drain, SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    await(job, 60);
    return path;
  }

  @Override
  public void close() {
    cluster.closeAsync().join();
  }
}
