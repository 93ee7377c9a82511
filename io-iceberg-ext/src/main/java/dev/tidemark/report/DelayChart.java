package dev.tidemark.report;

import com.google.common.collect.ImmutableList;

/** Draws how many records came with which delay. */
final class DelayChart {
  private static final int WIDTH = 1080;
  private static final int ROW = 24;
  private static final double LEFT = 190;
  private static final double RIGHT = WIDTH - 190.0;

  private final ImmutableList<DelayClass> classes;
  private final Markup svg;

  DelayChart(ImmutableList<DelayClass> classes, Markup svg) {
    this.classes = classes;
    this.svg = svg;
  }

  void draw() {
    int last = lastWithRecords();
    if (last < 0) {
      svg.element("p", "There are no records to show.");
      return;
    }
    int first = classes.get(0).records() == 0 ? 1 : 0;
    long most = classes.stream().mapToLong(DelayClass::records).max().orElse(1);
    long all = classes.stream().mapToLong(DelayClass::records).sum();
    int height = (last - first + 1) * ROW + 8;
    svg.open(
        "svg",
        "viewBox",
        "0 0 " + WIDTH + " " + height,
        "class",
        "chart",
        "role",
        "img",
        "aria-label",
        "Records by delay");
    for (int i = first; i <= last; i++) {
      row(classes.get(i), (i - first) * ROW + 4, most, all);
    }
    svg.close();
  }

  private int lastWithRecords() {
    int last = -1;
    for (int i = 0; i < classes.size(); i++) {
      last = classes.get(i).records() > 0 ? i : last;
    }
    return last;
  }

  private void row(DelayClass row, double top, long most, long all) {
    double length = length(row.records(), most);
    double late = length(row.late(), most);
    svg.element("text", name(row), "x", LEFT - 8, "y", top + 15, "class", "end");
    svg.leaf("rect", "class", "delay", "x", LEFT, "y", top, "width", length, "height", ROW - 6.0);
    if (row.late() > 0) {
      svg.leaf(
          "rect",
          "class",
          "delay-late",
          "x",
          LEFT + length - late,
          "y",
          top,
          "width",
          late,
          "height",
          ROW - 6.0);
    }
    svg.element("text", text(row, all), "x", LEFT + length + 6, "y", top + 15);
  }

  /** Whatever there is can be seen. */
  private static double length(long records, long most) {
    return records == 0 ? 0 : Math.max(2.0, (RIGHT - LEFT) * records / most);
  }

  private static String text(DelayClass row, long all) {
    if (row.records() == 0) {
      return "0";
    }
    String part = Markup.number(100.0 * row.records() / all);
    return "%s (%s %%)%s"
        .formatted(
            Words.count(row.records()),
            part.equals("0") ? "< 0.1" : part,
            row.late() == 0 ? "" : ", late: " + Words.count(row.late()));
  }

  static String name(DelayClass row) {
    if (row.fromHours() == Long.MIN_VALUE) {
      return "ahead of the clock";
    } else if (row.fromHours() == 0) {
      return "in the same hour";
    } else if (row.belowHours() == Long.MAX_VALUE) {
      return span(row.fromHours()) + " or more later";
    } else if (row.belowHours() - row.fromHours() == 1) {
      return row.fromHours() == 1 ? "in the next hour" : row.fromHours() + " hours later";
    }
    return row.fromHours() < 24
        ? "%d to %d hours later".formatted(row.fromHours(), row.belowHours() - 1)
        : "%s to %s later".formatted(span(row.fromHours()), span(row.belowHours()));
  }

  private static String span(long hours) {
    return hours == 24 ? "1 day" : hours / 24 + " days";
  }
}
