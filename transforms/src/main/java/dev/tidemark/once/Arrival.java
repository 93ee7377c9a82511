package dev.tidemark.once;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/** An element, or a heartbeat, on its way into {@link PerformFn}. Exactly one is set. */
@AutoValue
abstract class Arrival<T> {
  abstract @Nullable T element();

  abstract @Nullable Heartbeat heartbeat();

  static <T> Arrival<T> element(T element) {
    return new AutoValue_Arrival<>(element, null);
  }

  static <T> Arrival<T> heartbeat(Heartbeat heartbeat) {
    return new AutoValue_Arrival<>(null, heartbeat);
  }
}
