package dev.tidemark.once;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.joda.time.Duration;

/**
 * How long to wait before a key whose effect failed for now is tried again: a second after the
 * first failure, twice as long after each further one, at most a minute. Thread-safe.
 *
 * @param <K> key
 */
public final class RetryDelays<K> {
  private static final Duration FIRST = Duration.standardSeconds(1);
  private static final Duration LONGEST = Duration.standardMinutes(1);
  private static final int MOST_DOUBLINGS = 6;

  private final Map<K, Integer> failures = new ConcurrentHashMap<>();

  /** Counts a failure of the key and returns the delay until its next try. */
  public Duration failed(K key) {
    int times = failures.merge(key, 1, Integer::sum);
    long millis = FIRST.getMillis() << Math.min(times - 1, MOST_DOUBLINGS);
    return Duration.millis(Math.min(LONGEST.getMillis(), millis));
  }

  /** Forgets the failures of the key. */
  public void succeeded(K key) {
    failures.remove(key);
  }
}
