package dev.tidemark.report;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws a row for each day of the zone and a cell for each hour. */
final class CalendarChart {
  private static final int MOST_DAYS = 92;
  private static final double LEFT = 84;
  private static final double CELL = 40;
  private static final double ROW = 22;
  private static final double TOP = 20;

  private final TableReport report;
  private final Words words;
  private final Markup svg;

  CalendarChart(TableReport report, Words words, Markup svg) {
    this.report = report;
    this.words = words;
    this.svg = svg;
  }

  void draw(Page page) {
    TreeMap<LocalDate, List<ReportedHour>> days = new TreeMap<>();
    for (ReportedHour hour : report.hours()) {
      LocalDate day = hour.start().atZone(words.zone()).toLocalDate();
      days.computeIfAbsent(day, any -> new ArrayList<>()).add(hour);
    }
    int left = Math.max(0, days.size() - MOST_DAYS);
    for (int i = 0; i < left; i++) {
      days.pollFirstEntry();
    }
    legend(page);
    if (days.isEmpty()) {
      svg.element("p", "There are no hours to show.");
      return;
    }
    draw(days);
    if (left > 0 || report.hoursLeftOut() > 0) {
      svg.element(
          "p",
          "The newest %d days are drawn; %d days before them are not, and %d hours with records before those."
              .formatted(days.size(), left, report.hoursLeftOut()),
          "class",
          "muted");
    }
  }

  private void legend(Page page) {
    svg.open("p", "class", "legend");
    page.key("key-final", "final");
    page.key("key-empty", "final, without records");
    page.key("key-late", "final, and got late records");
    page.key("key-open", "open");
    page.key("key-uncovered", "before the table's facts");
    svg.close();
  }

  private void draw(Map<LocalDate, List<ReportedHour>> days) {
    double height = TOP + days.size() * ROW + 4;
    svg.open(
        "svg",
        "viewBox",
        "0 0 1080 " + Markup.number(height),
        "class",
        "chart calendar",
        "role",
        "img",
        "aria-label",
        "Hours by day: final, open and late");
    for (int hour = 0; hour < 24; hour += 3) {
      svg.element("text", "%02d:00".formatted(hour), "x", LEFT + hour * CELL + 2, "y", TOP - 6);
    }
    double top = TOP;
    for (Map.Entry<LocalDate, List<ReportedHour>> day : days.entrySet()) {
      Instant noon = day.getKey().atTime(12, 0).atZone(words.zone()).toInstant();
      svg.element("text", words.day(noon), "x", LEFT - 8, "y", top + 15, "class", "end");
      day(day.getValue(), top);
      top += ROW;
    }
    svg.close();
  }

  /** An hour that the zone's clocks show twice shares its column. */
  private void day(List<ReportedHour> hours, double top) {
    Map<Integer, Integer> times = new HashMap<>();
    hours.forEach(hour -> times.merge(local(hour), 1, Integer::sum));
    Map<Integer, Integer> drawn = new HashMap<>();
    for (ReportedHour hour : hours) {
      int column = local(hour);
      int before = drawn.merge(column, 1, Integer::sum) - 1;
      double width = (CELL - 2) / times.get(column);
      cell(hour, LEFT + column * CELL + before * width, top, width);
    }
  }

  private int local(ReportedHour hour) {
    return ZonedDateTime.ofInstant(hour.start(), words.zone()).getHour();
  }

  private void cell(ReportedHour hour, double left, double top, double width) {
    svg.open("g", "class", "hour " + style(hour));
    svg.element("title", title(hour));
    svg.leaf("rect", "x", left, "y", top, "width", width, "height", ROW - 2, "rx", 3);
    if (hour.late() > 0) {
      svg.element(
          "text",
          hour.late() > 999 ? "!" : Long.toString(hour.late()),
          "x",
          left + width / 2,
          "y",
          top + 15,
          "class",
          "middle");
    } else if (hour.mayBeLate()) {
      svg.element("text", "?", "x", left + width / 2, "y", top + 15, "class", "middle");
    }
    svg.close();
  }

  private static String style(ReportedHour hour) {
    if (hour.late() > 0 || hour.mayBeLate()) {
      return "late";
    }
    return switch (hour.state()) {
      case FINAL -> hour.records() == 0 ? "empty" : "final";
      case OPEN -> "open";
      case NOT_COVERED -> "uncovered";
    };
  }

  private String title(ReportedHour hour) {
    String state =
        switch (hour.state()) {
          case FINAL -> "final " + words.finalTime(hour.finalAt());
          case OPEN -> "open";
          case NOT_COVERED -> "before the table's facts";
        };
    return "%s %s: %s, %s%s%s"
        .formatted(
            words.day(hour.start()),
            words.hour(hour.start()),
            Words.count(hour.records(), "record", "records"),
            state,
            hour.late() == 0 ? "" : ", late: " + Words.count(hour.late()),
            hour.mayBeLate() ? ", may have got more late records" : "");
  }
}
