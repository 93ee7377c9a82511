package dev.tidemark.examples.benchmarks.basemerge;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.merge.BaseTableMerge;
import dev.tidemark.merge.MergeSpec;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;

/**
 * The tables: a base table for each format version, partitioned by region with two files in each
 * and the keys spread over all, and a change table for each shape.
 */
final class MergeTables {
  static final String NAMESPACE = "bench";
  private static final int REGIONS = 100;
  private static final int FILES_PER_REGION = 2;
  private static final long FIRST_MICROS = 1_767_225_600_000_000L;
  private static final String[] STATUS = {"new", "paid", "shipped", "returned"};

  private static final Schema ROWS =
      new Schema(
          Types.NestedField.optional(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "region", Types.StringType.get()),
          Types.NestedField.optional(3, "customer", Types.IntegerType.get()),
          Types.NestedField.optional(4, "status", Types.StringType.get()),
          Types.NestedField.optional(5, "amount", Types.DecimalType.of(14, 2)),
          Types.NestedField.optional(6, "placed", Types.TimestampType.withZone()),
          Types.NestedField.optional(7, "note", Types.StringType.get()));

  private static final Schema CHANGES = new Schema(changeColumns());

  private final Catalog catalog;
  private final int rowsPerFile;
  private final int changed;

  private MergeTables(Catalog catalog, int rows, int changed) {
    this.catalog = catalog;
    this.rowsPerFile = rows / (REGIONS * FILES_PER_REGION);
    this.changed = changed;
  }

  private static List<Types.NestedField> changeColumns() {
    List<Types.NestedField> columns = new ArrayList<>(ROWS.columns());
    columns.add(Types.NestedField.optional(8, "_position", Types.LongType.get()));
    columns.add(Types.NestedField.optional(9, "_kind", Types.StringType.get()));
    return columns;
  }

  static CatalogConfig catalog(Path warehouse) {
    return CatalogConfig.of(
        "bench", ImmutableMap.of("type", "hadoop", "warehouse", warehouse.toString()));
  }

  static TableIdentifier id(String table) {
    return TableIdentifier.of(NAMESPACE, table);
  }

  /** How a shape is merged. */
  static MergeSpec spec(Shape shape) {
    return MergeSpec.into(id(shape.base()))
        .withSource(shape.source(), id(shape.changes()))
        .withKey("id")
        .withOrder("_position")
        .withFullBeforeImages();
  }

  /**
   * Makes them in an empty warehouse, each change table with one commit that is merged and one that
   * is not.
   *
   * @param rows of a base table
   * @param changed keys with changes
   */
  static void create(Path warehouse, int rows, int changed) throws IOException {
    Catalog catalog = catalog(warehouse).catalog();
    ((SupportsNamespaces) catalog).createNamespace(Namespace.of(NAMESPACE));
    MergeTables tables = new MergeTables(catalog, rows, changed);
    for (int version : new int[] {2, 3}) {
      tables.createBase("orders_v" + version, version);
    }
    for (Shape shape : Shape.values()) {
      Table changes =
          catalog.createTable(
              id(shape.changes()),
              CHANGES,
              PartitionSpec.unpartitioned(),
              ImmutableMap.of(TableProperties.FORMAT_VERSION, "2"));
      changes.newAppend().commit();
      BaseTableMerge.of(catalog, spec(shape)).run();
      tables.append(changes, tables.changes(shape));
    }
  }

  private void createBase(String name, int formatVersion) throws IOException {
    Table table =
        catalog.createTable(
            id(name),
            ROWS,
            PartitionSpec.builderFor(ROWS).identity("region").build(),
            ImmutableMap.of(TableProperties.FORMAT_VERSION, Integer.toString(formatVersion)));
    AppendFiles append = table.newAppend();
    for (int region = 0; region < REGIONS; region++) {
      for (int file = 0; file < FILES_PER_REGION; file++) {
        List<Record> rows = new ArrayList<>(rowsPerFile);
        for (int i = 0; i < rowsPerFile; i++) {
          long id = region + (long) REGIONS * (file * rowsPerFile + i);
          rows.add(row(ROWS, id, region, 0));
        }
        append.appendFile(write(table, rows));
      }
    }
    append.commit();
  }

