package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Splits batches by a time and sorts what is before it. Changes with equal sort keys stay in the
 * order of arrival.
 */
final class WaitingChanges {
  /** Bounds the batches that come out, as those that come in are bounded. */
  static final int MAX_BATCH_ROWS = 4_096;

  static final int MAX_BATCH_BYTES = 1 << 20;

  private final List<Due> due = new ArrayList<>();
  private final List<Arrived> kept = new ArrayList<>();

  /** A batch and its number in the order of arrival. */
  record Arrived(long arrival, KeyedChanges changes) {}

  /** A change whose time has come. */
  private record Due(Arrived batch, int index) {}

  private WaitingChanges() {}

  /** Splits batches: what is before {@code dueMillis} is due, the rest is kept. */
  static WaitingChanges split(ChangeOrder order, Iterable<Arrived> batches, long dueMillis) {
    WaitingChanges waiting = new WaitingChanges();
    for (Arrived batch : batches) {
      waiting.add(batch, dueMillis);
    }
    Comparator<Due> bySequence = (a, b) -> compare(order, a, b);
    waiting.due.sort(
        bySequence
            .thenComparingLong(change -> change.batch().arrival())
            .thenComparingInt(Due::index));
    return waiting;
  }

  private static int compare(ChangeOrder order, Due a, Due b) {
    return ChangeContext.compare(
        order, a.batch().changes(), a.index(), b.batch().changes(), b.index());
  }

  private void add(Arrived batch, long dueMillis) {
    KeyedChanges changes = batch.changes();
    KeyedChanges.Builder later = KeyedChanges.builder();
    for (int i = 0; i < changes.size(); i++) {
      if (ChangeContext.timestampMillis(changes, i) < dueMillis) {
        due.add(new Due(batch, i));
      } else {
        later.add(changes, i);
      }
    }
    if (later.size() == changes.size()) {
      kept.add(batch);
    } else if (later.size() > 0) {
      kept.add(new Arrived(batch.arrival(), later.build()));
    }
  }

  int dueSize() {
    return due.size();
  }

  /** What is due, sorted, in batches of bounded size. */
  List<KeyedChanges> dueBatches() {
    List<KeyedChanges> batches = new ArrayList<>();
    KeyedChanges.Builder batch = KeyedChanges.builder();
    for (Due change : due) {
      batch.add(change.batch().changes(), change.index());
      if (batch.size() >= MAX_BATCH_ROWS || batch.bytes() >= MAX_BATCH_BYTES) {
        batches.add(batch.build());
      }
    }
    if (batch.size() > 0) {
      batches.add(batch.build());
    }
    return batches;
  }

  /** What is kept. */
  List<Arrived> kept() {
    return kept;
  }

  static long oldestMillis(KeyedChanges changes) {
    long oldest = Long.MAX_VALUE;
    for (int i = 0; i < changes.size(); i++) {
      oldest = Math.min(oldest, ChangeContext.timestampMillis(changes, i));
    }
    return oldest;
  }

  static long newestMillis(KeyedChanges changes) {
    long newest = Long.MIN_VALUE;
    for (int i = 0; i < changes.size(); i++) {
      newest = Math.max(newest, ChangeContext.timestampMillis(changes, i));
    }
    return newest;
  }
}
