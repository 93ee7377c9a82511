package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.AdvanceOutcome;
import dev.tidemark.commit.AdvanceProtocol;
import dev.tidemark.commit.AdvanceRequest;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.joda.time.Duration;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/**
 * A real catalog with one table that is written through the commit and advance protocols, and a
 * clock that only pauses move.
 */
public final class SensorTable extends ExternalResource {
  /** The table. */
  public static final TableIdentifier TABLE = TableIdentifier.of("db", "events");

  /** The name of the catalog. */
  public static final String CATALOG = "lake";

  /** Which catalog. */
  public enum Kind {
    HADOOP,
    JDBC,
    REST
  }

  public static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "ts", Types.TimestampType.withZone()),
          Types.NestedField.optional(3, "local", Types.TimestampType.withoutZone()),
          Types.NestedField.optional(4, "day", Types.DateType.get()),
          Types.NestedField.optional(5, "text", Types.StringType.get()));

  private static final long HOUR = 3_600_000L;

  /** The event time of the newest commit decides: one step of the watermark per commit. */
  public static final FinalizationPolicy POLICY = Policies.minOfMins(Lookback.of(1, Duration.ZERO));

  private final TemporaryFolder folder = new TemporaryFolder();
  private final Kind kind;
  private final Map<String, Long> sequences = new HashMap<>();
  private CatalogConfig config;
  private Instant now = Instant.parse("2026-01-02T00:00:00Z");

  public SensorTable(Kind kind) {
    this.kind = kind;
  }

  @Override
  protected void before() throws Throwable {
    folder.create();
    config = CatalogConfig.of(CATALOG, properties(folder.newFolder()));
    ((SupportsNamespaces) catalog()).createNamespace(Namespace.of("db"));
    create(TABLE, PartitionSpec.unpartitioned(), Map.of());
  }

  /** As {@link #before}, for those who keep it beyond a test. */
  public void open() throws Throwable {
    before();
  }

  /** As {@link #after}. */
  public void close() {
    after();
  }

  @Override
  protected void after() {
    folder.delete();
  }

  private ImmutableMap<String, String> properties(File warehouse) {
    String location = warehouse.toURI().toString();
    String database = "jdbc:sqlite:" + new File(warehouse, "catalog.db") + "?busy_timeout=60000";
    return switch (kind) {
      case HADOOP -> ImmutableMap.of("type", "hadoop", "warehouse", location);
      case JDBC ->
          ImmutableMap.of(
              "type",
              "jdbc",
              "uri",
              database,
              "jdbc.schema-version",
              "V1",
              "jdbc.password",
              "open-sesame",
              "warehouse",
              location);
      case REST ->
          ImmutableMap.of(
              "catalog-impl",
              InProcessRestCatalog.class.getName(),
              "uri",
              "http://unused.invalid/",
              InProcessRestCatalog.DATABASE,
              database,
              "io-impl",
              "org.apache.iceberg.hadoop.HadoopFileIO",
              "warehouse",
              location);
    };
  }

  /** The catalog's configuration. */
  public CatalogConfig config() {
    return config;
  }

  public Catalog catalog() {
    return config.catalog();
  }

  /** The table, loaded anew. */
  public Table table() {
    return catalog().loadTable(TABLE);
  }

  /** The table's finalization with this fixture's clock; pauses move it. */
  public Finalization finalization() {
    return Finalization.of(config, TABLE)
        .withClock(clock())
        .withSleeper(sleeper(() -> {}))
        .withRandom(() -> 0.5);
  }

  /** Creates a table of this schema. */
  public Table create(TableIdentifier name, PartitionSpec spec, Map<String, String> properties) {
    return catalog()
        .buildTable(name, SCHEMA)
        .withPartitionSpec(spec)
        .withProperty("format-version", "2")
        .withProperties(properties)
        .create();
  }

  /** Drops the table, so that it can be made anew. */
  public void drop() {
    catalog().dropTable(TABLE, false);
    sequences.clear();
  }

  /** The clock of everything here. */
  public Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Instant instant() {
        return now;
      }
    };
  }

  /** A pause that takes no time but moves the clock, and after which something has happened. */
  public Sleeper sleeper(Runnable meanwhile) {
    return millis -> {
      now = now.plusMillis(millis);
      meanwhile.run();
    };
  }

  public Instant now() {
    return now;
  }

  /** A commit of a writer with one row at each of these times, and the step of the watermark. */
  public AdvanceOutcome commitAndAdvance(String writer, String... times) {
    commit(writer, times);
    return advance(writer);
  }

  /** A commit of a writer with one row at each of these times; returns its snapshot. */
  public long commit(String writer, String... times) {
    return commit("main", writer, stats(times));
  }

  /** A commit of a writer to a branch; returns its snapshot. */
  public long commit(String branch, String writer, EventTimeStats stats) {
    CommitRequest request =
        CommitRequest.of(
                TABLE,
                writer,
                List.of(
                    WriterResult.of(
                            sequences.merge(branch + "/" + writer, 1L, Long::sum),
                            config.loadTable(TABLE).uuid().toString(),
                            ImmutableList.of(file(Math.max(1, stats.rowCount()))))
                        .withEventTime(stats)))
            .withBranch(branch)
            .withEventTimeColumn("ts", null)
            .withInputWatermarkMillis(now.toEpochMilli() - HOUR)
            .withReplayFloor(1);
    return new CommitProtocol(TableAccess.of(catalog()), clock(), millis -> {})
        .commit(request, List.of())
        .snapshotId();
  }

  /** Moves the watermark of the main branch as far as the policy allows. */
  public AdvanceOutcome advance(String writer) {
    return advance("main", writer);
  }

  public AdvanceOutcome advance(String branch, String writer) {
    return new AdvanceProtocol(TableAccess.of(catalog()), clock(), millis -> {})
        .advance(TABLE, AdvanceRequest.of(writer, POLICY).withBranch(branch));
  }

  /** Event times, one row each. */
  public static EventTimeStats stats(String... times) {
    return EventTimeStats.of(
        EventTimeSketch.of(
            HOUR, Arrays.stream(times).mapToLong(t -> Instant.parse(t).toEpochMilli()).toArray()));
  }

  /** An append that Tidemark knows nothing of. */
  public long foreignAppend() {
    Table table = table();
    table.newAppend().appendFile(file(7)).commit();
    return table.currentSnapshot().snapshotId();
  }

  /** A foreign append of one row, with this as the smallest value of a timestamp column. */
  long foreignAppend(String column, String utc) {
    Types.NestedField field = SCHEMA.findField(column);
    ByteBuffer bound =
        Conversions.toByteBuffer(field.type(), Instant.parse(utc).toEpochMilli() * 1_000L);
    Metrics metrics =
        new Metrics(1L, null, null, null, null, Map.of(field.fieldId(), bound), Map.of());
    Table table = table();
    table.newAppend().appendFile(builder().withMetrics(metrics).build()).commit();
    return table.currentSnapshot().snapshotId();
  }

  public DataFile file(long rows) {
    return builder().withRecordCount(rows).build();
  }

  private DataFiles.Builder builder() {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(table().location() + "/data/" + UUID.randomUUID() + ".parquet")
        .withFileSizeInBytes(100);
  }

  /** Makes an earlier snapshot the head again. */
  public void rollbackTo(long snapshotId) {
    table().manageSnapshots().setCurrentSnapshot(snapshotId).commit();
  }

  /** Expires every snapshot that no branch or tag needs. */
  public void expire() {
    table()
        .expireSnapshots()
        .expireOlderThan(Long.MAX_VALUE)
        .retainLast(1)
        .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
        .commit();
  }

  /** Sets a property of the table behind Tidemark's back. */
  public void setProperty(String key, String value) {
    table().updateProperties().set(key, value).commit();
  }

  /** A new folder that is gone after the test. */
  public File newFolder() {
    try {
      return folder.newFolder();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