  private void append(Table table, List<Record> rows) throws IOException {
    table.newAppend().appendFile(write(table, rows)).commit();
  }

  private static DataFile write(Table table, List<Record> rows) throws IOException {
    PartitionKey partition = new PartitionKey(table.spec(), table.schema());
    partition.partition(new InternalRecordWrapper(table.schema().asStruct()).wrap(rows.get(0)));
    String name = UUID.randomUUID() + ".parquet";
    String location =
        table.spec().isPartitioned()
            ? table.locationProvider().newDataLocation(table.spec(), partition, name)
            : table.locationProvider().newDataLocation(name);
    DataWriter<Record> writer =
        Parquet.writeData(table.io().newOutputFile(location))
            .forTable(table)
            .withPartition(partition)
            .createWriterFunc(GenericParquetWriter::create)
            .build();
    try (writer) {
      rows.forEach(writer::write);
    }
    return writer.toDataFile();
  }

  private List<Record> changes(Shape shape) {
    int rows = rowsPerFile * REGIONS * FILES_PER_REGION;
    List<Record> changes = new ArrayList<>();
    if (shape == Shape.INSERTS) {
      for (int i = 0; i < changed; i++) {
        add(changes, row(CHANGES, rows + i, i % REGIONS, 1), "+I");
      }
      return changes;
    }
    Random random = new Random(17);
    BitSet taken = new BitSet(rows);
    int hot = Integer.parseInt(Shape.HOT_REGION.substring(1));
    int keys = shape == Shape.HOT ? Math.min(changed, rows / REGIONS / 2) : changed;
    while (taken.cardinality() < keys) {
      int id =
          shape == Shape.HOT
              ? hot + REGIONS * random.nextInt(rows / REGIONS)
              : random.nextInt(rows);
      if (!taken.get(id)) {
        taken.set(id);
        int region = id % REGIONS;
        add(changes, row(CHANGES, id, region, 0), "-U");
        int after = shape == Shape.MOVES ? (region + 1) % REGIONS : region;
        add(changes, row(CHANGES, id, after, 1), "+U");
      }
    }
    return changes;
  }

  private static void add(List<Record> changes, Record change, String kind) {
    change.setField("_position", (long) changes.size());
    change.setField("_kind", kind);
    changes.add(change);
  }

  private static Record row(Schema schema, long id, int region, int version) {
    Record row = GenericRecord.create(schema);
    row.setField("id", id);
    row.setField("region", "r%02d".formatted(region));
    row.setField("customer", (int) (id * 7919 % 100_003));
    row.setField("status", STATUS[(int) ((id + version) % STATUS.length)]);
    row.setField("amount", BigDecimal.valueOf(id * 31 % 1_000_000 + version, 2));
    long micros = FIRST_MICROS + id * 1_000_000L;
    row.setField(
        "placed",
        Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000)
            .atOffset(ZoneOffset.UTC));
    row.setField("note", "note %d of order %d".formatted(version, id * 104_729 % 1_000_003));
    return row;
  }

  /** A number that two tables have in common if they have the same rows, in any order. */
  static long digest(Path warehouse, Shape shape) throws IOException {
    Table table = catalog(warehouse).loadTable(id(shape.base()));
    long digest = 0;
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      for (Record row : rows) {
        long hash = 17;
        for (int i = 0; i < ROWS.columns().size(); i++) {
          hash = hash * 0x9E3779B97F4A7C15L + String.valueOf(row.get(i)).hashCode();
        }
        digest += hash ^ (hash >>> 29);
      }
    }
    return digest;
  }
}
