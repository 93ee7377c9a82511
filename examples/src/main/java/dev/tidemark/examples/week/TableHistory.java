package dev.tidemark.examples.week;

import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;

/** Every version of the table's metadata, which a Hadoop catalog keeps in a folder. */
final class TableHistory {
  private static final Pattern FILE = Pattern.compile("v(\\d+)(\\.gz)?\\.metadata\\.json");

  private TableHistory() {}

  /**
   * One version.
   *
   * @param watermarkMillis the watermark it holds; null if it holds none
   * @param snapshot the snapshot it added; null if it changed properties only
   * @param facts what the snapshot's writer said of it; null without a snapshot of a writer
   */
  record Version(int number, Long watermarkMillis, Snapshot snapshot, CommitFacts facts) {}

  static List<Version> read(Table table, Path folder) throws IOException {
    List<Version> versions = new ArrayList<>();
    long head = -1;
    for (Path file : files(folder)) {
      TableMetadata metadata =
          TableMetadataParser.read(table.io().newInputFile(file.toUri().getPath()));
      StoredEvidence evidence = StoredEvidence.of(metadata, TidemarkKeys.MAIN);
      Snapshot current = metadata.currentSnapshot();
      boolean added = current != null && current.snapshotId() != head;
      head = current == null ? -1 : current.snapshotId();
      versions.add(
          new Version(
              number(file),
              evidence.watermark().finalizedUntilMillis(),
              added ? current : null,
              added ? facts(evidence, current) : null));
    }
    return versions;
  }

  private static CommitFacts facts(StoredEvidence evidence, Snapshot snapshot) {
    String writer = evidence.writer(snapshot);
    WriterWindow window = writer == null ? null : evidence.window(writer);
    return window == null
        ? null
        : window.facts().stream()
            .filter(facts -> facts.snapshotId() == snapshot.snapshotId())
            .findFirst()
            .orElse(null);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> FILE.matcher(file.getFileName().toString()).matches())
          .sorted(Comparator.comparingInt(TableHistory::number))
          .toList();
    }
  }

  private static int number(Path file) {
    Matcher matcher = FILE.matcher(file.getFileName().toString());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Cannot read version of " + file);
    }
    return Integer.parseInt(matcher.group(1));
  }
}
