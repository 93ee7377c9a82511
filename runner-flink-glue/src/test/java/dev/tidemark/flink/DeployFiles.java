package dev.tidemark.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The files in {@code deploy}. */
final class DeployFiles {
  static final Path ROOT = Path.of("..", "deploy");
  static final String CHECKPOINTS = "flink_jobmanager_job_numberOfCompletedCheckpoints";
  private static final Pattern METRIC = Pattern.compile("\\bflink_[a-zA-Z0-9_]+");

  private DeployFiles() {}

  static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  /** The metrics that alerts and dashboard name. */
  static Set<String> metrics() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String file : new String[] {"prometheus/alerts.yaml", "grafana/tidemark.json"}) {
      METRIC.matcher(read(file)).results().forEach(metric -> names.add(metric.group()));
    }
    return names;
  }
}
