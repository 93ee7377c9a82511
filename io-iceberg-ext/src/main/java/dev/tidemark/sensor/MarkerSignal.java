package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Marker files: a range is complete if every hour (or day, month, year) of it has one. */
final class MarkerSignal extends Signal {
  static final String NAME = "marker";
  private static final ImmutableList<String> PARTS = ImmutableList.of("yyyy", "MM", "dd", "HH");

  /** More are a mistake rather than a question. */
  private static final int MAX_MARKERS = 10_000;

  private final String template;
  private final ZoneId zone;
  private final int parts;

  MarkerSignal(String template, ZoneId zone) {
    this.template = template;
    this.zone = zone;
    int named = 0;
    while (named < PARTS.size() && template.contains("{" + PARTS.get(named) + "}")) {
      named++;
    }
    for (int i = named; i < PARTS.size(); i++) {
      if (template.contains("{" + PARTS.get(i) + "}")) {
        named = 0;
      }
    }
    if (named == 0) {
      throw new IllegalArgumentException(
          "Invalid marker path: %s (must have {yyyy}, and {MM}, {dd}, {HH} as far as markers go)"
              .formatted(template));
    }
    this.parts = named;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String caveat() {
    return "a marker says that somebody once took the stretch for complete; what was written or"
        + " removed since does not change it, and it names no snapshot";
  }

  @Override
  @Nullable Instant until(TableSource.Version version, String branch) {
    // A marker is about its own stretch; there is no bound that all of them make.
    return null;
  }

  @Override
  FinalizationStatus judge(
      String table, TableSource.Version version, String branch, EventTimeRange range) {
    Instant start = range.start();
    if (start == null) {
      throw new IllegalArgumentException(
          "Invalid range: %s has no start, which marker files need. Give start and end."
              .formatted(range));
    }
    LocalDateTime stretch = floor(LocalDateTime.ofInstant(start, zone));
    int markers = 0;
    while (LocalTimes.start(stretch, zone).isBefore(range.end())) {
      LocalDateTime next = stretch.plus(1, unit());
      // Where the clocks are set forward there is an hour without an instant, and without a marker.
      if (LocalTimes.start(stretch, zone).isBefore(LocalTimes.end(next, zone))) {
        if (++markers > MAX_MARKERS) {
          throw new IllegalArgumentException(
              "Invalid range: %s has more than %d markers. Ask about less, or by longer stretches."
                  .formatted(range, MAX_MARKERS));
        }
        String path = path(version.metadata().location(), stretch);
        if (!version.io().newInputFile(path).exists()) {
          return status(table, version, branch, range, false, "There is no marker " + path).build();
        }
      }
      stretch = next;
    }
    return status(
            table,
            version,
            branch,
            range,
            true,
            markers == 1
                ? "Its marker is there"
                : "All of its %d markers are there".formatted(markers))
        .build();
  }

  private String path(String location, LocalDateTime stretch) {
    String path = template;
    for (String part : PARTS) {
      path =
          path.replace(
              "{" + part + "}", DateTimeFormatter.ofPattern(part, Locale.ROOT).format(stretch));
    }
    boolean absolute = path.startsWith("/") || path.matches("[A-Za-z][A-Za-z0-9+.-]*:.*");
    return absolute ? path : location + "/" + path;
  }

  private LocalDateTime floor(LocalDateTime time) {
    return LocalDateTime.of(
        time.getYear(),
        parts > 1 ? time.getMonthValue() : 1,
        parts > 2 ? time.getDayOfMonth() : 1,
        parts > 3 ? time.getHour() : 0,
        0);
  }

  private ChronoUnit unit() {
    return switch (parts) {
      case 1 -> ChronoUnit.YEARS;
      case 2 -> ChronoUnit.MONTHS;
      case 3 -> ChronoUnit.DAYS;
      default -> ChronoUnit.HOURS;
    };
  }
}
