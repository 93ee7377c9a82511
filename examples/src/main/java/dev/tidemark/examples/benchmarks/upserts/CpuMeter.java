package dev.tidemark.examples.benchmarks.upserts;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The CPU of the process from one row on to the last one that arrived. State is static since
 * runners make copies of functions; one thread tells of rows that leave, one of those that arrive.
 */
final class CpuMeter {
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final int ROWS_BETWEEN_LOOKS = 1 << 12;

  private static volatile long beginNanos;
  private static volatile long beginWallNanos;
  private static volatile long endNanos;
  private static volatile long endWallNanos;
  private static volatile long measuredRows;
  private static long arrived;

  private CpuMeter() {}

  /** Begins to measure, so many rows before the last. */
  static void begin(long rows) {
    measuredRows = rows;
    beginWallNanos = System.nanoTime();
    beginNanos = PROCESS.getProcessCpuTime();
  }

  /** Forgets what arrived so far. */
  static void reset() {
    arrived = 0;
  }

  /** Counts a row that arrived. */
  static void arrive() {
    arrived++;
    if ((arrived & (ROWS_BETWEEN_LOOKS - 1)) == 0) {
      look();
    }
  }

  /** Takes this moment for the end, until there is a later one. */
  static void look() {
    endNanos = PROCESS.getProcessCpuTime();
    endWallNanos = System.nanoTime();
  }

  static double micros() {
    return (endNanos - beginNanos) / 1e3 / measuredRows;
  }

  static double rowsPerSecond() {
    return measuredRows * 1e9 / (endWallNanos - beginWallNanos);
  }

  static long measuredRows() {
    return measuredRows;
  }

  static long arrived() {
    return arrived;
  }
}
