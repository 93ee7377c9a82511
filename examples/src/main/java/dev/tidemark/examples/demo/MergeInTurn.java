package dev.tidemark.examples.demo;

import dev.tidemark.examples.cdc.SourceTable;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Merges into the base tables every few seconds while the pipeline writes the change tables. */
final class MergeInTurn {
  private static final int SECONDS = 4;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final BaseTables base;
  private final List<SourceTable> tables;
  private final ScheduledFuture<?> merging;

  private MergeInTurn(BaseTables base, List<SourceTable> tables) {
    this.base = base;
    this.tables = tables;
    this.merging = timer.scheduleWithFixedDelay(this::merge, SECONDS, SECONDS, TimeUnit.SECONDS);
  }

  static MergeInTurn start(BaseTables base, List<SourceTable> tables) {
    return new MergeInTurn(base, tables);
  }

  private void merge() {
    tables.forEach(base::merge);
  }

  /** Merges for the last time; fails if it has failed before. */
  void finish() throws InterruptedException, ExecutionException {
    timer.shutdown();
    timer.awaitTermination(1, TimeUnit.MINUTES);
    if (merging.isDone() && !merging.isCancelled()) {
      merging.get();
    }
    merge();
  }
}
