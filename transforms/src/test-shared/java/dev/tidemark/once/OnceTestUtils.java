package dev.tidemark.once;

import java.util.ArrayList;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** Makes what an {@link Effect} is handed, and reads what it answers, for tests of effects. */
public final class OnceTestUtils {
  private OnceTestUtils() {}

  /** A batch of elements numbered from {@code first} on; all that comes before is done for good. */
  public static <T> Batch<T> batch(long first, List<T> elements) {
    return batch(first, elements, null);
  }

  /** A batch with a heartbeat behind its elements. */
  public static <T> Batch<T> batch(long first, List<T> elements, @Nullable Heartbeat heartbeat) {
    List<Numbered<T>> numbered = new ArrayList<>();
    for (T element : elements) {
      numbered.add(Numbered.of(first + numbered.size(), element));
    }
    return Batch.of(numbered, first, heartbeat, false);
  }

  /** What is reported downstream. */
  public static <R> List<R> reports(Outcome<R> outcome) {
    return outcome.reports();
  }

  /** When the batch is to be tried again; null if it is done. */
  public static @Nullable Duration retryAfter(Outcome<?> outcome) {
    return outcome.retryAfter();
  }
}
