package dev.tidemark.examples.benchmarks.basemerge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files of a warehouse of Hadoop tables as they were at one time. Whatever is committed later goes
 * by deleting what is new and putting the hints of the newest versions back.
 */
final class TableFiles {
  private static final String HINT = "version-hint.text";

  private final Path warehouse;
  private final Path kept;

  TableFiles(Path warehouse) {
    this.warehouse = warehouse;
    this.kept = warehouse.resolveSibling(warehouse.getFileName() + "-kept");
  }

  /** Whether there is something to go back to that was kept under this name. */
  boolean isKept(String name) throws IOException {
    Path mark = kept.resolve("name");
    return Files.exists(mark) && Files.readString(mark).equals(name);
  }

  /** Remembers the files as they are. */
  void keep(String name) throws IOException {
    Files.createDirectories(kept);
    for (Path file : files()) {
      if (isHint(file)) {
        Path copy = kept.resolve(file);
        Files.createDirectories(copy.getParent());
        Files.copy(warehouse.resolve(file), copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.write(kept.resolve("files"), files().stream().map(Path::toString).toList());
    Files.writeString(kept.resolve("name"), name);
  }

  /** Makes the files what they were. */
  void restore() throws IOException {
    Set<String> before = new HashSet<>(Files.readAllLines(kept.resolve("files")));
    for (Path file : files()) {
      if (!before.contains(file.toString())) {
        Files.delete(warehouse.resolve(file));
      } else if (isHint(file)) {
        Files.copy(
            kept.resolve(file), warehouse.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(warehouse)) {
      return all.filter(Files::isRegularFile).map(warehouse::relativize).toList();
    }
  }

  /** With its checksum beside it. */
  private static boolean isHint(Path file) {
    return file.getFileName().toString().contains(HINT);
  }
}
