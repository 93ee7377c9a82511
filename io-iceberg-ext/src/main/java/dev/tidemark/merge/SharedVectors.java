package dev.tidemark.merge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * Deletion vectors that lie in one file with others, as other engines write them. Where one of them
 * is replaced, Iceberg's expiry of snapshots takes the file although the others are live.
 */
final class SharedVectors {
  private SharedVectors() {}

  /** Vectors of a snapshot in the files of those that hits replace, but for the replaced ones. */
  static List<DeleteFile> besides(Table table, long snapshotId, List<FileHits> hits) {
    Set<String> vectorFiles = new HashSet<>();
    Set<String> replaced = new HashSet<>();
    for (FileHits each : hits) {
      replaced.add(each.file().location());
      each.deletes().stream()
          .filter(ContentFileUtil::isDV)
          .forEach(vector -> vectorFiles.add(vector.location()));
    }
    if (vectorFiles.isEmpty()) {
      return List.of();
    }
    List<DeleteFile> besides = new ArrayList<>();
    for (ManifestFile manifest : table.snapshot(snapshotId).deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> deletes =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        for (DeleteFile each : deletes) {
          if (vectorFiles.contains(each.location())
              && !replaced.contains(each.referencedDataFile())) {
            besides.add(each.copy());
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read delete files of table " + table.name(), e);
      }
    }
    return besides;
  }
}
