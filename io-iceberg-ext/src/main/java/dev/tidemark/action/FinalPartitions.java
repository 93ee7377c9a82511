package dev.tidemark.action;

import com.google.common.collect.ImmutableList;
import java.io.Serializable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Hours in UTC or days in a zone, and their names: {@code 2026-01-01-05}, {@code 2026-01-01}. */
final class FinalPartitions implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Looked at when no trace of earlier ones is found: some six weeks of hours. */
  static final int MOST = 1_000;

  private static final String HOURS = "uuuu-MM-dd-HH";
  private static final String DAYS = "uuuu-MM-dd";

  /** One of them. */
  record Partition(String name, Instant start, Instant end) {}

  private final ChronoUnit unit;
  private final ZoneId zone;

  private FinalPartitions(ChronoUnit unit, ZoneId zone) {
    this.unit = unit;
    this.zone = zone;
  }

  /** Hours in UTC: in a zone with summer time two hours a year have one name. */
  static FinalPartitions hours() {
    return new FinalPartitions(ChronoUnit.HOURS, ZoneOffset.UTC);
  }

  static FinalPartitions days(ZoneId zone) {
    return new FinalPartitions(ChronoUnit.DAYS, zone);
  }

  /**
   * The newest {@link #MOST} that lie between two instants as a whole, newest first; none where it
   * is not known since when.
   */
  ImmutableList<Partition> within(@Nullable Instant since, Instant until) {
    ImmutableList.Builder<Partition> partitions = ImmutableList.builder();
    Partition next = containing(until);
    for (int i = 0; since != null && i < MOST; i++) {
      next = before(next);
      if (next.start().isBefore(since)) {
        break;
      }
      partitions.add(next);
    }
    return partitions.build();
  }

  /** The one that an instant lies in. */
  Partition containing(Instant instant) {
    ZonedDateTime local = instant.atZone(zone);
    return partition(
        unit == ChronoUnit.HOURS
            ? local.truncatedTo(ChronoUnit.HOURS)
            : local.toLocalDate().atStartOfDay(zone));
  }

  Partition after(Partition partition) {
    return containing(partition.end());
  }

  private Partition before(Partition partition) {
    return containing(partition.start().minusMillis(1));
  }

  /** The one of a name; null if it is no such name. */
  @Nullable Partition named(String name) {
    try {
      return unit == ChronoUnit.HOURS
          ? containing(ZonedDateTime.parse(name, format().withZone(ZoneOffset.UTC)).toInstant())
          : partition(LocalDate.parse(name, format()).atStartOfDay(zone));
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private Partition partition(ZonedDateTime start) {
    return new Partition(format().format(start), start.toInstant(), end(start).toInstant());
  }

  private ZonedDateTime end(ZonedDateTime start) {
    return unit == ChronoUnit.HOURS
        ? start.plusHours(1)
        : start.toLocalDate().plusDays(1).atStartOfDay(zone);
  }

  private DateTimeFormatter format() {
    return DateTimeFormatter.ofPattern(unit == ChronoUnit.HOURS ? HOURS : DAYS, Locale.ROOT);
  }

  @Override
  public String toString() {
    return unit == ChronoUnit.HOURS ? "hourly" : "daily in " + zone;
  }
}
