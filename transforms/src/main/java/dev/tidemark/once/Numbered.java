package dev.tidemark.once;

import com.google.auto.value.AutoValue;

/** An element and its sequence number within its key: 1 for the first, without gaps. */
@AutoValue
public abstract class Numbered<T> {
  Numbered() {}

  /** The number of the element within its key; the same on every attempt to perform it. */
  public abstract long sequence();

  /** The element. */
  public abstract T element();

  static <T> Numbered<T> of(long sequence, T element) {
    return new AutoValue_Numbered<>(sequence, element);
  }
}
