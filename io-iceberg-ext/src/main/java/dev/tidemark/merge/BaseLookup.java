package dev.tidemark.merge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.GenericDeleteFilter;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Finds the rows that the base table holds of the folded keys. Only files that can hold one are
 * opened, of those only key and position are read (all columns where a change left values out), and
 * what is deleted in a file is looked at only once a row was found.
 */
final class BaseLookup {
  private final MergeSpec spec;
  private final Table table;
  private final KeyFold fold;
  private final CountedFiles files;
  private final Schema projection;
  private final int[] key;
  private final int position;
  private final boolean wholeRows;

  BaseLookup(MergeSpec spec, Table table, KeyFold fold, CountedFiles files) {
    this.spec = spec;
    this.table = table;
    this.fold = fold;
    this.files = files;
    this.wholeRows = fold.needsValues();
    List<NestedField> columns = new ArrayList<>();
    if (wholeRows) {
      columns.addAll(table.schema().columns());
    } else {
      spec.key().forEach(name -> columns.add(table.schema().findField(name)));
    }
    columns.add(MetadataColumns.ROW_POSITION);
    this.projection = new Schema(columns);
    this.position = columns.size() - 1;
    this.key = positions(projection, spec.key());
  }

  static int[] positions(Schema schema, List<String> names) {
    List<String> columns = schema.columns().stream().map(NestedField::name).toList();
    return names.stream().mapToInt(columns::indexOf).toArray();
  }

  /** Which files can hold any of the keys, and what to read of them. */
  record Candidate(FileScanTask task, Expression filter) {}

  /** The candidates in a snapshot. */
  List<Candidate> candidates(long snapshotId) {
    KeyIndex index = new KeyIndex(fold, spec, table.schema(), table.specs());
    List<Candidate> candidates = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks =
        table
            .newScan()
            .useSnapshot(snapshotId)
            .filter(index.filter())
            .ignoreResiduals()
            .includeColumnStats(spec.key())
            .planFiles()) {
      for (FileScanTask task : tasks) {
        Expression filter = index.filter(task.file());
        if (filter != null) {
          candidates.add(new Candidate(task, filter));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot plan files of table " + table.name(), e);
    }
    return candidates;
  }

  /** Looks all candidates up. */
  List<FileHits> find(Collection<Candidate> candidates, int threads) {
    ConcurrentLinkedQueue<FileHits> found = new ConcurrentLinkedQueue<>();
    Parallel.forEach(
        candidates,
        threads,
        candidate -> {
          FileHits hits = find(candidate);
          if (hits != null) {
            found.add(hits);
          }
        });
    return List.copyOf(found);
  }

  private @Nullable FileHits find(Candidate candidate) {
    FileScanTask task = candidate.task();
    boolean equality =
        task.deletes().stream().anyMatch(d -> d.content() == FileContent.EQUALITY_DELETES);
    try {
      long[] positions = equality ? filtered(task) : plain(candidate);
      return positions.length == 0
          ? null
          : new FileHits(withoutStats(task.file()), List.copyOf(task.deletes()), positions);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot look up rows of table %s: %s".formatted(table.name(), task.file().location()), e);
    }
  }

  private static DataFile withoutStats(DataFile file) {
    return file.copyWithoutStats();
  }

  private long[] plain(Candidate candidate) throws IOException {
    FileScanTask task = candidate.task();
    KeyReader keys = new KeyReader(projection.asStruct(), key);
    FileHits.Positions positions = new FileHits.Positions();
    PositionDeleteIndex gone = null;
    try (CloseableIterable<Record> records = open(task.file(), projection, candidate.filter())) {
      for (Record record : records) {
        FoldedKey folded = fold.get(keys.key(record));
        if (folded == null || folded.isSettled()) {
          continue;
        }
        if (gone == null) {
          gone = deleted(files, task.deletes(), task.file().location());
        }
        long at = (Long) record.get(position);
        if (!gone.isDeleted(at)) {
          positions.add(at);
          found(folded, record);
        }
      }
    }
    return positions.toArray();
  }

  /** The same where equality deletes decide which rows are there. */
  private long[] filtered(FileScanTask task) throws IOException {
    GenericDeleteFilter filter =
        new GenericDeleteFilter(files.io(), task, table.schema(), projection);
    Schema required = filter.requiredSchema();
    int at = positions(required, List.of(MetadataColumns.ROW_POSITION.name()))[0];
    KeyReader keys = new KeyReader(required.asStruct(), positions(required, spec.key()));
    FileHits.Positions positions = new FileHits.Positions();
    try (CloseableIterable<Record> records =
        filter.filter(open(task.file(), required, Expressions.alwaysTrue()))) {
      for (Record record : records) {
        FoldedKey folded = fold.get(keys.key(record));
        if (folded != null && !folded.isSettled()) {
          positions.add((Long) record.get(at));
          found(folded, record);
        }
      }
    }
    return positions.toArray();
  }

  static PositionDeleteIndex deleted(CountedFiles files, List<DeleteFile> deletes, String file) {
    List<DeleteFile> byPosition =
        deletes.stream().filter(d -> d.content() == FileContent.POSITION_DELETES).toList();
    return byPosition.isEmpty()
        ? PositionDeleteIndex.empty()
        : new BaseDeleteLoader(files::open).loadPositionDeletes(byPosition, file);
  }

  private void found(FoldedKey folded, Record record) {
    synchronized (folded) {
      folded.setFound();
      for (int column : folded.missing()) {
        folded.row().set(column, record.get(column));
      }
      if (folded.missing().length > 0) {
        folded.setMissing(new int[0]);
        fold.check(folded.row());
      }
    }
  }

  private CloseableIterable<Record> open(DataFile file, Schema columns, Expression filter) {
    ReadBuilder<Record, Schema> reader =
        FormatModelRegistry.readBuilder(file.format(), Record.class, files.open(file));
    reader
        .project(columns)
        .filter(filter)
        .idToConstant(ChangeReader.identityValues(table, file.specId(), file.partition()))
        .withNameMapping(ChangeReader.nameMapping(table));
    if (!wholeRows) {
      reader.reuseContainers();
    }
    return reader.build();
  }
}
