package dev.tidemark.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A warehouse as it was when a savepoint was taken: the metadata from before it, and all data files
 * that were there after it, those that the savepoint holds among them.
 */
final class RecordedWarehouse {
  static final String FILE = "warehouse.zip";

  private final Path folder;
  private final Map<String, byte[]> metadata = new TreeMap<>();

  private RecordedWarehouse(Path folder) {
    this.folder = folder;
  }

  static RecordedWarehouse empty(Path folder) throws IOException {
    delete(folder);
    Files.createDirectories(folder);
    return new RecordedWarehouse(folder);
  }

  /** Remembers the metadata of all tables as they are now. */
  void keepMetadata() throws IOException {
    metadata.clear();
    for (Path file : files()) {
      if (isMetadata(file)) {
        metadata.put(nameOf(file), Files.readAllBytes(file));
      }
    }
  }

  /** Writes what was remembered, and the data files. */
  void zip(Path to) throws IOException {
    Map<String, byte[]> all = new TreeMap<>(metadata);
    for (Path file : files()) {
      if (!isMetadata(file)) {
        all.put(nameOf(file), Files.readAllBytes(file));
      }
    }
    try (OutputStream out = Files.newOutputStream(to);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : all.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
      }
    }
  }

  /** Puts a recorded warehouse in place of what is in a folder. */
  static void unzip(Path from, Path folder) throws IOException {
    delete(folder);
    try (InputStream in = Files.newInputStream(from);
        ZipInputStream zip = new ZipInputStream(in)) {
      ZipEntry entry;
      while ((entry = zip.getNextEntry()) != null) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
  }

  /** All files but Hadoop's checksums, without which it reads too. */
  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().endsWith(".crc"))
          .toList();
    }
  }

  private static boolean isMetadata(Path file) {
    return file.getParent().endsWith("metadata");
  }

  private String nameOf(Path file) {
    return folder.relativize(file).toString();
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
