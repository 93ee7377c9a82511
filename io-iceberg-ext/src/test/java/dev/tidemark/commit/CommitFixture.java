package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Types;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/**
 * A catalog in a temporary folder with one table, a clock that is set by hand, and results for that
 * table.
 */
final class CommitFixture extends ExternalResource {
  static final TableIdentifier TABLE = TableIdentifier.of("db", "events");
  static final String WRITER = "eu";
  static final long HOUR = 3_600_000L;
  static final long START = Instant.parse("2024-05-01T10:00:00Z").toEpochMilli();

  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "at", Types.TimestampType.withZone()),
          Types.NestedField.optional(3, "region", Types.StringType.get()));

  private final TemporaryFolder folder = new TemporaryFolder();
  private final CatalogKind kind;
  private long nowMillis = START;
  private Catalog catalog;

  CommitFixture(CatalogKind kind) {
    this.kind = kind;
  }

  @Override
  protected void before() throws Throwable {
    folder.create();
    catalog = kind.open(folder.newFolder());
    ((SupportsNamespaces) catalog).createNamespace(Namespace.of("db"));
    createTable(Map.of());
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

  Table createTable(Map<String, String> properties) {
    if (catalog.tableExists(TABLE)) {
      catalog.dropTable(TABLE, false);
    }
    return catalog
        .buildTable(TABLE, SCHEMA)
        .withProperty("format-version", "2")
        .withProperty("commit.retry.num-retries", "8")
        .withProperty("commit.retry.min-wait-ms", "1")
        .withProperty("commit.retry.max-wait-ms", "5")
        .withProperty("write.metadata.previous-versions-max", "100000")
        .withProperties(properties)
        .create();
  }

  Catalog catalog() {
    return catalog;
  }

  CatalogKind kind() {
    return kind;
  }

  File newFolder() {
    try {
      return folder.newFolder();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The time of all protocols of this fixture; commits do not move it. */
  Clock clock() {
    return new Clock() {
      @Override
      public ZoneOffset getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(java.time.ZoneId zone) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(nowMillis);
      }
    };
  }

  void setNow(long epochMillis) {
    nowMillis = epochMillis;
  }

  FaultyAccess faults() {
    return new FaultyAccess(catalog);
  }

  CommitProtocol protocol(TableAccess access) {
    return new CommitProtocol(access, clock(), millis -> {});
  }

  CommitProtocol protocol() {
    return protocol(TableAccess.of(catalog));
  }

  AdvanceProtocol advances(TableAccess access) {
    return new AdvanceProtocol(access, clock(), millis -> {});
  }

  AdvanceProtocol advances() {
    return advances(TableAccess.of(catalog));
  }

  CommitOutcome commit(WriterResult... results) {
    return protocol().commit(request(results), List.of());
  }

  static CommitRequest request(WriterResult... results) {
    return CommitRequest.of(TABLE, WRITER, Arrays.asList(results)).withReplayFloor(1);
  }

  Table table() {
    return catalog.loadTable(TABLE);
  }

  TableOperations operations() {
    return ((HasTableOperations) table()).operations();
  }

  TableMetadata metadata() {
    return operations().refresh();
  }

  String uuid() {
    return metadata().uuid();
  }

  Map<String, String> properties() {
    return metadata().properties();
  }

  /** A result with one new file of ten rows. */
  WriterResult result(long sequence) {
    return WriterResult.of(sequence, uuid(), ImmutableList.of(file(10)));
  }

  /** A result with one new file whose rows have these event times. */
  WriterResult result(long sequence, long... eventTimesMillis) {
    return WriterResult.of(sequence, uuid(), ImmutableList.of(file(eventTimesMillis.length)))
        .withEventTime(stats(eventTimesMillis));
  }

  static EventTimeStats stats(long... eventTimesMillis) {
    return EventTimeStats.of(EventTimeSketch.of(HOUR, eventTimesMillis));
  }

  DataFile file(long rows) {
    return file(PartitionSpec.unpartitioned(), rows);
  }

  DataFile file(PartitionSpec spec, long rows) {
    return DataFiles.builder(spec)
        .withPath(table().location() + "/data/" + UUID.randomUUID() + ".parquet")
        .withFileSizeInBytes(100)
        .withRecordCount(rows)
        .build();
  }

  /** The paths in the head, as often as they are in it. */
  List<String> livePaths() {
    List<String> paths = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table().newScan().planFiles()) {
      tasks.forEach(task -> paths.add(task.file().location()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return paths;
  }

  static List<String> paths(WriterResult... results) {
    return Arrays.stream(results)
        .flatMap(result -> result.files().stream())
        .map(DataFile::location)
        .toList();
  }

  /** Every metadata version that is left of the table, oldest first. */
  List<TableMetadata> versions() {
    List<TableMetadata> versions = new ArrayList<>();
    forEachVersion(versions::add);
    return versions;
  }

  /** Reads one metadata version after the other, oldest first. */
  void forEachVersion(Consumer<TableMetadata> reader) {
    TableMetadata current = metadata();
    FileIO io = operations().io();
    for (TableMetadata.MetadataLogEntry entry : current.previousFiles()) {
      reader.accept(TableMetadataParser.read(io, entry.file()));
    }
    reader.accept(current);
  }

  Snapshot head() {
    return table().currentSnapshot();
  }

  /** Expires everything but the head. */
  void expireAll() {
    table()
        .expireSnapshots()
        .expireOlderThan(Long.MAX_VALUE)
        .retainLast(1)
        .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
        .commit();
  }

  void rollbackTo(long snapshotId) {
    table().manageSnapshots().setCurrentSnapshot(snapshotId).commit();
  }
}
