package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.datafile.DataFileCodec;
import dev.tidemark.datafile.FileOptions;
import dev.tidemark.datafile.ForklessFileSystem;
import dev.tidemark.datafile.RowSchemas;
import dev.tidemark.datafile.TableFileWriter;
import dev.tidemark.eventtime.EventTimeExtractor;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/** A Hadoop catalog in a temporary folder, rows of orders, and a reader that is Iceberg's own. */
final class Warehouse extends ExternalResource {
  static final String WRITER = "eu";
  static final String ORDERS_NAME = "db.orders";
  static final TableIdentifier ORDERS = TableIdentifier.parse(ORDERS_NAME);

  static final Schema ORDER =
      Schema.builder()
          .addInt64Field("id")
          .addNullableField("placed", FieldType.DATETIME)
          .addNullableField("region", FieldType.STRING)
          .build();

  /** Takes the fixed dates of the tests, whenever these run. */
  static final EventTimeExtractor PLACED =
      EventTimeExtractor.column("placed")
          .withRange(Duration.standardDays(365_000), Duration.standardDays(1));

  private final TemporaryFolder folder = new TemporaryFolder();
  private @Nullable CatalogConfig config;

  @Override
  protected void before() throws IOException {
    folder.create();
    config =
        CatalogConfig.of(
                "lake",
                Map.of("type", "hadoop", "warehouse", folder.newFolder().toURI().toString()))
            .withHadoopConfiguration(Map.of("fs.file.impl", ForklessFileSystem.class.getName()));
  }

  @Override
  protected void after() {
    folder.delete();
  }

  CatalogConfig config() {
    return config;
  }

  File newFolder() throws IOException {
    return folder.newFolder();
  }

  /** A write to this catalog that creates tables partitioned like this; nothing else is set. */
  WriteRows write(String... partitions) {
    return TidemarkIcebergIO.writeRows()
        .withCatalog(config)
        .withWriterId(WRITER)
        .withTableCreation(TableCreation.unpartitioned().withPartitions(partitions));
  }

  static Row order(long id, @Nullable String placed, @Nullable String region) {
    return Row.withSchema(ORDER)
        .addValues(id, placed == null ? null : Instant.parse(placed), region)
        .build();
  }

  Table create(String name, String... partitions) {
    return create(name, ORDER, partitions);
  }

  Table create(String name, Schema schema, String... partitions) {
    return create(config, name, schema, partitions);
  }

  static Table create(CatalogConfig config, String name, Schema schema, String... partitions) {
    org.apache.iceberg.Schema columns = RowSchemas.toIceberg(schema);
    return config
        .catalog()
        .buildTable(TableIdentifier.parse(name), columns)
        .withPartitionSpec(TableCreation.unpartitioned().withPartitions(partitions).spec(columns))
        .withProperty("format-version", "2")
        .withProperty("commit.retry.min-wait-ms", "1")
        .withProperty("commit.retry.max-wait-ms", "5")
        .create();
  }

  Table table(String name) {
    return config.loadTable(TableIdentifier.parse(name));
  }

  List<Row> orders(String name) {
    return orders(name, Expressions.alwaysTrue());
  }

  List<Row> orders(String name, Expression filter) {
    List<Row> rows = new ArrayList<>();
    for (Record record : records(table(name), filter)) {
      OffsetDateTime placed = (OffsetDateTime) record.getField("placed");
      rows.add(
          Row.withSchema(ORDER)
              .addValues(
                  record.getField("id"),
                  placed == null ? null : Instant.ofEpochMilli(placed.toInstant().toEpochMilli()),
                  record.getField("region"))
              .build());
    }
    return rows;
  }

  static List<Record> records(Table table, Expression filter) {
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).where(filter).build()) {
      return ImmutableList.copyOf(records);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Snapshot> snapshots(String name) {
    return ImmutableList.copyOf(table(name).snapshots());
  }

  /** The summary of the newest snapshot. */
  Map<String, String> summary(String name) {
    return table(name).currentSnapshot().summary();
  }

  List<String> livePaths(String name) {
    List<String> paths = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table(name).newScan().planFiles()) {
      tasks.forEach(task -> paths.add(task.file().location()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return paths;
  }

  /** What a writer hands over for these rows. */
  static BundleResult result(Table table, Row... rows) {
    try (TableFileWriter writer =
        TableFileWriter.open(table, rows[0].getSchema(), FileOptions.defaults())) {
      for (Row row : rows) {
        writer.write(row);
      }
      List<byte[]> files = new ArrayList<>();
      for (DataFile file : writer.complete()) {
        files.add(DataFileCodec.encode(file, table.specs().get(file.specId())));
      }
      return BundleResult.of(
          table.uuid().toString(), files, rows.length, null, ImmutableSortedMap.of());
    }
  }

  static List<String> paths(BundleResult result) {
    return result.files().stream().map(DataFileCodec::location).toList();
  }
}
