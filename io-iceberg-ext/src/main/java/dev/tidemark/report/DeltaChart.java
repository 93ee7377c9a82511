package dev.tidemark.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Draws by how much later or earlier each hour would have been final. */
final class DeltaChart {
  private static final double WIDTH = 1080;
  private static final double HEIGHT = 220;
  private static final double LEFT = 84;
  private static final double RIGHT = WIDTH - 14;
  private static final double TOP = 12;
  private static final double BOTTOM = HEIGHT - 26;
  private static final int MOST_BARS = 500;

  private final List<SimulatedHour> hours;
  private final Words words;
  private final Markup svg;

  DeltaChart(List<SimulatedHour> hours, Words words, Markup svg) {
    this.hours = hours;
    this.words = words;
    this.svg = svg;
  }

  void draw() {
    double most = most(1);
    double least = most(-1);
    if (hours.isEmpty() || (most == 0 && least == 0)) {
      svg.element("p", "No hour is known to differ.");
      return;
    }
    double scale = (BOTTOM - TOP) / (most + least);
    double zero = TOP + most * scale;
    TimeAxis x =
        new TimeAxis(
            hours.get(0).start().toEpochMilli(),
            hours.get(hours.size() - 1).start().toEpochMilli() + Hours.MILLIS,
            LEFT,
            RIGHT);
    svg.open(
        "svg",
        "viewBox",
        "0 0 " + Markup.number(WIDTH) + " " + Markup.number(HEIGHT),
        "class",
        "chart",
        "role",
        "img",
        "aria-label",
        "Hours by how much later or earlier they would have been final");
    grid(x, zero, scale, most, least);
    for (List<SimulatedHour> group : groups()) {
      bar(group, x, zero, scale);
    }
    svg.close();
  }

  /** Where there are too many hours, neighbours share a bar of the largest difference. */
  private List<List<SimulatedHour>> groups() {
    int size = (hours.size() + MOST_BARS - 1) / MOST_BARS;
    List<List<SimulatedHour>> groups = new ArrayList<>();
    for (int i = 0; i < hours.size(); i += size) {
      groups.add(hours.subList(i, Math.min(hours.size(), i + size)));
    }
    return groups;
  }

  private void grid(TimeAxis x, double zero, double scale, double most, double least) {
    for (Instant tick : x.ticks(12, words.zone())) {
      double at = x.pixel(tick);
      path("grid", "M%s %s V%s".formatted(n(at), n(TOP), n(BOTTOM)));
      if (at < RIGHT - TimeAxis.LABEL_WIDTH) {
        svg.element("text", TimeAxis.label(tick, words), "x", at + 3, "y", BOTTOM + 15);
      }
    }
    path("zero", "M%s %s H%s".formatted(n(LEFT), n(zero), n(RIGHT)));
    svg.element("text", "the same", "x", LEFT - 6, "y", zero + 4, "class", "end");
    if (most * scale > 18) {
      svg.element("text", "+" + text(most), "x", LEFT - 6, "y", TOP + 8, "class", "end");
    }
    if (least * scale > 18) {
      svg.element("text", "\u2212" + text(least), "x", LEFT - 6, "y", BOTTOM, "class", "end");
    }
  }

  private void bar(List<SimulatedHour> group, TimeAxis x, double zero, double scale) {
    SimulatedHour largest = null;
    for (SimulatedHour hour : group) {
      Duration delta = hour.delta();
      if (delta != null
          && (largest == null
              || largest.delta() == null
              || delta.abs().compareTo(largest.delta().abs()) > 0)) {
        largest = hour;
      }
    }
    Duration delta = largest == null ? null : largest.delta();
    if (largest == null || delta == null || delta.isZero()) {
      return;
    }
    double from = x.pixel(group.get(0).start());
    double until = x.pixel(group.get(group.size() - 1).start().toEpochMilli() + Hours.MILLIS);
    double height = Math.max(1, Math.abs(delta.toMillis()) * scale);
    svg.open("g", "class", delta.isNegative() ? "earlier" : "later");
    svg.element("title", words.full(largest.start()) + ": " + Words.delta(delta));
    svg.leaf(
        "rect",
        "x",
        from,
        "y",
        delta.isNegative() ? zero : zero - height,
        "width",
        Math.max(0.8, until - from - 0.6),
        "height",
        height);
    svg.close();
  }

  /** The largest difference to one side, in milliseconds. */
  private double most(int sign) {
    return hours.stream()
        .map(SimulatedHour::delta)
        .filter(delta -> delta != null)
        .mapToDouble(delta -> sign * (double) delta.toMillis())
        .filter(delta -> delta > 0)
        .max()
        .orElse(0);
  }

  private static String text(double millis) {
    return Words.duration(Duration.ofMillis((long) millis));
  }

  private void path(String style, String d) {
    svg.leaf("path", "class", style, "d", d);
  }

  private static String n(double number) {
    return Markup.number(number);
  }
}
