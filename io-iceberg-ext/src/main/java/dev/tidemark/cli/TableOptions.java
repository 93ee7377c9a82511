package dev.tidemark.cli;

import com.google.common.collect.ImmutableSet;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.catalog.CatalogSecrets;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.sensor.Finalization;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which table, and how to get at it. */
final class TableOptions {
  @Option(
      names = "--catalog",
      required = true,
      paramLabel = "NAME",
      description = "Name of the catalog. It is part of the key of tables in a JDBC catalog.")
  private String catalog;

  // Plain texts, since errors of a key=value option would quote the value.
  @Option(
      names = "--property",
      paramLabel = "KEY=VALUE",
      description =
          "A catalog property, such as type=rest or uri=https://...; repeatable. Counts before"
              + " --properties-file.")
  private List<String> properties = new ArrayList<>();

  @Option(
      names = "--properties-file",
      paramLabel = "FILE",
      description = "Catalog properties in Java's properties format. Put credentials here.")
  private @Nullable Path propertiesFile;

  @Option(
      names = "--table",
      required = true,
      paramLabel = "DB.TABLE",
      description = "The table, with its namespace; repeatable for check and wait.")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--branch",
      defaultValue = TidemarkKeys.MAIN,
      paramLabel = "NAME",
      description = "The branch. Default: ${DEFAULT-VALUE}.")
  private String branch;

  /** The table, for verbs that take one. */
  String name() {
    return tables.get(0);
  }

  /** All tables, for people. */
  String names() {
    return String.join(", ", tables);
  }

  String branch() {
    return branch;
  }

  Finalization on(Finalization finalization, CommandLine command) {
    try {
      return finalization.branch(branch);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }

  /** The only table. */
  TableIdentifier identifier(CommandLine command) {
    if (tables.size() > 1) {
      throw new ParameterException(
          command,
          "Invalid --table: %d tables (must be one; check and wait take several)"
              .formatted(tables.size()));
    }
    return identifier(name(), command);
  }

  /** All tables, each once. */
  ImmutableSet<TableIdentifier> identifiers(CommandLine command) {
    return tables.stream()
        .map(table -> identifier(table, command))
        .collect(ImmutableSet.toImmutableSet());
  }

  static TableIdentifier identifier(String table, CommandLine command) {
    if (!table.matches("[^.]+(\\.[^.]+)+")) {
      throw new ParameterException(
          command, "Invalid table: %s (must be namespace.name)".formatted(table));
    }
    return TableIdentifier.parse(table);
  }

  CatalogConfig catalog(CommandLine command) {
    Map<String, String> all = new LinkedHashMap<>();
    if (propertiesFile != null) {
      all.putAll(read(propertiesFile, command));
    }
    for (int i = 0; i < properties.size(); i++) {
      int equals = properties.get(i).indexOf('=');
      if (equals < 1) {
        throw new ParameterException(
            command, "Invalid --property number %d (must be key=value)".formatted(i + 1));
      }
      all.put(properties.get(i).substring(0, equals), properties.get(i).substring(equals + 1));
    }
    if (!all.containsKey("type") && !all.containsKey("catalog-impl")) {
      throw new ParameterException(
          command,
          "Missing catalog property: give --property type=hadoop, jdbc, rest, hive or another, or catalog-impl=CLASS.");
    }
    if (catalog.isEmpty()) {
      throw new ParameterException(command, "Invalid catalog name: empty (must be a name)");
    }
    return CatalogConfig.of(catalog, all);
  }

  /** The text without any value of a property that must not be seen. */
  String scrub(String text) {
    Map<String, String> all = new LinkedHashMap<>();
    try {
      if (propertiesFile != null) {
        all.putAll(load(propertiesFile));
      }
    } catch (IOException | IllegalArgumentException e) {
      // Then nothing of it was used.
      all.clear();
    }
    int i = 0;
    for (String property : properties) {
      int equals = property.indexOf('=');
      // Each under a key of its own, as the same key may be given twice.
      String key = equals < 1 ? "property" : property.substring(0, equals);
      all.put(all.containsKey(key) ? key + "#" + i++ : key, property.substring(equals + 1));
    }
    return CatalogSecrets.scrub(CatalogConfig.of("scrub", all), text);
  }

  private static Map<String, String> read(Path file, CommandLine command) {
    try {
      return load(file);
    } catch (IOException e) {
      throw new ParameterException(
          command,
          "Cannot read properties file %s: %s. Check path and rights."
              .formatted(file, e.getClass().getSimpleName()),
          e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command,
          "Cannot read properties file %s: it has a malformed escape (must be Java's properties format)"
              .formatted(file),
          e);
    }
  }

  private static Map<String, String> load(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    Map<String, String> map = new LinkedHashMap<>();
    for (String key : properties.stringPropertyNames()) {
      map.put(key, properties.getProperty(key));
    }
    return map;
  }
}
