package dev.tidemark.examples.benchmarks.materializer;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Measures a contestant on a workload: first a fifth of it as a warm-up, then all of it anew.
 *
 * <p>What counts is the CPU time of the process, with its compiler, its garbage collector and the
 * background threads of RocksDB, while rows are processed. Rows are prepared a chunk at a time, in
 * between. It ends early after half a minute of CPU time.
 */
public final class Measurement {
  /** What the line with the figures begins with. */
  public static final String LINE = "measured";

  private static final double WARM_UP = 0.2;
  private static final long MAX_CPU_NANOS = 30_000_000_000L;

  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final Contestant contestant;
  private final Workload.Changes changes;
  private long cpuNanos;
  private long wallNanos;

  private Measurement(Contestant contestant, Workload.Changes changes) {
    this.contestant = contestant;
    this.changes = changes;
  }

  /** Opens a contestant with nothing in its state. */
  public interface Opener {
    Contestant open() throws Exception;
  }

  /** Measures, and prints one line of names and values. */
  public static void run(Workload workload, double factor, Opener opener) throws Exception {
    try (Contestant contestant = opener.open()) {
      new Measurement(contestant, workload.changes(factor * WARM_UP)).run(workload.chunk());
    }
    try (Contestant contestant = opener.open()) {
      Measurement measurement = new Measurement(contestant, workload.changes(factor));
      long rows = measurement.run(workload.chunk());
      System.out.printf(
          Locale.ROOT,
          "%s cpu_us=%.4f rows_per_s=%.0f state_bytes=%d rows=%d emitted=%d%n",
          LINE,
          measurement.cpuNanos / 1e3 / rows,
          rows * 1e9 / measurement.wallNanos,
          contestant.stateBytes(),
          rows,
          contestant.emitted());
    }
  }

  private long run(int chunk) throws Exception {
    for (int left = changes.before(); left > 0; left -= chunk) {
      prepare(Math.min(left, chunk));
      contestant.process();
    }
    contestant.finish();
    long rows = 0;
    while (changes.hasNext() && cpuNanos < MAX_CPU_NANOS) {
      rows += prepare(chunk);
      measure(contestant::process);
    }
    measure(contestant::finish);
    return rows;
  }

  private int prepare(int rows) {
    int prepared = 0;
    while (prepared < rows && changes.hasNext()) {
      contestant.prepare(changes.next());
      prepared++;
    }
    return prepared;
  }

  private void measure(Step step) throws Exception {
    long cpu = process.getProcessCpuTime();
    long wall = System.nanoTime();
    step.run();
    wallNanos += System.nanoTime() - wall;
    cpuNanos += process.getProcessCpuTime() - cpu;
  }

  private interface Step {
    void run() throws Exception;
  }
}
