package dev.tidemark.examples.benchmarks;

import dev.tidemark.eventtime.EventTimeSketch;
import java.util.Random;
import java.util.function.LongUnaryOperator;

/** Streams of 10^6 event times in order of arrival; each is the same in every process. */
enum SketchStream {
  LAG_5_MINUTES("lag, 5 min", true),
  LAG_2_HOURS("lag, 2 h", true),
  LAG_24_HOURS("lag, 24 h", true),
  ASCENDING("ascending", true),
  BACKFILL("backfill", true),
  ALTERNATING("alternating", false),
  DENSE_WEEK("dense week", false),
  WHOLE_SECONDS("whole seconds", true);

  private static final int RECORDS = 1_000_000;
  private static final long START = 1_764_500_000_000L;
  private static final long HOUR = EventTimeSketch.HOUR_MILLIS;
  private static final long WEEK = 168 * HOUR;

  private final String label;
  private final boolean live;

  SketchStream(String label, boolean live) {
    this.label = label;
    this.live = live;
  }

  String label() {
    return label;
  }

  /** Whether this is what commits of a live stream or of a short backfill hold. */
  boolean isLive() {
    return live;
  }

  /** Whether a value between two others is a fair answer; on a coarse grid it is not. */
  boolean interpolates() {
    return this != WHOLE_SECONDS;
  }

  long[] eventTimes() {
    Random random = new Random(label.hashCode());
    return switch (this) {
      case LAG_5_MINUTES -> fill(i -> at(i, HOUR / 12) - lagMillis(random));
      case LAG_2_HOURS -> fill(i -> at(i, 2 * HOUR) - lagMillis(random));
      case LAG_24_HOURS -> fill(i -> at(i, 24 * HOUR) - lagMillis(random));
      case ASCENDING -> fill(i -> at(i, 24 * HOUR));
      case BACKFILL ->
          fill(
              i ->
                  i < RECORDS * 6L / 10
                      ? at(i, 16 * HOUR) - WEEK
                      : at(i, 5 * HOUR) - lagMillis(random));
      case ALTERNATING ->
          fill(i -> i % 2 == 0 ? at(i, 2 * HOUR) - lagMillis(random) : at(i, WEEK) - WEEK);
      case DENSE_WEEK -> fill(i -> START - random.nextLong(WEEK));
      case WHOLE_SECONDS -> fill(i -> START + 1_000L * random.nextInt(10));
    };
  }

  private static long[] fill(LongUnaryOperator eventTime) {
    long[] times = new long[RECORDS];
    for (int i = 0; i < times.length; i++) {
      times[i] = eventTime.applyAsLong(i);
    }
    return times;
  }

  private static long at(long record, long spanMillis) {
    return START + (long) ((double) spanMillis * (double) record / RECORDS);
  }

  /** 98 % arrive seconds late, the rest has a Pareto tail of minutes to weeks. */
  private static long lagMillis(Random random) {
    boolean tail = random.nextInt(100) >= 98;
    double share = 1 - random.nextDouble();
    double lag = tail ? 60_000 * (Math.pow(share, -1 / 1.2) - 1) : -2_000 * Math.log(share);
    return (long) Math.min(lag, (double) (30 * 24 * HOUR));
  }
}
