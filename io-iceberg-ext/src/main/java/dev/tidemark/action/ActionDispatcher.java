package dev.tidemark.action;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.iceberg.Table;

/**
 * Tells listeners beside the thread that commits. One thread and one bounded queue per listener, so
 * that a slow one holds up nobody but itself.
 */
public final class ActionDispatcher implements AutoCloseable {
  /** What is told to a listener, one thing at a time. */
  @FunctionalInterface
  public interface Told<T> {
    /**
     * Tells it; what it throws is tried again, unless it is a {@link PermanentFailureException}.
     */
    void tell(T what) throws Exception;
  }

  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private record TableNotice(AdvanceNotice notice, Supplier<Table> table) {
    TableNotice inPlaceOf(TableNotice older) {
      return new TableNotice(notice.inPlaceOf(older.notice()), table);
    }
  }

  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong undelivered = new AtomicLong();
  private final ImmutableList<Lane<TableNotice>> notices;
  private final List<Lane<?>> lanes = new ArrayList<>();

  /** Starts no thread before there is something to tell. */
  public ActionDispatcher(Collection<AdvanceListener> listeners) {
    this(listeners, RetryDelays.STANDARD);
  }

  ActionDispatcher(Collection<AdvanceListener> listeners, RetryDelays delays) {
    notices =
        listeners.stream()
            .map(
                listener ->
                    new Lane<TableNotice>(
                        listener.toString(),
                        told -> listener.advanced(told.notice(), told.table()),
                        (older, newer) -> newer.inPlaceOf(older),
                        delays,
                        failures,
                        undelivered))
            .collect(ImmutableList.toImmutableList());
    lanes.addAll(notices);
  }

  /** A queue of another kind of things to tell, whose failures are counted here too. */
  public <T> Lane<T> lane(String name, Told<T> told) {
    Lane<T> lane =
        new Lane<>(
            name, told, (older, newer) -> newer, RetryDelays.STANDARD, failures, undelivered);
    lanes.add(lane);
    return lane;
  }

  /** Tells all listeners where a table's watermark is; returns at once. */
  public void offer(AdvanceNotice notice, Supplier<Table> table) {
    for (Lane<TableNotice> lane : notices) {
      lane.offer(notice.table(), new TableNotice(notice, table));
    }
  }

  /** How many attempts failed since this was asked last. */
  public long takeFailures() {
    return failures.getAndSet(0);
  }

  /** How many deliveries were given up since this was asked last. */
  public long takeUndelivered() {
    return undelivered.getAndSet(0);
  }

  /** Waits a few seconds for what is being told or was not tried yet, and ends the threads. */
  @Override
  public void close() {
    long deadlineNanos = System.nanoTime() + CLOSE_NANOS;
    lanes.forEach(lane -> lane.close(deadlineNanos));
  }
}
