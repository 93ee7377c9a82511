package dev.tidemark.sensor;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;

/** The bounds of local times on the time line. */
final class LocalTimes {
  private LocalTimes() {}

  /** The first instant at which the zone's clocks show this time or a later one. */
  static Instant start(LocalDateTime local, ZoneId zone) {
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    if (change != null && change.isGap()) {
      return change.getInstant();
    }
    return local.toInstant(change == null ? offset(local, zone) : change.getOffsetBefore());
  }

  /** The instant from which on the zone's clocks show no earlier time any more. */
  static Instant end(LocalDateTime local, ZoneId zone) {
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    if (change == null) {
      return local.toInstant(offset(local, zone));
    } else if (change.isGap()) {
      return change.getInstant();
    }
    // The time the clocks are set back to is reached from below only once.
    boolean first = local.equals(change.getDateTimeAfter());
    return local.toInstant(first ? change.getOffsetBefore() : change.getOffsetAfter());
  }

  /**
   * The bound of the instants that rows with earlier local times have. Rows with a time that the
   * zone skips are counted as if its clocks had not been set forward yet.
   */
  static Instant endOfRows(LocalDateTime local, ZoneId zone) {
    ZoneOffsetTransition before = zone.getRules().getTransition(local.minusNanos(1));
    return before != null && before.isGap()
        ? local.toInstant(before.getOffsetBefore())
        : end(local, zone);
  }

  private static ZoneOffset offset(LocalDateTime local, ZoneId zone) {
    return zone.getRules().getOffset(local);
  }
}
