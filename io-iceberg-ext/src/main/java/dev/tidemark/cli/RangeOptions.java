package dev.tidemark.cli;

import dev.tidemark.sensor.EventTimeRange;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.Signal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine.Option;

/** Which event time is asked about. */
final class RangeOptions {
  @Option(
      names = "--start",
      paramLabel = "TIME",
      description =
          "Start of the event time, inclusive: 2026-01-01T05:00Z, or with --zone 2026-01-01T05:00"
              + " or 2026-01-01.")
  private @Nullable String start;

  @Option(
      names = "--end",
      paramLabel = "TIME",
      description = "End of the event time, exclusive; written as --start.")
  private @Nullable String end;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Zone of times without an offset, such as Europe/Berlin or UTC.")
  private @Nullable String zone;

  @Option(
      names = "--partition",
      paramLabel = "NAME",
      description =
          "A partition by hour, day, month or year of the event-time column, instead of a start and"
              + " an end: 2026-01-01-05, or ts_hour=2026-01-01-05.")
  private @Nullable String partition;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "All that the table's facts cover before this time; written as --start.")
  private @Nullable String until;

  @Option(
      names = "--fail-on-late",
      description = "Exit with 5 if late data was seen in what is finalized.")
  private boolean failOnLate;

  @Option(
      names = "--signal",
      defaultValue = "tidemark",
      paramLabel = "SIGNAL",
      description =
          "What is asked: tidemark, or what another writer says: kafka-connect, gobblin, or"
              + " marker:PATH with {yyyy}, {MM}, {dd}, {HH} in it. Default: ${DEFAULT-VALUE}.")
  private String signal;

  boolean failOnLate() {
    return failOnLate;
  }

  /**
   * What is asked.
   *
   * @throws IllegalArgumentException if it is no signal, or does not tell of late data
   */
  Signal signal() {
    ZoneId zoneId = Times.zone(zone);
    Signal parsed = Signal.parse(signal, zoneId == null ? ZoneOffset.UTC : zoneId);
    if (failOnLate && parsed != Signal.tidemark()) {
      throw new IllegalArgumentException(
          "Invalid --fail-on-late: signal %s does not tell of late data. Leave one out."
              .formatted(parsed.name()));
    }
    return parsed;
  }

  /**
   * The range.
   *
   * @throws IllegalArgumentException if it is not said, said twice, or invalid
   */
  EventTimeRange range(Finalization finalization) {
    boolean byBounds = start != null || end != null;
    int ways = (byBounds ? 1 : 0) + (partition == null ? 0 : 1) + (until == null ? 0 : 1);
    if (ways != 1 || (byBounds && (start == null || end == null))) {
      throw new IllegalArgumentException(
          "Invalid range: give either --start and --end, or --partition, or --until.");
    }
    ZoneId zoneId = Times.zone(zone);
    if (partition != null) {
      if (zone != null) {
        throw new IllegalArgumentException(
            "Invalid --zone: the zone of a partition is the table's. Leave it out.");
      }
      return finalization.partition(partition);
    }
    if (until != null) {
      return EventTimeRange.until(Times.end("--until", until, zoneId));
    }
    return EventTimeRange.of(
        Times.start("--start", String.valueOf(start), zoneId),
        Times.end("--end", String.valueOf(end), zoneId));
  }
}
