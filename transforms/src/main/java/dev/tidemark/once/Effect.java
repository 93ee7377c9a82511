package dev.tidemark.once;

import java.io.Serializable;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * An effect on another system, performed by {@link PerformOnce} for elements that a completed
 * checkpoint holds.
 *
 * <p>An implementation is idempotent on (key, sequence, content of the element): after a failure it
 * is called again with the same elements under the same sequences, possibly grouped otherwise, and
 * possibly while an earlier call of a cancelled task still runs elsewhere.
 *
 * @param <K> key, for example a table
 * @param <T> element
 * @param <R> what a call reports downstream
 */
public interface Effect<K, T, R> extends Serializable {

  /** Called once for each instance of the function, before the first call. */
  default void setup(PipelineOptions options) throws Exception {}

  /**
   * Performs the effect for a batch. Runs outside of the task's thread, one call at a time for each
   * key; calls of different keys run concurrently.
   *
   * @return {@link Outcome#done} if all elements of the batch are performed, {@link Outcome#later}
   *     if none or not all are, and the batch is to be tried again
   * @throws Exception to fail the pipeline's bundle; nothing is forgotten, the runner restores and
   *     the batch is tried again
   */
  Outcome<R> perform(K key, Batch<T> batch) throws Exception;

  /**
   * Called at the end of the input for a batch which {@link #perform} still wants to try later,
   * after it was tried often enough. What this returns is emitted, then the elements are forgotten.
   *
   * @throws Exception to fail the pipeline instead, which is the default
   */
  default List<R> abandon(K key, Batch<T> batch) throws Exception {
    throw new IllegalStateException(
        "Cannot finish the input of "
            + key
            + ": "
            + batch.elements().size()
            + " elements could not be performed. They are kept by the last completed checkpoint;"
            + " mend the target and restart from it.");
  }

  /** Called when the instance of the function ends. */
  default void teardown() throws Exception {}
}
