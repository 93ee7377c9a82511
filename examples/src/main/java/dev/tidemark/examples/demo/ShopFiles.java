package dev.tidemark.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.doris.emulator.DorisEmulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * What the pipeline is given of the shop, as files of a folder: the recorded change events, the
 * declaration of the tables, the password of Doris.
 */
public final class ShopFiles {
  private final Path folder;

  private ShopFiles(Path folder) {
    this.folder = folder;
  }

  /** Writes the files into a folder, which is created if it is missing. */
  public static ShopFiles write(Path folder) throws IOException {
    Files.createDirectories(folder);
    ShopFiles files = new ShopFiles(folder.toAbsolutePath());
    copy("/demo/events.jsonl.gz", files.events());
    copy("/templates/shop-tables.json", files.tables());
    Files.writeString(files.folder.resolve("doris-password"), ServingTables.PASSWORD + "\n");
    return files;
  }

  private static void copy(String resource, Path file) throws IOException {
    Files.write(file, Resources.toByteArray(Resources.getResource(ShopFiles.class, resource)));
  }

  /** The recorded change events. */
  public Path events() {
    return folder.resolve("events.jsonl.gz");
  }

  /** The declaration of the tables. */
  public Path tables() {
    return folder.resolve("shop-tables.json");
  }

  /** Where the pipeline puts dead letters. */
  public Path deadLetters() {
    return folder.resolve("dead-letters");
  }

  /** Where the pipeline has its Iceberg tables. */
  public Path warehouse() {
    return folder.resolve("warehouse");
  }

  /** The catalog of the Iceberg tables. */
  public CatalogConfig catalog() {
    return CatalogConfig.of("demo", Map.of("type", "hadoop", "warehouse", warehouse().toString()));
  }

  /**
   * Options of the pipeline for these files, the Iceberg tables and dead letters beside them, and
   * an emulator in the place of Doris.
   */
  public Map<String, String> options(DorisEmulator doris) {
    Map<String, String> options = new TreeMap<>();
    options.put("source", "FILES");
    options.put("inputFiles", events().toString());
    options.put("tables", tables().toString());
    options.put("deadLetterFolder", deadLetters().toString());
    options.put("catalogName", "demo");
    options.put("catalogType", "hadoop");
    options.put("catalogWarehouse", warehouse().toString());
    options.put("icebergNamespace", ServingTables.DATABASE);
    options.put("writerId", "demo");
    options.put("upsertOrder", "POSITION");
    options.put("dorisFrontends", doris.frontend());
    options.put("dorisUser", ServingTables.USER);
    options.put("dorisPassword", "${file:" + folder.resolve("doris-password") + "}");
    options.put("dorisDatabase", ServingTables.DATABASE);
    options.put("dorisShards", "1");
    return options;
  }

  /** What the source's database held in a table at the end: a JSON object for each row. */
  public static List<String> finalRows(String table) {
    return lines("final-" + table);
  }

  /** Lines of a packed resource of the demonstration. */
  static List<String> lines(String name) {
    try (InputStream in = ShopFiles.class.getResourceAsStream("/demo/" + name + ".jsonl.gz");
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(new GZIPInputStream(in), UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read resource " + name + ": " + e.getMessage(), e);
    }
  }

  /** Dead letters that the pipeline has written, each a JSON object. */
  public List<String> writtenDeadLetters() throws IOException {
    if (!Files.exists(deadLetters())) {
      return List.of();
    }
    try (var files = Files.walk(deadLetters())) {
      return files.filter(Files::isRegularFile).flatMap(ShopFiles::linesOf).toList();
    }
  }

  private static java.util.stream.Stream<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }
}
