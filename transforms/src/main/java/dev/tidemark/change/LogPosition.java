package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import java.util.Comparator;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Where in the source's log a change stands; the natural order is the order in which changes of one
 * key happened.
 *
 * <p>Positions compare by LSN, then by {@link Step}, then by the order within the transaction. The
 * step matters where one LSN stands for more than one event of a key: a snapshot read carries the
 * LSN at which streaming begins, so it goes before what the log says of that LSN, and of the two
 * halves of one update the removal goes before the addition.
 *
 * <p>Timestamps are no substitute: a snapshot read is stamped with the time of the snapshot, which
 * is later than that of the changes streamed after it, and clocks step back.
 *
 * <p>Positions of one source compare; those of different servers, or from before and after a
 * fail-over to a server with another log, do not.
 */
@AutoValue
public abstract class LogPosition implements Comparable<LogPosition>, Serializable {
  /** What an event at one LSN does, in the order in which it applies. */
  public enum Step {
    /** A row of the initial snapshot: what was there before anything the log says. */
    SNAPSHOT_READ(0),
    /** The delete of a row, or the half of an update that takes the old row back. */
    REMOVE(1),
    /** An insert, or the half of an update that adds the new row. */
    ADD(2),
    /** A row of an incremental snapshot: read after the event at whose LSN it is reported. */
    SNAPSHOT_REREAD(3);

    private final int number;

    Step(int number) {
      this.number = number;
    }

    /** The stored form, from 0 to 3 in the order of the steps. */
    public int number() {
      return number;
    }
  }

  private static final Step[] STEPS = Step.values();
  private static final long MAX_PACKED_LSN = Long.MAX_VALUE >>> 2;
  private static final Comparator<LogPosition> ORDER =
      Comparator.<LogPosition, Long>comparing(LogPosition::lsn, Long::compareUnsigned)
          .thenComparingInt(position -> position.step().number())
          .thenComparingLong(LogPosition::order);

  /** The log sequence number of the change itself (not of its commit), unsigned. */
  public abstract long lsn();

  /** What the event does at this LSN. */
  public abstract Step step();

  /**
   * The event's number within its transaction, from 1; 0 if the connector does not provide
   * transaction metadata.
   */
  public abstract long order();

  /** A position; see the accessors. */
  public static LogPosition of(long lsn, Step step, long order) {
    checkArgument(order >= 0, "Invalid order within the transaction: %s (must be >= 0)", order);
    return new AutoValue_LogPosition(lsn, step, order);
  }

  /**
   * LSN and step in one number ({@code lsn * 4 + step}), for systems that order by a single column.
   * Two changes of one key never share it; a multi-row insert may give the same number to rows of
   * different keys.
   *
   * @throws ArithmeticException if the LSN is 2<sup>61</sup> or above (two exabytes of log)
   */
  public final long packed() {
    if (lsn() < 0 || lsn() > MAX_PACKED_LSN) {
      throw new ArithmeticException(
          String.format("Cannot pack log position %s: the LSN must be below 2^61", this));
    }
    return lsn() << 2 | step().number();
  }

  @Override
  public final int compareTo(LogPosition other) {
    return ORDER.compare(this, other);
  }

  /** As PostgreSQL writes it, with step and order: {@code 0/1DD7C28 ADD 2}. */
  @Override
  public final String toString() {
    return String.format("%s %s %d", lsnToString(lsn()), step(), order());
  }

  static String lsnToString(long lsn) {
    return String.format("%X/%X", lsn >>> 32, lsn & 0xFFFF_FFFFL);
  }

  /** The step with this stored form; null if no step has it. */
  public static @Nullable Step stepOf(int number) {
    for (Step step : STEPS) {
      if (step.number == number) {
        return step;
      }
    }
    return null;
  }
}
