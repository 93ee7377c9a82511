package dev.tidemark.flink;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.beam.runners.flink.FlinkPipelineOptions;

/** Checks where state is kept, for how long, and who finds it again. */
final class StateOptions {
  private static final Set<String> BACKENDS = Set.of("rocksdb", "filesystem");

  private StateOptions() {}

  static void check(FlinkPipelineOptions options, List<String> problems) {
    checkKeys(options, problems);
    checkBackend(options, problems);
    if (options.getRetainExternalizedCheckpointsOnCancellation()
        && !options.isExternalizedCheckpointsEnabled()) {
      problems.add(
          FlinkPipelineCheck.problem(
              "retainExternalizedCheckpointsOnCancellation",
              "true, and externalizedCheckpointsEnabled is false, so that no checkpoint is retained",
              "set both to true, or both to false"));
    }
    if (Boolean.TRUE.equals(options.getAllowNonRestoredState())) {
      problems.add(
          FlinkPipelineCheck.problem(
              "allowNonRestoredState",
              "true, which drops results that have not been committed yet",
              "leave it out. To remove a step for good, drain the job and start a new one"));
    }
  }

  private static void checkKeys(FlinkPipelineOptions options, List<String> problems) {
    Integer most = options.getMaxParallelism();
    String problem = MaxParallelism.problem(most);
    if (problem != null) {
      problems.add(problem);
    } else if (options.getParallelism() > most) {
      problems.add(
          FlinkPipelineCheck.problem(
              "parallelism",
              options.getParallelism() + ", and maxParallelism is " + most,
              "set --parallelism to at most "
                  + most
                  + ". maxParallelism can only be changed with new state"));
    }
  }

  @SuppressWarnings("deprecation") // the only option that takes an incremental backend
  private static void checkBackend(FlinkPipelineOptions options, List<String> problems) {
    String backend = options.getStateBackend();
    if (backend == null) {
      return;
    }
    if (!BACKENDS.contains(backend.toLowerCase(Locale.ROOT))) {
      problems.add(
          FlinkPipelineCheck.problem(
              "stateBackend",
              backend,
              "leave it out and set --stateBackendFactory=" + IncrementalRocksDb.class.getName()));
      return;
    }
    if (options.getStateBackendFactory() != null) {
      problems.add(
          FlinkPipelineCheck.problem(
              "stateBackend",
              backend
                  + ", so that stateBackendFactory "
                  + options.getStateBackendFactory().getName()
                  + " is ignored",
              "leave out either"));
    }
    if (options.getStateBackendStoragePath() == null) {
      problems.add(
          FlinkPipelineCheck.problem(
              "stateBackendStoragePath",
              "unset, and stateBackend is " + backend,
              "set --stateBackendStoragePath to the folder of checkpoints"));
    }
  }
}
