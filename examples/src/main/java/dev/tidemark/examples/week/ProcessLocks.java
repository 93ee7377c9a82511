package dev.tidemark.examples.week;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.LockManager;

/**
 * The locks of a Hadoop catalog whose writers are all in this process, handed over at once.
 * Iceberg's own locks of a process look again after five seconds.
 */
public final class ProcessLocks implements LockManager {
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Map<String, String> OWNERS = new HashMap<>();

  @Override
  public void initialize(Map<String, String> properties) {}

  @Override
  public boolean acquire(String entity, String owner) {
    long end = System.nanoTime() + MOST_NANOS;
    synchronized (OWNERS) {
      while (OWNERS.containsKey(entity)) {
        long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (millis <= 0) {
          return false;
        }
        try {
          OWNERS.wait(millis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      OWNERS.put(entity, owner);
      return true;
    }
  }

  @Override
  public boolean release(String entity, String owner) {
    synchronized (OWNERS) {
      boolean released = OWNERS.remove(entity, owner);
      OWNERS.notifyAll();
      return released;
    }
  }

  @Override
  public void close() {}
}
