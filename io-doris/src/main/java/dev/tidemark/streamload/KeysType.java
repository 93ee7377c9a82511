package dev.tidemark.streamload;

/** What a table does with rows of equal keys. */
public enum KeysType {
  /** Keeps the last one. */
  UNIQUE_KEYS,
  /** Keeps all. */
  DUP_KEYS,
  /** Aggregates them. */
  AGG_KEYS
}
