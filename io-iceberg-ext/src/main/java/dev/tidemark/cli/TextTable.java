package dev.tidemark.cli;

import com.google.common.base.Strings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Lines with aligned columns. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  private TextTable() {}

  static TextTable plain() {
    return new TextTable();
  }

  static TextTable headed(String... names) {
    return new TextTable().row(names);
  }

  TextTable row(String... cells) {
    rows.add(Arrays.stream(cells).map(Errors::line).toList());
    return this;
  }

  /** A value as a cell; what is not known is a dash. */
  static String cell(@Nullable Object value) {
    return value == null ? "-" : value.toString();
  }

  String text() {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(Strings.padEnd(row.get(i), widths[i] + 2, ' '));
      }
      lines.add(line.toString().stripTrailing());
    }
    return String.join(System.lineSeparator(), lines);
  }
}
