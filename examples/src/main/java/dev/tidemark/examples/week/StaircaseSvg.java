package dev.tidemark.examples.week;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Draws the staircase as a picture that needs nothing else. */
final class StaircaseSvg {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 640;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 70;
  private static final int BOTTOM = 50;
  private static final String[] COLORS = {"#1f77b4", "#2ca02c", "#9467bd", "#e08a00", "#555555"};
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE d MMM", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Scenario scenario;
  private final Staircase staircase;
  private final StringBuilder svg = new StringBuilder();

  private StaircaseSvg(Scenario scenario, Staircase staircase) {
    this.scenario = scenario;
    this.staircase = staircase;
  }

  static void write(Scenario scenario, Staircase staircase, Path file) throws IOException {
    Files.writeString(file, new StaircaseSvg(scenario, staircase).draw());
  }

  private String draw() {
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">",
        WIDTH, HEIGHT);
    line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
    spans();
    grid();
    finalized();
    commits();
    watermark();
    late();
    incidents();
    legend();
    line("</svg>");
    return svg.toString();
  }

  /** What goes on for a while: the idle writer, and the clock that is ahead. */
  private void spans() {
    for (int hour = 1; hour <= scenario.hours(); hour++) {
      if (scenario.isIdle(Scenario.IDLE, hour)) {
        band(hour, "#fdf0d8");
      }
      if (scenario.skewMillis(Scenario.SKEWED, hour) > 0) {
        band(hour, "#efe8f6");
      }
    }
  }

  private void band(int hour, String color) {
    line(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
        x(hour - 1), TOP, x(hour) - x(hour - 1) + 0.1, HEIGHT - TOP - BOTTOM, color);
  }

  private void grid() {
    for (int day = 0; day <= scenario.days(); day++) {
      double x = x(24 * day);
      double y = y(Scenario.endOf(24 * day));
      path("M%.1f %d V%d".formatted(x, TOP, HEIGHT - BOTTOM), "stroke=\"#dddddd\"");
      path("M%d %.1f H%d".formatted(LEFT, y, WIDTH - RIGHT), "stroke=\"#dddddd\"");
      if (day < scenario.days()) {
        String name = DAY.format(Instant.ofEpochMilli(Scenario.endOf(24 * day)));
        text(x + 4, HEIGHT - BOTTOM + 16, name);
        text(4, y - 4, name);
      }
    }
    text(WIDTH / 2.0 - 40, HEIGHT - 8, "commit time");
    text(4, TOP - 6, "event time");
  }

  private void finalized() {
    StringBuilder area = new StringBuilder(start());
    corners(area);
    area.append(" V%d Z".formatted(HEIGHT - BOTTOM));
    line("<path d=\"%s\" fill=\"#1f77b4\" fill-opacity=\"0.08\"/>", area);
  }

  private void watermark() {
    StringBuilder stairs = new StringBuilder(start());
    corners(stairs);
    path(stairs.toString(), "fill=\"none\" stroke=\"#000000\" stroke-width=\"1.6\"");
  }

  private String start() {
    int first = staircase.steps().isEmpty() ? 0 : staircase.steps().get(0).hour();
    return "M%.1f %d".formatted(x(first), HEIGHT - BOTTOM);
  }

  private void corners(StringBuilder path) {
    for (Staircase.Step step : staircase.steps()) {
      path.append(" H%.1f V%.1f".formatted(x(step.hour()), y(step.watermarkMillis())));
    }
    path.append(" H%.1f".formatted(x(scenario.hours())));
  }

  private void commits() {
    for (Staircase.Commit commit : staircase.commits()) {
      int lane = lane(commit.writer());
      double x = x(commit.hour()) - lane * (x(1) - x(0)) / 5;
      path(
          "M%.1f %.1f V%.1f".formatted(x, y(commit.minMillis()), y(commit.maxMillis())),
          "stroke=\"%s\" stroke-width=\"1\" stroke-opacity=\"0.75\"".formatted(COLORS[lane]));
    }
  }

  private void late() {
    for (Staircase.Commit commit : staircase.commits()) {
      commit
          .lateByHour()
          .keySet()
          .forEach(
              hour ->
                  line(
                      "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\" fill=\"#d62728\"/>",
                      x(commit.hour()), y(hour + Scenario.HOUR_MILLIS / 2)));
    }
  }

  private void incidents() {
    for (int hour = 1; hour <= scenario.hours(); hour++) {
      if (scenario.stoppedAt(hour) != null) {
        triangle(hour, "#2ca02c");
      }
      if (scenario.crashedAt(hour) != null) {
        triangle(hour, "#d62728");
      }
    }
  }

  private void triangle(int hour, String color) {
    double x = x(hour);
    line("<path d=\"M%.1f %d l-4 -8 h8 Z\" fill=\"%s\"/>", x, HEIGHT - BOTTOM, color);
  }

  private void legend() {
    double x = LEFT;
    for (Region region : Region.values()) {
      x = entry(x, 18, COLORS[region.number()], "commits of " + region.writerId());
    }
    x = entry(x, 18, COLORS[Region.values().length], "backfill");
    entry(x, 18, "#d62728", "late, reported");
    x = entry(LEFT, 38, "#000000", "watermark; below it hours are finalized");
    x = entry(x, 38, "#fdf0d8", Scenario.IDLE.writerId() + " is idle");
    x = entry(x, 38, "#efe8f6", "clock of " + Scenario.SKEWED.writerId() + " is ahead");
    x = entry(x, 38, "#2ca02c", "\u25bc stop");
    entry(x, 38, "#d62728", "\u25bc crash");
  }

  private double entry(double x, int y, String color, String name) {
    line("<rect x=\"%.1f\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>", x, y - 9, color);
    text(x + 14, y, name);
    return x + 34 + 6.4 * name.length();
  }

  private static int lane(String writer) {
    for (Region region : Region.values()) {
      if (region.writerId().equals(writer)) {
        return region.number();
      }
    }
    return Region.values().length;
  }

  private double x(int hour) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (double) hour / scenario.hours();
  }

  private double y(long millis) {
    double part = (millis - Scenario.endOf(0)) / (double) (scenario.hours() * Scenario.HOUR_MILLIS);
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
  }

  private void text(double x, double y, String text) {
    line("<text x=\"%.1f\" y=\"%.1f\" fill=\"#333333\">%s</text>", x, y, text);
  }

  private void path(String d, String style) {
    line("<path d=\"%s\" %s/>", d, style);
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
