package dev.tidemark.examples.benchmarks.endtoend;

/**
 * What one run took.
 *
 * @param cpuMicros CPU microseconds of the job's process per event, from the moment when the
 *     measured events could be read until both tables had them all
 * @param cpuMicrosInAll the same from the start of the process, for all events of the run
 * @param wallMicros wall microseconds per measured event
 * @param filesPerCommit data files of a commit to Iceberg, over the whole run
 * @param loadsPerCommit loads of Doris for a commit to Iceberg, which is one for a checkpoint
 */
record RunFigures(
    double cpuMicros,
    double cpuMicrosInAll,
    double wallMicros,
    double filesPerCommit,
    double loadsPerCommit) {
  double eventsPerSecond() {
    return 1e6 / wallMicros;
  }
}
