package dev.tidemark.doris.emulator;

/** How a backend finds the columns of an Arrow body. */
public enum ColumnMatching {
  /** Current versions: by place, and the name has to be the same with its case. */
  STRICT,
  /** Older versions: by name; without a header {@code columns} the names are lower case. */
  LEGACY
}
