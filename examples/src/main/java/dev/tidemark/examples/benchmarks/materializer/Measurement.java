package dev.tidemark.examples.benchmarks.materializer;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Measures a contestant on a workload: first as a warm-up, then all of it anew once the compiler
 * has caught up.
 *
 * <p>What counts is the CPU time of the process, with its compiler, its garbage collector and the
 * background threads of RocksDB, while rows are processed. Rows are prepared a chunk at a time, in
 * between. It ends early after half a minute of CPU time, the warm-up after five seconds.
 */
public final class Measurement {
  /** What the line with the figures begins with. */
  public static final String LINE = "measured";

  private static final long MAX_WARM_UP_NANOS = 5_000_000_000L;
  private static final long MAX_CPU_NANOS = 30_000_000_000L;

  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final Contestant contestant;
  private final Workload.Changes changes;
  private final long maxCpuNanos;
  private long cpuNanos;
  private long wallNanos;

  private Measurement(Contestant contestant, Workload.Changes changes, long maxCpuNanos) {
    this.contestant = contestant;
    this.changes = changes;
    this.maxCpuNanos = maxCpuNanos;
  }

  /** Opens a contestant with nothing in its state. */
  public interface Opener {
    Contestant open() throws Exception;
  }

  /** Measures, and prints one line of names and values. */
  public static void run(Workload workload, double factor, Opener opener) throws Exception {
    try (Contestant contestant = opener.open()) {
      Measurement warmUp = new Measurement(contestant, workload.changes(factor), MAX_WARM_UP_NANOS);
      warmUp.fill(workload.chunk());
      warmUp.work(workload.chunk());
    }
    try (Contestant contestant = opener.open()) {
      Measurement measurement =
          new Measurement(contestant, workload.changes(factor), MAX_CPU_NANOS);
      measurement.fill(workload.chunk());
      CompilerRest.await();
      long rows = measurement.work(workload.chunk());
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

  private void fill(int chunk) throws Exception {
    for (int left = changes.before(); left > 0; left -= chunk) {
      prepare(Math.min(left, chunk));
      contestant.process();
    }
    contestant.finish();
  }

  private long work(int chunk) throws Exception {
    long rows = 0;
    while (changes.hasNext() && cpuNanos < maxCpuNanos) {
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
