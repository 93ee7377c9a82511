package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;

import com.google.common.collect.TreeMultiset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongUnaryOperator;

/**
 * Makes records at a steady rate and delivers each after a delay; may be paused, or have nothing to
 * say.
 */
final class SimulatedSource {

  private record Delivery(long atMillis, long eventTimeMillis) {}

  final String name;
  boolean paused;
  boolean silent;

  private final int perMinute;
  private final LongUnaryOperator delayMillis;
  private final Random random;
  private final PriorityQueue<Delivery> underway =
      new PriorityQueue<>(Comparator.comparingLong(Delivery::atMillis));
  private final TreeMultiset<Long> undelivered = TreeMultiset.create();
  private long madeUntilMillis;

  private SimulatedSource(
      String name, int perMinute, long fromMillis, LongUnaryOperator delayMillis, Random random) {
    this.name = name;
    this.perMinute = perMinute;
    this.madeUntilMillis = fromMillis;
    this.delayMillis = delayMillis;
    this.random = random;
  }

  /** Each record comes by at most {@code maxDelayMillis} late, in any order. */
  static SimulatedSource bounded(
      String name, int perMinute, long fromMillis, long maxDelayMillis, Random random) {
    return new SimulatedSource(
        name,
        perMinute,
        fromMillis,
        eventTime -> maxDelayMillis == 0 ? 0 : (long) (random.nextDouble() * maxDelayMillis),
        random);
  }

  /**
   * Bounded, but for one record in {@code oneIn}, which comes up to {@code stragglingMillis} late.
   */
  static SimulatedSource straggling(
      String name,
      int perMinute,
      long fromMillis,
      long maxDelayMillis,
      int oneIn,
      long stragglingMillis,
      Random random) {
    return new SimulatedSource(
        name,
        perMinute,
        fromMillis,
        eventTime ->
            (long)
                (random.nextDouble()
                    * (random.nextInt(oneIn) == 0 ? stragglingMillis : maxDelayMillis)),
        random);
  }

  /**
   * In order, {@code lagMillis} behind at first, and falling back (or catching up) by {@code
   * slope}.
   */
  static SimulatedSource inOrder(
      String name, int perMinute, long startMillis, long lagMillis, double slope, Random random) {
    return new SimulatedSource(
        name,
        perMinute,
        startMillis - lagMillis,
        eventTime ->
            Math.max(0, lagMillis + (long) (slope * (eventTime - (startMillis - lagMillis)))),
        random);
  }

  /** What arrives until {@code nowMillis}. */
  List<SimulatedTable.Row> deliver(long nowMillis) {
    make(nowMillis);
    List<SimulatedTable.Row> rows = new ArrayList<>();
    while (!paused && !underway.isEmpty() && underway.peek().atMillis() <= nowMillis) {
      Delivery delivery = underway.remove();
      undelivered.remove(delivery.eventTimeMillis());
      rows.add(new SimulatedTable.Row(name, delivery.eventTimeMillis()));
    }
    return rows;
  }

  /** No record before this is still to come. */
  long watermark() {
    return undelivered.isEmpty()
        ? madeUntilMillis
        : Math.min(madeUntilMillis, undelivered.firstEntry().getElement());
  }

  private void make(long nowMillis) {
    for (; madeUntilMillis < nowMillis; madeUntilMillis += MINUTE) {
      for (int i = 0; i < perMinute && !silent; i++) {
        long eventTime = madeUntilMillis + random.nextInt((int) MINUTE);
        underway.add(new Delivery(eventTime + delayMillis.applyAsLong(eventTime), eventTime));
        undelivered.add(eventTime);
      }
    }
  }
}
