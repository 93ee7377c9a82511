package dev.tidemark.eventtime;

import com.google.common.collect.ImmutableMap;
import java.util.Random;
import java.util.function.BiFunction;

/** Event times as pipelines see them, in order of arrival; everything follows from the seed. */
final class EventTimes {
  static final long NOW = 1_764_500_000_000L;
  static final long HOUR = EventTimeSketch.HOUR_MILLIS;

  private static final long WEEK = 168 * HOUR;

  private EventTimes() {}

  /** Streams whose event times follow the clock. */
  static final ImmutableMap<String, BiFunction<Integer, Long, long[]>> LIVE =
      ImmutableMap.of(
          "lag, 5 minutes", (n, seed) -> lag(n, seed, HOUR / 12),
          "lag, 2 hours", (n, seed) -> lag(n, seed, 2 * HOUR),
          "lag, 24 hours", (n, seed) -> lag(n, seed, 24 * HOUR),
          "ascending", (n, seed) -> ascending(n, 24 * HOUR));

  static final ImmutableMap<String, BiFunction<Integer, Long, long[]>> SMOOTH =
      ImmutableMap.<String, BiFunction<Integer, Long, long[]>>builder()
          .putAll(LIVE)
          .put("backfill", EventTimes::backfill)
          .put("alternating", EventTimes::alternating)
          .put("dense week", (n, seed) -> uniform(n, seed, WEEK))
          .put("thirty days", (n, seed) -> uniform(n, seed, 30 * 24 * HOUR))
          .buildOrThrow();

  static final ImmutableMap<String, BiFunction<Integer, Long, long[]>> ALL =
      ImmutableMap.<String, BiFunction<Integer, Long, long[]>>builder()
          .putAll(SMOOTH)
          .put("whole seconds", EventTimes::wholeSeconds)
          .put("constant", (n, seed) -> lag(n, seed, 1, 0))
          .put("three years", (n, seed) -> uniform(n, seed, 3 * 365 * 24 * HOUR))
          .put("around the epoch", (n, seed) -> shifted(uniform(n, seed, 40 * HOUR), -NOW))
          .buildOrThrow();

  /** 98 % arrive seconds late, the rest has a Pareto tail of minutes to weeks. */
  static long[] lag(int n, long seed, long spanMillis) {
    return lag(n, seed, spanMillis, 1);
  }

  private static long[] lag(int n, long seed, long spanMillis, int scale) {
    Random random = new Random(seed);
    long[] times = new long[n];
    for (int i = 0; i < n; i++) {
      double lagMillis =
          random.nextInt(100) < 98
              ? -2_000 * Math.log(1 - random.nextDouble())
              : 60_000 * (Math.pow(1 - random.nextDouble(), -1 / 1.2) - 1);
      long arrival = NOW + (long) ((double) spanMillis * i / n);
      times[i] = arrival - scale * (long) Math.min(lagMillis, 30.0 * 24 * HOUR);
    }
    return times;
  }

  static long[] ascending(int n, long spanMillis) {
    long[] times = new long[n];
    for (int i = 0; i < n; i++) {
      times[i] = NOW + (long) ((double) spanMillis * i / n);
    }
    return times;
  }

  /** Sixty per cent from ten hours of last week, then live. */
  static long[] backfill(int n, long seed) {
    int old = n / 10 * 6;
    long[] live = lag(n - old, seed, 2 * HOUR);
    long[] times = new long[n];
    for (int i = 0; i < n; i++) {
      times[i] = i < old ? NOW - WEEK + (long) (10.0 * HOUR * i / old) : live[i - old];
    }
    return times;
  }

  /** Every other record replays the week before. */
  static long[] alternating(int n, long seed) {
    long[] times = lag(n, seed, 2 * HOUR);
    for (int i = 1; i < n; i += 2) {
      times[i] = NOW - WEEK + (long) ((double) WEEK * i / n);
    }
    return times;
  }

  static long[] uniform(int n, long seed, long spanMillis) {
    Random random = new Random(seed);
    return random.longs(n, NOW - spanMillis, NOW).toArray();
  }

  static long[] wholeSeconds(int n, long seed) {
    Random random = new Random(seed);
    long[] times = new long[n];
    for (int i = 0; i < n; i++) {
      times[i] = NOW + 1000L * random.nextInt(10);
    }
    return times;
  }

  private static long[] shifted(long[] times, long by) {
    for (int i = 0; i < times.length; i++) {
      times[i] += by;
    }
    return times;
  }
}
