package dev.tidemark.examples.week;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;

/** Draws the staircase with characters: commit time to the right, event time up. */
final class StaircaseText {
  private static final int COLUMNS_PER_DAY = 12;
  private static final int LINES_PER_DAY = 4;
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE d", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final char[][] cells;
  private final int days;

  private StaircaseText(int days) {
    this.days = days;
    this.cells = new char[days * LINES_PER_DAY][days * COLUMNS_PER_DAY];
    Arrays.stream(cells).forEach(line -> Arrays.fill(line, ' '));
  }

  static void print(Scenario scenario, Staircase staircase, PrintStream out) {
    StaircaseText text = new StaircaseText(scenario.days());
    text.finalized(staircase);
    for (Staircase.Commit commit : staircase.commits()) {
      text.column(commit.hour(), commit.minMillis(), commit.maxMillis(), '|');
    }
    text.watermark(staircase);
    for (Staircase.Commit commit : staircase.commits()) {
      commit.lateByHour().keySet().forEach(late -> text.column(commit.hour(), late, late, '!'));
    }
    text.print(out);
  }

  private void finalized(Staircase staircase) {
    for (int column = 0; column < cells[0].length; column++) {
      Long watermark = staircase.watermarkAt(lastHour(column));
      if (watermark != null) {
        for (int line = 0; line < line(watermark - 1); line++) {
          cells[line][column] = '.';
        }
      }
    }
  }

  private void watermark(Staircase staircase) {
    for (int column = 0; column < cells[0].length; column++) {
      Long watermark = staircase.watermarkAt(lastHour(column));
      if (watermark != null) {
        cells[line(watermark - 1)][column] = '=';
      }
    }
  }

  private void column(int hour, long fromMillis, long toMillis, char mark) {
    int column = Math.max(0, Math.min(cells[0].length - 1, (hour - 1) * COLUMNS_PER_DAY / 24));
    for (int line = line(fromMillis); line <= line(toMillis); line++) {
      cells[line][column] = mark;
    }
  }

  private int line(long millis) {
    long dayMillis = 24 * Scenario.HOUR_MILLIS;
    long line = Math.floorDiv((millis - Scenario.endOf(0)) * LINES_PER_DAY, dayMillis);
    return (int) Math.max(0, Math.min(cells.length - 1, line));
  }

  private static int lastHour(int column) {
    return (column + 1) * 24 / COLUMNS_PER_DAY;
  }

  private void print(PrintStream out) {
    out.println("event time");
    for (int line = cells.length - 1; line >= 0; line--) {
      boolean label = line % LINES_PER_DAY == 0;
      out.printf(
          "%-6s %s %s%n", label ? day(line / LINES_PER_DAY) : "", '|', new String(cells[line]));
    }
    out.printf("%-6s +%s> commit time%n%8s", "", "-".repeat(cells[0].length + 1), "");
    for (int day = 0; day < days; day++) {
      out.printf("%-" + COLUMNS_PER_DAY + "s", "| " + day(day));
    }
    out.printf("%n|  event times of commits    =  watermark    .  finalized    !  late%n");
  }

  private static String day(int day) {
    return DAY.format(Instant.ofEpochMilli(Scenario.endOf(24 * day)));
  }
}
