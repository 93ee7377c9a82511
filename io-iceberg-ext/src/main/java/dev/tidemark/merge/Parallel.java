package dev.tidemark.merge;

import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.iceberg.util.Tasks;

/** Does the same to many things at once, and stops at the first failure. */
final class Parallel {
  private Parallel() {}

  static <T> void forEach(Collection<T> things, int threads, Consumer<T> action) {
    if (threads == 1 || things.size() <= 1) {
      things.forEach(action);
      return;
    }
    ExecutorService pool =
        Executors.newFixedThreadPool(
            Math.min(threads, things.size()),
            task -> {
              Thread thread = new Thread(task, "tidemark-merge");
              thread.setDaemon(true);
              return thread;
            });
    try {
      Tasks.foreach(things)
          .executeWith(pool)
          .stopOnFailure()
          .throwFailureWhenFinished()
          .run(action::accept);
    } finally {
      pool.shutdownNow();
    }
  }
}
