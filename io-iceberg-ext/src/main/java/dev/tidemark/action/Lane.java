package dev.tidemark.action;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BinaryOperator;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits for one listener, at most one thing per key, and the thread that tells it. A newer
 * thing takes the place of an older one of the same key.
 */
public final class Lane<T> {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  static final int MAX_WAITING = 10_000;

  private final class Delivery {
    final Object key;
    final T what;
    final long sinceNanos = System.nanoTime();
    int failedAttempts;
    boolean underWay;
    @Nullable Future<?> retry;

    Delivery(Object key, T what) {
      this.key = key;
      this.what = what;
    }
  }

  private final String name;
  private final ActionDispatcher.Told<T> told;
  private final BinaryOperator<T> replacement;
  private final RetryDelays delays;
  private final AtomicLong failures;
  private final AtomicLong undelivered;
  private final ScheduledThreadPoolExecutor thread;
  private final Map<Object, Delivery> waiting = new LinkedHashMap<>();
  private boolean closed;

  Lane(
      String name,
      ActionDispatcher.Told<T> told,
      BinaryOperator<T> replacement,
      RetryDelays delays,
      AtomicLong failures,
      AtomicLong undelivered) {
    this.name = name;
    this.told = told;
    this.replacement = replacement;
    this.delays = delays;
    this.failures = failures;
    this.undelivered = undelivered;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            new ThreadFactoryBuilder()
                .setNameFormat("tidemark-listener-%d")
                .setDaemon(true)
                .build());
    thread.setKeepAliveTime(1, TimeUnit.MINUTES);
    thread.allowCoreThreadTimeOut(true);
  }

  /** Tells it as soon as the listener has time; returns at once. */
  public synchronized void offer(Object key, T what) {
    if (closed) {
      undelivered.incrementAndGet();
      return;
    }
    Delivery older = waiting.get(key);
    if (older == null && waiting.size() >= MAX_WAITING) {
      undelivered.incrementAndGet();
      LOG.warn("Cannot tell {} of {}: {} others wait for it", name, key, waiting.size());
      return;
    }
    Delivery delivery =
        new Delivery(key, older == null ? what : replacement.apply(older.what, what));
    if (older != null && older.retry != null) {
      older.retry.cancel(false);
    }
    waiting.put(key, delivery);
    thread.execute(() -> attempt(delivery));
  }

  private void attempt(Delivery delivery) {
    synchronized (this) {
      if (closed || waiting.get(delivery.key) != delivery) {
        return;
      }
      delivery.underWay = true;
    }
    try {
      told.tell(delivery.what);
      remove(delivery);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | LinkageError e) {
      failed(delivery, e);
    }
  }

  private synchronized void remove(Delivery delivery) {
    waiting.remove(delivery.key, delivery);
    notifyAll();
  }

  private synchronized void failed(Delivery delivery, Throwable e) {
    failures.incrementAndGet();
    delivery.failedAttempts++;
    delivery.underWay = false;
    if (waiting.get(delivery.key) != delivery) {
      // Something newer is on its way.
      return;
    }
    if (e instanceof PermanentFailureException
        || delays.isOver(System.nanoTime() - delivery.sinceNanos)) {
      undelivered.incrementAndGet();
      remove(delivery);
      LOG.warn("Gave up telling {} of {}", name, delivery.key, e);
      return;
    }
    if (delivery.failedAttempts == 1) {
      LOG.warn("Cannot tell {} of {} yet; trying again", name, delivery.key, e);
    }
    notifyAll();
    if (!closed) {
      delivery.retry =
          thread.schedule(
              () -> attempt(delivery),
              delays.afterMillis(delivery.failedAttempts),
              TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Ends the thread, after some time for what is being told or was not tried yet. What is left is
   * counted; for watermarks the next process makes up for it.
   */
  void close(long deadlineNanos) {
    synchronized (this) {
      boolean interrupted = false;
      while (!interrupted && waiting.values().stream().anyMatch(Lane::deservesWaiting)) {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (millis <= 0) {
          break;
        }
        try {
          wait(millis);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      closed = true;
      undelivered.addAndGet(waiting.size());
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    thread.shutdownNow();
  }

  private static boolean deservesWaiting(Lane<?>.Delivery delivery) {
    return delivery.underWay || delivery.failedAttempts == 0;
  }
}
