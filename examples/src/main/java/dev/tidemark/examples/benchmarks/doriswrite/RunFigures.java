package dev.tidemark.examples.benchmarks.doriswrite;

/**
 * What one run of a peer took: CPU and wall time over its measured region, bytes and loads over all
 * of it.
 *
 * @param cpuMicros CPU microseconds of the process per row
 * @param wallMicros wall microseconds per row
 * @param bytesPerRow bytes of the bodies of committed loads, per row
 * @param rowsPerLoad rows of a committed load
 */
record RunFigures(double cpuMicros, double wallMicros, double bytesPerRow, double rowsPerLoad) {
  double rowsPerSecond() {
    return 1e6 / wallMicros;
  }
}
