package dev.tidemark.peers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The values of a row. Rows are equal if they are so to the bit. */
final class Cells {
  private final @Nullable Object[] values;

  private Cells(@Nullable Object[] values) {
    this.values = values;
  }

  static Cells of(@Nullable Object... values) {
    return new Cells(values.clone());
  }

  int size() {
    return values.length;
  }

  @Nullable Object get(int column) {
    return values[column];
  }

  List<@Nullable Object> toList() {
    return Arrays.asList(values.clone());
  }

  Cells with(int column, @Nullable Object value) {
    @Nullable Object[] changed = values.clone();
    changed[column] = value;
    return new Cells(changed);
  }

  /** The values of these columns, in this order. */
  Cells project(List<Integer> columns) {
    return new Cells(columns.stream().map(column -> values[column]).toArray());
  }

  boolean hasNan() {
    return Arrays.stream(values).anyMatch(value -> value instanceof Double d && d.isNaN());
  }

  /** Whether the values are equal as SQL compares them, but null to null. */
  boolean sameFields(Cells that) {
    return !hasNan() && zeroUnsigned().equals(that.zeroUnsigned());
  }

  private Cells zeroUnsigned() {
    return new Cells(
        Arrays.stream(values)
            .map(value -> value instanceof Double d && d == 0 ? (Object) 0.0 : value)
            .toArray());
  }

  /** The values, and their bits where two that differ can be equal. */
  private List<@Nullable Object> exact() {
    List<@Nullable Object> exact = new ArrayList<>();
    for (Object value : values) {
      exact.add(value instanceof Double d ? Double.doubleToRawLongBits(d) : value);
      exact.add(value == null ? null : value.getClass());
    }
    return exact;
  }

  @Override
  public boolean equals(@Nullable Object that) {
    return that instanceof Cells cells && exact().equals(cells.exact());
  }

  @Override
  public int hashCode() {
    return exact().hashCode();
  }

  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    for (Object value : values) {
      texts.add(
          value instanceof Double d && d.isNaN()
              ? String.format("NaN:%016x", Double.doubleToRawLongBits(d))
              : value instanceof String text
                  ? '"' + text.replace("\u0000", "\\0") + '"'
                  : String.valueOf(value));
    }
    return String.join(", ", texts);
  }
}
