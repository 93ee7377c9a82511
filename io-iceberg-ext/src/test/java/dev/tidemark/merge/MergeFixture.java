package dev.tidemark.merge;

import dev.tidemark.commit.CatalogKind;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.TableAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/**
 * A catalog in a temporary folder with a base table and a change table of orders, both written and
 * read by Iceberg's own classes.
 */
final class MergeFixture extends ExternalResource {
  static final TableIdentifier BASE = TableIdentifier.of("shop", "orders");
  static final TableIdentifier CHANGES = TableIdentifier.of("shop", "orders_changes");
  static final long HOUR = 3_600_000L;

  static final Schema ORDER =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "region", Types.StringType.get()),
          Types.NestedField.optional(3, "amount", Types.IntegerType.get()));

  static final Schema CHANGE =
      new Schema(
          Types.NestedField.required(1, "_position", Types.LongType.get()),
          Types.NestedField.optional(2, "id", Types.LongType.get()),
          Types.NestedField.optional(3, "amount", Types.IntegerType.get()),
          Types.NestedField.optional(4, "region", Types.StringType.get()),
          Types.NestedField.required(5, "_kind", Types.StringType.get()));

  private final TemporaryFolder folder = new TemporaryFolder();
  private final CatalogKind kind;
  private Catalog catalog;
  private long position;

  MergeFixture(CatalogKind kind) {
    this.kind = kind;
  }

  @Override
  protected void before() throws IOException {
    folder.create();
    catalog = kind.open(folder.newFolder());
    ((SupportsNamespaces) catalog).createNamespace(Namespace.of("shop"));
  }

  @Override
  protected void after() {
    try {
      if (catalog instanceof AutoCloseable closeable) {
        closeable.close();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    folder.delete();
  }

  Catalog catalog() {
    return catalog;
  }

  TemporaryFolder folder() {
    return folder;
  }

  /** Creates both tables, the base partitioned by region. */
  void createTables(int formatVersion) {
    createBase(formatVersion, PartitionSpec.builderFor(ORDER).identity("region").build());
    create(CHANGES, CHANGE, 2, PartitionSpec.unpartitioned());
  }

  Table createBase(int formatVersion, PartitionSpec spec) {
    return create(BASE, ORDER, formatVersion, spec);
  }

  Table create(TableIdentifier id, Schema schema, int formatVersion, PartitionSpec spec) {
    return catalog
        .buildTable(id, schema)
        .withPartitionSpec(spec)
        .withProperty("format-version", Integer.toString(formatVersion))
        .withProperty("commit.retry.num-retries", "8")
        .withProperty("commit.retry.min-wait-ms", "1")
        .withProperty("commit.retry.max-wait-ms", "5")
        .withProperty("write.metadata.previous-versions-max", "100000")
        .create();
  }

  static MergeSpec spec() {
    return MergeSpec.into(BASE).withSource("orders", CHANGES).withKey("id").withOrder("_position");
  }

  MergeResult merge(MergeSpec spec) {
    return merge(spec, MergeProbe.NONE);
  }

  MergeResult merge(MergeSpec spec, MergeProbe probe) {
    return merge(spec, TableAccess.of(catalog), probe);
  }

  MergeResult merge(MergeSpec spec, TableAccess bases, MergeProbe probe) {
    Sleeper noWait = millis -> {};
    return new BaseTableMerge(
            spec,
            bases,
            TableAccess.of(catalog),
            Clock.systemUTC(),
            noWait,
            probe,
            new java.util.concurrent.atomic.LongAdder())
        .run();
  }

  Table base() {
    return catalog.loadTable(BASE);
  }

  Table changes() {
    return catalog.loadTable(CHANGES);
  }

  /** A change at the next position of the log. */
  Record change(String kind, @Nullable Long id, @Nullable String region, @Nullable Integer amount) {
    return changeAt(++position, kind, id, region, amount);
  }

  static Record changeAt(
      long position,
      String kind,
      @Nullable Long id,
      @Nullable String region,
      @Nullable Integer amount) {
    Record record = GenericRecord.create(CHANGE);
    record.setField("_position", position);
    record.setField("_kind", kind);
    record.setField("id", id);
    record.setField("region", region);
    record.setField("amount", amount);
    return record;
  }

  static Record order(long id, @Nullable String region, @Nullable Integer amount) {
    Record record = GenericRecord.create(ORDER);
    record.setField("id", id);
    record.setField("region", region);
    record.setField("amount", amount);
    return record;
  }

  /** Appends changes to the change table in one commit. */
  void append(Record... records) {
    append(changes(), Arrays.asList(records));
  }

  static void append(Table table, List<Record> records) {
    AppendFiles append = table.newAppend();
    write(table, records).forEach(append::appendFile);
    append.commit();
  }

  /** Writes rows, a file for each partition. */
  static List<DataFile> write(Table table, List<Record> records) {
    PartitionKey partition = new PartitionKey(table.spec(), table.schema());
    InternalRecordWrapper internal = new InternalRecordWrapper(table.schema().asStruct());
    Map<PartitionKey, List<Record>> byPartition = new HashMap<>();
    for (Record record : records) {
      partition.partition(internal.wrap(record));
      byPartition.computeIfAbsent(partition.copy(), p -> new ArrayList<>()).add(record);
    }
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PARQUET)
            .operationId(UUID.randomUUID().toString())
            .build();
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .build();
    List<DataFile> written = new ArrayList<>();
    byPartition.forEach(
        (key, rows) -> {
          DataWriter<Record> writer =
              factory.newDataWriter(
                  files.newOutputFile(table.spec(), table.spec().isPartitioned() ? key : null),
                  table.spec(),
                  table.spec().isPartitioned() ? key : null);
          try (writer) {
            rows.forEach(writer::write);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          written.add(writer.toDataFile());
        });
    return written;
  }

  /** States a watermark of a source, as the advance protocol does. */
  void finalizeUntil(TableIdentifier source, long millis) {
    Table table = catalog.loadTable(source);
    table
        .updateProperties()
        .set("tidemark.finalized-until", Instant.ofEpochMilli(millis).toString())
        .set("tidemark.finalized-until-ms", Long.toString(millis))
        .set("tidemark.finalized-until-table-uuid", table.uuid().toString())
        .set("tidemark.finalized-until-snapshot-id", "" + table.currentSnapshot().snapshotId())
        .set("tidemark.finalized-since", Instant.ofEpochMilli(0).toString())
        .commit();
  }

  /** The rows of the base table by id, as Iceberg reads them. */
  Map<Long, List<Object>> rows() {
    return rows(base());
  }

  static Map<Long, List<Object>> rows(Table table) {
    Map<Long, List<Object>> rows = new TreeMap<>();
    for (Record record : read(table)) {
      Object before =
          rows.put(
              (Long) record.getField("id"),
              Arrays.asList(record.getField("region"), record.getField("amount")));
      if (before != null) {
        throw new AssertionError("Two rows of id " + record.getField("id"));
      }
    }
    return rows;
  }

  /** All rows of a table, as Iceberg reads them. */
  static List<Record> read(Table table) {
    List<Record> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(record -> rows.add(record.copy()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /** Rewrites all data files of the base into new ones, without any delete file. */
  void compact() {
    compact(base());
  }

  static void compact(Table table) {
    if (table.currentSnapshot() == null) {
      return;
    }
    List<Record> rows = read(table);
    RewriteFiles rewrite = table.newRewrite();
    rewrite.validateFromSnapshot(table.currentSnapshot().snapshotId());
    int files = 0;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        rewrite.deleteFile(task.file());
        task.deletes().forEach(rewrite::deleteFile);
        files++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (files == 0) {
      return;
    }
    write(table, rows).forEach(rewrite::addFile);
    rewrite.commit();
  }

  /** Deletes the first row of each file of the base, as other engines do: all vectors in a file. */
  void deleteFirstRowsByVectorsOfOneFile() {
    Table table = base();
    BaseDVFileWriter writer =
        new BaseDVFileWriter(
            OutputFileFactory.builderFor(table, 1, 1).format(FileFormat.PUFFIN).build(),
            location -> null);
    try (writer;
        CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      tasks.forEach(
          task -> writer.delete(task.file().location(), 0, task.spec(), task.file().partition()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    RowDelta delta = table.newRowDelta();
    writer.result().deleteFiles().forEach(delta::addDeletes);
    delta.commit();
  }

  /** Expires all snapshots of a table that no branch or tag points to. */
  void expire(TableIdentifier id) {
    catalog
        .loadTable(id)
        .expireSnapshots()
        .expireOlderThan(Long.MAX_VALUE)
        .retainLast(1)
        .cleanupLevel(ExpireSnapshots.CleanupLevel.ALL)
        .commit();
  }

  TableMetadata metadata(TableIdentifier id) {
    return ((HasTableOperations) catalog.loadTable(id)).operations().refresh();
  }

  String property(String key) {
    return base().properties().get(key);
  }
}
