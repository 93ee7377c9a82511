package dev.tidemark.examples.week;

import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.joda.time.ReadableInstant;

/** A Flink cluster in this process, with a slot for each pipeline of the week. */
final class WeekCluster implements AutoCloseable {
  private static final long CHECKPOINT_MILLIS = 100;
  private static final int MOST_RESTARTS = 100;
  private static final int TIMEOUT_SECONDS = 120;

  private final MiniCluster cluster;
  private final int port;

  private WeekCluster(MiniCluster cluster, int port) {
    this.cluster = cluster;
    this.port = port;
  }

  static WeekCluster start() throws Exception {
    Configuration conf = new Configuration();
    conf.set(RestOptions.BIND_PORT, "0");
    // Pipelines share this process's classes, and so its clock.
    conf.set(CoreOptions.CLASSLOADER_RESOLVE_ORDER, "parent-first");
    conf.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(conf)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(Region.values().length + 1)
                .build());
    cluster.start();
    return new WeekCluster(cluster, cluster.getRestAddress().get().getPort());
  }

  /** Options of a pipeline that commits often, and is restarted at once where it fails. */
  TidemarkFlinkOptions options(boolean streaming) {
    TidemarkFlinkOptions options = PipelineOptionsFactory.as(TidemarkFlinkOptions.class);
    options.setFlinkMaster("127.0.0.1:" + port);
    options.setFilesToStage(List.of(someJar()));
    options.setParallelism(1);
    options.setMaxParallelism(16);
    options.setCheckpointingInterval(CHECKPOINT_MILLIS);
    options.setMinPauseBetweenCheckpoints(CHECKPOINT_MILLIS / 2);
    options.setAttachedMode(false);
    options.setNumberOfExecutionRetries(MOST_RESTARTS);
    options.setExecutionRetryDelay(0L);
    TidemarkFlink.configure(options);
    options.setStreaming(streaming);
    return options;
  }

  /** Staging nothing would mean the whole class path, which this process has anyway. */
  private static String someJar() {
    return Path.of(
            ReadableInstant.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .toString();
  }

  JobID submit(Pipeline pipeline) throws Exception {
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

  /** Waits for the end of a bounded job. */
  void await(JobID job) throws Exception {
    cluster
        .requestJobResult(job)
        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .toJobExecutionResult(WeekCluster.class.getClassLoader());
  }

  boolean hasEnded(JobID job) throws Exception {
    JobStatus status = cluster.getJobStatus(job).get();
    return status.isGloballyTerminalState();
  }

  /** Stops a job without draining it; returns its savepoint. */
  String stop(JobID job, Path folder) throws Exception {
    Deadline deadline = Deadline.in(TIMEOUT_SECONDS, "stop job " + job);
    while (!allTasksRun(job)) {
      deadline.pause();
    }
    String savepoint =
        cluster
            .stopWithSavepoint(job, folder.toUri().toString(), false, SavepointFormatType.CANONICAL)
            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    cluster.requestJobResult(job).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    return savepoint;
  }

  /**
   * A job counts as running before its tasks do, and no savepoint is taken until all of them do.
   */
  private boolean allTasksRun(JobID job) {
    for (var task : cluster.getExecutionGraph(job).join().getAllExecutionVertices()) {
      ExecutionState state = task.getExecutionState();
      if (state != ExecutionState.RUNNING && state != ExecutionState.FINISHED) {
        return false;
      }
    }
    return true;
  }

  void cancel(JobID job) throws Exception {
    cluster.cancelJob(job).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    cluster.requestJobResult(job).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    cluster.closeAsync().join();
  }
}
