package dev.tidemark.once;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A call of an effect that was started, and the entries it is about. */
final class Call<T, R> {
  /** Identity of an entry in state. */
  record EntryId(long nonce, long order) {
    static EntryId of(Held<?> held) {
      return new EntryId(held.nonce(), held.order());
    }
  }

  /** An outcome and how long it took. */
  record Result<R>(Outcome<R> outcome, long millis) {}

  private final Batch<T> batch;
  private final Set<EntryId> entries;
  private final CompletableFuture<Result<R>> result;

  Call(Batch<T> batch, Set<EntryId> entries, CompletableFuture<Result<R>> result) {
    this.batch = batch;
    this.entries = entries;
    this.result = result;
  }

  boolean isDone() {
    return result.isDone();
  }

  Batch<T> batch() {
    return batch;
  }

  Set<EntryId> entries() {
    return entries;
  }

  /** Waits for the result; throws what the effect threw. */
  Result<R> join() throws Exception {
    try {
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception) {
        throw (Exception) e.getCause();
      }
      throw e;
    }
  }
}
