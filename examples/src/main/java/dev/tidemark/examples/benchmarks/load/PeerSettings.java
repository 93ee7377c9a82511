package dev.tidemark.examples.benchmarks.load;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What a suite tells the process of a peer, by system properties. */
public final class PeerSettings {
  /** What names of system properties begin with. */
  public static final String PREFIX = "tidemark.benchmark.";

  private PeerSettings() {}

  /** Directory for checkpoints. */
  public static String checkpoints() {
    return required("checkpoints");
  }

  public static long intervalMillis() {
    return Long.parseLong(required("intervalMillis"));
  }

  /** Rows to measure, at least. */
  public static long rows() {
    return Long.parseLong(required("rows"));
  }

  /** A file that appears when the peer has warmed up, so that the measurement may begin. */
  static Path warmUpMark() {
    return Path.of(required("warmUpMark"));
  }

  /** Whether the peer runs with an option that it has. */
  public static boolean has(String option) {
    List<String> options = Arrays.asList(System.getProperty(PREFIX + "options", "").split(",", -1));
    return options.contains(option);
  }

  /** The value of a setting that the peer cannot run without. */
  public static String required(String name) {
    String value = System.getProperty(PREFIX + name);
    if (value == null) {
      throw new IllegalStateException(
          "Cannot run this peer: system property "
              + PREFIX
              + name
              + " is missing. Run its suite with examples/benchmarks/run.sh, which sets it.");
    }
    return value;
  }
}
