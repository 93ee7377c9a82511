package dev.tidemark.change;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a {@link Change} does to the row it carries.
 *
 * <p>The symbols are those of changelog literature and of Flink's {@code RowKind}: {@code +I},
 * {@code -U}, {@code +U}, {@code -D}.
 */
public enum ChangeKind {
  /** The row is new. */
  INSERT("+I", 0),
  /** The row as it was before an update; the {@link #UPDATE_AFTER} of the same update follows. */
  UPDATE_BEFORE("-U", 1),
  /** The row as it is after an update. */
  UPDATE_AFTER("+U", 2),
  /** The row is gone. */
  DELETE("-D", 3);

  private static final ChangeKind[] BY_CODE = values();

  private final String symbol;
  private final int code;

  ChangeKind(String symbol, int code) {
    this.symbol = symbol;
    this.code = code;
  }

  /** Two characters: {@code +I}, {@code -U}, {@code +U} or {@code -D}. */
  public String symbol() {
    return symbol;
  }

  /**
   * Whether the row is there after the change ({@code +I}, {@code +U}); otherwise the change takes
   * it back.
   */
  public boolean adds() {
    return this == INSERT || this == UPDATE_AFTER;
  }

  /**
   * The kind with this symbol.
   *
   * @throws IllegalArgumentException if no kind has it
   */
  public static ChangeKind ofSymbol(String symbol) {
    for (ChangeKind kind : BY_CODE) {
      if (kind.symbol.equals(symbol)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        String.format("Invalid change kind: %s (must be one of +I, -U, +U, -D)", symbol));
  }

  /** The stored form, never the ordinal: reordering the constants must not change old bytes. */
  public int code() {
    return code;
  }

  /** The kind with this stored form; null if no kind has it. */
  public static @Nullable ChangeKind ofCode(int code) {
    for (ChangeKind kind : BY_CODE) {
      if (kind.code == code) {
        return kind;
      }
    }
    return null;
  }
}
