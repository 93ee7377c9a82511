package dev.tidemark.examples.benchmarks.icebergwrite;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What the suite tells the process of a peer, by system properties. */
final class PeerSettings {
  static final String PREFIX = "tidemark.benchmark.";
  static final String NAMESPACE = "bench";

  private PeerSettings() {}

  /** Local directory of a Hadoop catalog that has the table. */
  static String warehouse() {
    return required("warehouse");
  }

  /** Name of the table in {@link #NAMESPACE}. */
  static String table() {
    return required("table");
  }

  /** Directory for checkpoints. */
  static String checkpoints() {
    return required("checkpoints");
  }

  static long intervalMillis() {
    return Long.parseLong(required("intervalMillis"));
  }

  /** Rows to measure, at least. */
  static long rows() {
    return Long.parseLong(required("rows"));
  }

  /** A file that appears when the peer has warmed up, so that the measurement may begin. */
  static Path warmUpMark() {
    return Path.of(required("warmUpMark"));
  }

  /** Whether the peer runs with an option that it has. */
  static boolean has(String option) {
    List<String> options = Arrays.asList(System.getProperty(PREFIX + "options", "").split(",", -1));
    return options.contains(option);
  }

  private static String required(String name) {
    String value = System.getProperty(PREFIX + name);
    if (value == null) {
      throw new IllegalStateException(
          "Cannot run this peer: system property "
              + PREFIX
              + name
              + " is missing. Run examples/benchmarks/run.sh iceberg-write, which sets it.");
    }
    return value;
  }
}
