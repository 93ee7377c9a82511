package dev.tidemark.examples.benchmarks.basemerge;

import com.sun.management.OperatingSystemMXBean;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Merges the same changes into the same base table again and again, in the process of a peer: once
 * from a cold start, some times to warm up, some times to be measured, and once to count what is
 * read. CPU is the process's.
 */
final class MergeLoop {
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** One merge of a peer. */
  interface Merge {
    /**
     * Merges.
     *
     * @param counted whether tables are to be read through {@link CountingFileIO}
     */
    void run(boolean counted) throws Exception;
  }

  private MergeLoop() {}

  /**
   * Runs the loop and tells its figures.
   *
   * @param prepare what is done to the tables before each merge, not measured
   */
  static void run(Merge prepare, Merge merge) throws Exception {
    TableFiles files = new TableFiles(Path.of(PeerSettings.required("warehouse")));
    int warmUps = Integer.parseInt(PeerSettings.required("warmUps"));
    int merges = Integer.parseInt(PeerSettings.required("merges"));
    files.restore();
    prepare.run(false);
    merge.run(false);
    long coldNanos = PROCESS.getProcessCpuTime();
    for (int i = 0; i < warmUps; i++) {
      files.restore();
      prepare.run(false);
      merge.run(false);
    }
    long cpuNanos = 0;
    long wallNanos = 0;
    for (int i = 0; i < merges; i++) {
      files.restore();
      prepare.run(false);
      long wall = System.nanoTime();
      long cpu = PROCESS.getProcessCpuTime();
      merge.run(false);
      cpuNanos += PROCESS.getProcessCpuTime() - cpu;
      wallNanos += System.nanoTime() - wall;
    }
    files.restore();
    prepare.run(false);
    merge.run(true);
    System.out.printf(
        Locale.ROOT,
        "region cpuNanos=%d wallNanos=%d coldCpuNanos=%d filesOpened=%d bytesRead=%d%n",
        cpuNanos / merges,
        wallNanos / merges,
        coldNanos,
        CountingFileIO.opened(PeerSettings.required("base")),
        CountingFileIO.bytes());
    System.out.flush();
  }
}
