package dev.tidemark.streamload;

/** Told of what the protocols do besides succeeding or throwing; for counters. Thread-safe. */
public interface LoadListener {
  /** An attempt failed and is made again. */
  default void retried(Verdict reason) {}

  /** An attempt's outcome was unknown, and the label is in this state. */
  default void settled(LabelState state) {}

  /** A left-over transaction was aborted. */
  default void aborted() {}

  /** Listens to nothing. */
  static LoadListener none() {
    return new LoadListener() {};
  }
}
