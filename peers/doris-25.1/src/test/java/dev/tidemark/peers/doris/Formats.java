package dev.tidemark.peers.doris;

import java.util.LinkedHashMap;
import java.util.Map;

/** Options of the released connector. */
final class Formats {
  private Formats() {}

  static Map<String, String> json() {
    return options("sink.properties.format", "json", "sink.properties.read_json_by_line", "true");
  }

  static Map<String, String> csv() {
    return options("sink.properties.format", "csv");
  }

  /** Arrow, which the connector does not write with deletes. */
  static Map<String, String> arrow() {
    return options("sink.properties.format", "arrow", "sink.enable-delete", "false");
  }

  /** Options with some more of them, names and values in turn. */
  static Map<String, String> with(Map<String, String> options, String... more) {
    Map<String, String> all = new LinkedHashMap<>(options);
    all.putAll(options(more));
    return all;
  }

  /** Stream mode with two-phase commit, which is off by default where keys are unique. */
  static Map<String, String> twoPhase(Map<String, String> options, String labelPrefix) {
    return with(options, "sink.enable-2pc", "true", "sink.label-prefix", labelPrefix);
  }

  private static Map<String, String> options(String... namesAndValues) {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }
}
