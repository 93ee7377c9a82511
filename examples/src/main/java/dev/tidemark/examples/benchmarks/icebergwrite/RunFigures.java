package dev.tidemark.examples.benchmarks.icebergwrite;

/**
 * What one run of a peer took, over its measured region.
 *
 * @param cpuMicros CPU microseconds of the process per row
 * @param wallMicros wall microseconds per row
 * @param files data files that were committed
 * @param commits commits that had files
 */
record RunFigures(double cpuMicros, double wallMicros, long files, int commits) {
  double filesPerCommit() {
    return commits == 0 ? 0 : (double) files / commits;
  }
}
