package dev.tidemark.examples.benchmarks.basemerge;

/**
 * What one run of a peer took.
 *
 * @param cpuMicros CPU microseconds of a warm merge per changed key
 * @param wallMicros wall microseconds of the same
 * @param coldCpuSeconds CPU of the process until its first merge was done, with its start
 * @param filesOpened data files of the base table that a merge opened
 * @param bytesRead bytes that a merge read of data and delete files
 */
record RunFigures(
    double cpuMicros, double wallMicros, double coldCpuSeconds, long filesOpened, long bytesRead) {}
