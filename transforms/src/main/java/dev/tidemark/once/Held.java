package dev.tidemark.once;

import com.google.auto.value.AutoValue;

/** An arrival in keyed state until it is performed. */
@AutoValue
abstract class Held<T> {
  /** Drawn by the instance of the function that added the entry. */
  abstract long nonce();

  /** Ascending over all entries that this instance added, whatever their key. */
  abstract long order();

  /** The element's number within its key; 0 for a heartbeat. */
  abstract long sequence();

  /**
   * The lowest sequence of the key that was still held when this entry was added (its own, or the
   * next one, if there was none). A checkpoint that holds this entry holds none below.
   */
  abstract long floor();

  abstract Arrival<T> arrival();

  static <T> Held<T> of(long nonce, long order, long sequence, long floor, Arrival<T> arrival) {
    return new AutoValue_Held<>(nonce, order, sequence, floor, arrival);
  }
}
