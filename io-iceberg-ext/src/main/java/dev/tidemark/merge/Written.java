package dev.tidemark.merge;

import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files that one plan wrote or wants removed, until they are committed. */
final class Written {
  private static final Logger LOG = LoggerFactory.getLogger(Written.class);

  final List<DataFile> rows = new ArrayList<>();
  final List<DeleteFile> deletes = new ArrayList<>();

  /** Delete files that those written replace. */
  final List<DeleteFile> replaced = new ArrayList<>();

  /** Data files that go as a whole. */
  final List<DataFile> removed = new ArrayList<>();

  /** Data files that rows are deleted in. */
  final List<String> referenced = new ArrayList<>();

  boolean isEmpty() {
    return rows.isEmpty() && deletes.isEmpty() && removed.isEmpty();
  }

  /** Removes the files, which no table refers to. */
  void discard(Table table) {
    rows.forEach(file -> delete(table, file.location()));
    deletes.forEach(file -> delete(table, file.location()));
  }

  private static void delete(Table table, String location) {
    try {
      table.io().deleteFile(location);
    } catch (RuntimeException e) {
      LOG.warn(
          "Cannot delete {} of an abandoned merge; remove orphan files of table {}",
          location,
          table.name(),
          e);
    }
  }
}
