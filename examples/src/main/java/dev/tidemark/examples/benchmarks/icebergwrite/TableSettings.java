package dev.tidemark.examples.benchmarks.icebergwrite;

import dev.tidemark.examples.benchmarks.load.PeerSettings;

/** The table that a peer writes to. */
final class TableSettings {
  static final String NAMESPACE = "bench";

  private TableSettings() {}

  /** Local directory of a Hadoop catalog that has the table. */
  static String warehouse() {
    return PeerSettings.required("warehouse");
  }

  /** Name of the table in {@link #NAMESPACE}. */
  static String table() {
    return PeerSettings.required("table");
  }
}
