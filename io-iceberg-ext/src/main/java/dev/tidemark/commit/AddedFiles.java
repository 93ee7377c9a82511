package dev.tidemark.commit;

import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/** The data files a snapshot added, from its manifests. */
final class AddedFiles {
  private AddedFiles() {}

  static Iterable<DataFile> of(TableMetadata base, Snapshot snapshot, FileIO io) {
    BaseTable table = new BaseTable(new StaticTableOperations(base, io), base.location());
    return SnapshotChanges.builderFor(table).snapshot(snapshot).build().addedDataFiles();
  }

  static ImmutableSet<String> paths(TableMetadata base, Snapshot snapshot, FileIO io) {
    ImmutableSet.Builder<String> paths = ImmutableSet.builder();
    of(base, snapshot, io).forEach(file -> paths.add(file.location()));
    return paths.build();
  }
}
