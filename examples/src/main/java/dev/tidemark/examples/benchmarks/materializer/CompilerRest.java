package dev.tidemark.examples.benchmarks.materializer;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Tells when the just-in-time compiler has caught up with what ran so far. What it does is work of
 * a process that begins, not of a row; a pipeline brings much more of it along than a bare loop.
 */
public final class CompilerRest {
  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LITTLE_MILLIS = 10;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_MILLIS = 50;

  private final long beganNanos = System.nanoTime();
  private long windowNanos = beganNanos;
  private long compiledMillis = COMPILER.getTotalCompilationTime();

  /** Whether it compiled little in the half second before this moment; true after half a minute. */
  public boolean reached() {
    long now = System.nanoTime();
    if (now - windowNanos < WINDOW_NANOS) {
      return false;
    }
    long compiled = COMPILER.getTotalCompilationTime();
    boolean little = compiled - compiledMillis < LITTLE_MILLIS;
    windowNanos = now;
    compiledMillis = compiled;
    return little || now - beganNanos > PATIENCE_NANOS;
  }

  /** Waits for it. */
  static void await() throws InterruptedException {
    CompilerRest rest = new CompilerRest();
    while (!rest.reached()) {
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
