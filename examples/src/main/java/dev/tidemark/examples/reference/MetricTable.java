package dev.tidemark.examples.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The metrics that the code counts, and the group in which the package documentation has each. */
final class MetricTable {
  private static final List<String> MODULES = List.of("transforms", "io-iceberg-ext", "io-doris");

  /** Directly, {@code Metrics.counter(DorisIO.class, "loads")}. */
  private static final Pattern DIRECT =
      Pattern.compile("Metrics\\.(counter|distribution|gauge)\\(\\s*(\\w+)\\.class,\\s*\"(\\w+)\"");

  /** Or by a method of the class that says the kind and the namespace. */
  private static final Pattern HELPER =
      Pattern.compile(
          "(\\w+)\\((?:String name)(?:, LongSupplier statistic)?\\) \\{[^}]*?(?:Metrics\\.(counter|distribution|gauge)\\(\\s*(\\w+)\\.class,\\s*name|(counter)\\(name)");

  private static final Pattern GROUP =
      Pattern.compile("(Volume|Tripwires|Input health|Health of the input)");

  /** A metric. */
  record Metric(String namespace, String name, String kind, String group) {}

  private MetricTable() {}

  static String of(Path root) throws IOException {
    StringBuilder table = new StringBuilder("| metric | kind | group |\n| --- | --- | --- |\n");
    for (Metric metric : metrics(root)) {
      table
          .append("| `")
          .append(metric.namespace())
          .append('.')
          .append(metric.name())
          .append("` | ")
          .append(metric.kind())
          .append(" | ")
          .append(metric.group())
          .append(" |\n");
    }
    return table.toString();
  }

  /**
   * All metrics.
   *
   * @throws IllegalStateException if the package documentation does not have one
   */
  static List<Metric> metrics(Path root) throws IOException {
    Map<String, Metric> metrics = new TreeMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          add(file, metrics);
        }
      }
    }
    return List.copyOf(metrics.values());
  }

  private static void add(Path file, Map<String, Metric> metrics) throws IOException {
    String source = Files.readString(file);
    if (!source.contains("Metrics.")) {
      return;
    }
    DIRECT
        .matcher(source)
        .results()
        .forEach(found -> put(file, found.group(2), found.group(3), found.group(1), metrics));
    Map<String, String[]> helpers = new LinkedHashMap<>();
    for (MatchResult helper : HELPER.matcher(source).results().toList()) {
      if (helper.group(4) == null) {
        helpers.put(helper.group(1), new String[] {helper.group(2), helper.group(3)});
      } else {
        helpers.put(helper.group(1), helpers.getOrDefault("counter", null));
      }
    }
    helpers.forEach(
        (helper, kind) ->
            Pattern.compile("\\b" + helper + "\\(\\s*\"(\\w+)\"")
                .matcher(source)
                .results()
                .forEach(found -> put(file, kind[1], found.group(1), kind[0], metrics)));
  }

  private static void put(
      Path file, String namespace, String name, String kind, Map<String, Metric> metrics) {
    metrics.put(namespace + "." + name, new Metric(namespace, name, kind, group(file, name)));
  }

  /** The group in which the package documentation has a metric. */
  private static String group(Path file, String name) {
    String documentation;
    try {
      documentation = Files.readString(file.resolveSibling("package-info.java"));
    } catch (IOException e) {
      throw new IllegalStateException("Cannot read the documentation of " + file, e);
    }
    String metrics =
        documentation.substring(Math.max(0, documentation.indexOf("<h2>Metrics</h2>")));
    MatchResult at =
        Pattern.compile("\\{@code[\\s*]+" + name + "\\}")
            .matcher(metrics)
            .results()
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        String.format(
                            "Cannot find metric %s in package-info.java beside %s. Document it in"
                                + " one of the groups",
                            name, file)));
    String group = "";
    for (MatchResult begin : GROUP.matcher(metrics).results().toList()) {
      if (begin.start() < at.start()) {
        group = begin.group(1);
      }
    }
    return group.equals("Health of the input")
        ? "input health"
        : group.toLowerCase(java.util.Locale.ROOT);
  }
}
