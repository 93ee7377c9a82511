package dev.tidemark.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names that metrics of Beam have in Flink's Prometheus reporter, and the metrics that the
 * sources of all modules define.
 */
final class PrometheusNames {
  private static final Path ROOT = Path.of("..");
  private static final List<String> MODULES =
      List.of("transforms", "io-iceberg-ext", "io-doris", "runner-flink-glue");
  private static final Pattern NAMESPACE =
      Pattern.compile("Metrics\\.(counter|distribution|gauge)\\(\\s*([A-Za-z]+)\\.class");
  private static final Pattern NAME = Pattern.compile("\"([a-z][A-Za-z]+)\"");
  private static final Pattern DISTRIBUTION =
      Pattern.compile("distribution\\((?:\\s*([A-Za-z]+)\\.class,)?\\s*\"([A-Za-z]+)\"");

  private PrometheusNames() {}

  static String of(Class<?> namespace, String name) {
    return of(namespace.getName(), name);
  }

  private static String of(String namespace, String name) {
    return "flink_taskmanager_job_task_operator_" + namespace.replace('.', '_') + "_" + name;
  }

  /** Each text in a source that defines metrics, under the class that it defines them for. */
  static Set<String> ofAllModules() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path source : definingSources()) {
      String text = Files.readString(source);
      String namespace = namespace(text);
      NAME.matcher(text).results().forEach(name -> names.add(of(namespace, name.group(1))));
    }
    return names;
  }

  static Set<String> distributions() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path source : definingSources()) {
      String text = Files.readString(source);
      String namespace = namespace(text);
      DISTRIBUTION
          .matcher(text)
          .results()
          .forEach(found -> names.add(of(namespace, found.group(2))));
    }
    return names;
  }

  private static List<Path> definingSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file :
            files.filter(path -> path.toString().endsWith(".java")).collect(Collectors.toList())) {
          if (NAMESPACE.matcher(Files.readString(file)).find()) {
            sources.add(file);
          }
        }
      }
    }
    return sources;
  }

  private static String namespace(String source) {
    Matcher found = NAMESPACE.matcher(source);
    if (!found.find()) {
      throw new IllegalArgumentException("No metric in " + source);
    }
    Matcher imported =
        Pattern.compile("import ([a-z.]+\\." + found.group(2) + ");").matcher(source);
    if (imported.find()) {
      return imported.group(1);
    }
    Matcher home = Pattern.compile("^package ([a-z.]+);", Pattern.MULTILINE).matcher(source);
    if (!home.find()) {
      throw new IllegalArgumentException("No package in " + source);
    }
    return home.group(1) + "." + found.group(2);
  }
}
