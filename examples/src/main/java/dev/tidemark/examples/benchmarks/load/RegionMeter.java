package dev.tidemark.examples.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Locale;

/**
 * Measures a region of rows in the process of a peer: its CPU and wall time between two row marks.
 *
 * <p>Both marks are the first row that comes a fixed part of the checkpoint interval after a
 * checkpoint has completed, so that the region holds a whole number of checkpoints, at least three,
 * with their commits. The process's CPU time counts all of it: task threads, garbage collection,
 * compilation, commits.
 *
 * <p>State is static since runners make copies of functions. Rows and completed checkpoints are
 * told by one thread, that of the task that makes the rows.
 */
public final class RegionMeter {
  /** First words of the line that tells the region. */
  static final String LINE = "region";

  private static final int ROWS_BETWEEN_LOOKS = 1 << 10;
  private static final double MAX_COMPILATION_SHARE = 0.02;
  private static final int MIN_CHECKPOINTS = 3;
  private static final int MAX_WARM_UP_CHECKPOINTS = 15;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  private enum Phase {
    WARM_UP,
    REGION,
    DONE
  }

  private static Phase phase = Phase.WARM_UP;
  private static long rows;
  private static long rowsAtCheckpoint;
  private static int checkpoints;
  private static int settledCheckpoints;
  private static long checkpointNanos;
  private static int settledInWarmUp;
  private static long lookNanos;
  private static long lookCompileMillis;

  private static long startRows;
  private static int startCheckpoints;
  private static long startMillis;
  private static long startCpuNanos;
  private static long startWallNanos;

  private RegionMeter() {}

  /** Counts a row that goes to the table. */
  public static void row() {
    rows++;
    if ((rows & (ROWS_BETWEEN_LOOKS - 1)) == 0) {
      look();
    }
  }

  /** Counts rows that go to the table together. */
  public static void rows(int count) {
    rows += count;
    look();
  }

  /** Counts a completed checkpoint, unless no row came since the last one. */
  public static void checkpoint() {
    if (rows == rowsAtCheckpoint) {
      return;
    }
    rowsAtCheckpoint = rows;
    checkpoints++;
    checkpointNanos = System.nanoTime();
  }

  private static void look() {
    if (phase == Phase.DONE || checkpoints == settledCheckpoints) {
      return;
    }
    long settleNanos = PeerSettings.intervalMillis() * 1_000_000 * 2 / 5;
    if (System.nanoTime() - checkpointNanos < settleNanos) {
      return;
    }
    settledCheckpoints = checkpoints;
    if (phase == Phase.WARM_UP) {
      if (isWarm()) {
        start();
      }
    } else if (rows - startRows >= PeerSettings.rows()
        && checkpoints - startCheckpoints >= MIN_CHECKPOINTS) {
      stop();
    }
  }

  /**
   * Warm is a process that has committed a few times and has little left to compile: commits come
   * first when the machine is slow, compilation does when it is fast.
   */
  private static boolean isWarm() {
    long nanos = System.nanoTime();
    long compileMillis = COMPILER.getTotalCompilationTime();
    boolean compiled =
        (compileMillis - lookCompileMillis) * 1_000_000
            <= (nanos - lookNanos) * MAX_COMPILATION_SHARE;
    lookNanos = nanos;
    lookCompileMillis = compileMillis;
    settledInWarmUp++;
    return Files.exists(PeerSettings.warmUpMark())
        && (compiled || settledInWarmUp >= MAX_WARM_UP_CHECKPOINTS);
  }

  private static void start() {
    phase = Phase.REGION;
    startRows = rows;
    startCheckpoints = checkpoints;
    startMillis = System.currentTimeMillis();
    startWallNanos = System.nanoTime();
    startCpuNanos = PROCESS.getProcessCpuTime();
  }

  private static void stop() {
    long cpuNanos = PROCESS.getProcessCpuTime() - startCpuNanos;
    long wallNanos = System.nanoTime() - startWallNanos;
    phase = Phase.DONE;
    System.out.printf(
        Locale.ROOT,
        "%s rows=%d cpuNanos=%d wallNanos=%d startMillis=%d stopMillis=%d rowsSoFar=%d%n",
        LINE,
        rows - startRows,
        cpuNanos,
        wallNanos,
        startMillis,
        System.currentTimeMillis(),
        rows);
    System.out.flush();
  }
}
