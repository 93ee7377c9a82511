package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the event times of commits against their commit time, with the staircase of the watermark.
 */
final class SpreadChart {
  static final int WIDTH = 1080;
  static final int HEIGHT = 440;
  private static final double LEFT = 84;
  private static final double RIGHT = WIDTH - 14.0;
  private static final double TOP = 12;
  private static final double BOTTOM = HEIGHT - 40.0;
  private static final int MOST_CORNERS = 1_500;

  private final Scene scene;
  private final Words words;
  private final Lanes lanes;
  private final TimeAxis x;
  private final TimeAxis y;
  private final ImmutableList<CommitBar> bars;
  private final Markup svg;

  /**
   * What is to be drawn.
   *
   * @param simulated a second staircase; empty for none
   * @param atMost where that one may have been higher
   * @param holds numbered in this order
   */
  record Scene(
      List<CommitSpan> commits,
      List<WatermarkStep> moves,
      List<WatermarkStep> simulated,
      List<WatermarkStep> atMost,
      List<WatermarkHold> holds) {}

  SpreadChart(Scene scene, Lanes lanes, Words words, Markup svg) {
    this.scene = scene;
    this.words = words;
    this.lanes = lanes;
    this.svg = svg;
    Ranges ranges = Ranges.of(scene);
    this.x = new TimeAxis(ranges.fromX(), ranges.untilX(), LEFT, RIGHT);
    this.y = new TimeAxis(ranges.fromY(), ranges.untilY(), BOTTOM, TOP);
    this.bars = CommitBar.of(scene.commits(), lanes, x);
  }

  void draw() {
    svg.open(
        "svg",
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "class",
        "chart",
        "role",
        "img",
        "aria-label",
        "Event times of commits against commit time, and the watermark");
    grid();
    area();
    holds();
    for (CommitBar bar : bars) {
      bar(bar);
    }
    stairs(scene.moves(), "stairs", "watermark");
    if (!scene.simulated().isEmpty()) {
      atMost();
      stairs(scene.simulated(), "stairs simulated", "simulated watermark");
    }
    svg.close();
  }

  /** Says below the drawing where it shows less than there is. */
  void explain() {
    List<String> said = new ArrayList<>();
    int drawn = bars.stream().mapToInt(bar -> bar.extent().commits()).sum();
    if (drawn > bars.size()) {
      said.add(
          "There are %s commits, so neighbours of one writer share a bar, from the smallest to the largest event time of any of them."
              .formatted(Words.count(drawn)));
    }
    long cutOff = scene.commits().stream().filter(this::isCutOff).count();
    if (cutOff > 0) {
      said.add(
          "%s further back than is drawn."
              .formatted(Words.count(cutOff, "commit reaches", "commits reach")));
    }
    if (!said.isEmpty()) {
      svg.element("p", String.join(" ", said), "class", "muted");
    }
  }

  private boolean isCutOff(CommitSpan commit) {
    return commit.min() != null && commit.min().toEpochMilli() < y.fromMillis();
  }

  private void grid() {
    for (Instant tick : x.ticks(12, words.zone())) {
      double at = x.pixel(tick);
      line("grid", at, TOP, at, BOTTOM);
      if (at < RIGHT - TimeAxis.LABEL_WIDTH) {
        svg.element("text", TimeAxis.label(tick, words), "x", at + 3, "y", BOTTOM + 15);
      }
    }
    for (Instant tick : y.ticks(9, words.zone())) {
      double at = y.pixel(tick);
      line("grid", LEFT, at, RIGHT, at);
      svg.element("text", TimeAxis.label(tick, words), "x", LEFT - 6, "y", at + 4, "class", "end");
    }
    svg.element("text", "event time", "x", LEFT + 8, "y", TOP + 16, "class", "axis");
    svg.element("text", "commit time", "x", RIGHT, "y", HEIGHT - 6.0, "class", "axis end");
  }

  private void area() {
    if (!scene.moves().isEmpty()) {
      svg.leaf(
          "path",
          "class",
          "final-area",
          "d",
          corners(scene.moves(), true) + " V" + n(BOTTOM) + " Z");
    }
  }

  private void holds() {
    int number = 1;
    for (WatermarkHold hold : scene.holds()) {
      double at = y.pixel(hold.watermark());
      double from = x.pixel(hold.from());
      svg.open("g", "class", "hold");
      svg.element(
          "title",
          "Hold %d: %s, at %s"
              .formatted(number, Words.duration(hold.length()), words.shortTime(hold.watermark())));
      line("band", from, at, x.pixel(hold.until()), at);
      svg.element("text", Integer.toString(number), "x", from + 2, "y", at + 15);
      svg.close();
      number++;
    }
  }

  private void bar(CommitBar bar) {
    double at = bar.pixel();
    double bottom = y.pixel(bar.min());
    svg.open("g", "class", "bar w" + lanes.of(bar.writer()) + (bar.lost() ? " lost" : ""));
    svg.element("title", bar.title(words));
    line("thin", at, bottom, at, y.pixel(bar.max()));
    if (bar.low() != null && bar.high() != null) {
      line("thick", at, y.pixel(bar.low()), at, y.pixel(bar.high()));
    }
    if (bar.late().most() > 0 && bar.met() != null && bar.min() < bar.met()) {
      line("late", at, bottom, at, y.pixel(Math.min(bar.met(), bar.max())));
      svg.leaf(
          "circle",
          "class",
          bar.late().least() > 0 ? "late-dot" : "late-dot maybe",
          "cx",
          at,
          "cy",
          bottom,
          "r",
          2.6);
    }
    svg.close();
  }

  private void stairs(List<WatermarkStep> moves, String style, String name) {
    if (!moves.isEmpty()) {
      svg.open("path", "class", style, "d", corners(moves, false));
      svg.element("title", name);
      svg.close();
    }
  }

  private void atMost() {
    StringBuilder path = new StringBuilder();
    double last = Double.NEGATIVE_INFINITY;
    for (WatermarkStep point : scene.atMost()) {
      double at = x.pixel(point.at());
      if (at - last >= 2) {
        path.append("M%s %sh2".formatted(n(at), n(y.pixel(point.watermark()))));
        last = at;
      }
    }
    if (!path.isEmpty()) {
      svg.open("path", "class", "at-most", "d", path);
      svg.element("title", "the simulated watermark may have been as high as this");
      svg.close();
    }
  }

  /**
   * Where clocks disagree a move may be drawn before the one that it came after; none goes down.
   */
  private String corners(List<WatermarkStep> moves, boolean fromBottom) {
    List<WatermarkStep> drawn = thinned(moves);
    StringBuilder path = new StringBuilder();
    double before = 0;
    for (int i = 0; i < drawn.size(); i++) {
      double at = Math.max(before, x.pixel(drawn.get(i).at()));
      String level = n(y.pixel(drawn.get(i).watermark()));
      if (i == 0) {
        path.append("M%s %s".formatted(n(at), fromBottom ? n(BOTTOM) + " V" + level : level));
      } else {
        path.append(" H%s V%s".formatted(n(at), level));
      }
      before = at;
    }
    return path.append(" H").append(n(RIGHT)).toString();
  }

  /** Where there are more moves than can be told apart, the last one of each pixel. */
  private List<WatermarkStep> thinned(List<WatermarkStep> moves) {
    if (moves.size() <= MOST_CORNERS) {
      return moves;
    }
    ImmutableList.Builder<WatermarkStep> kept = ImmutableList.builder();
    for (int i = 0; i < moves.size(); i++) {
      boolean last = i == moves.size() - 1;
      if (last || (int) x.pixel(moves.get(i).at()) != (int) x.pixel(moves.get(i + 1).at())) {
        kept.add(moves.get(i));
      }
    }
    return kept.build();
  }

  private void line(String style, double fromX, double fromY, double toX, double toY) {
    svg.leaf(
        "path", "class", style, "d", "M%s %s L%s %s".formatted(n(fromX), n(fromY), n(toX), n(toY)));
  }

  private static String n(double number) {
    return Markup.number(number);
  }
}
