package dev.tidemark.datafile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.CloseableIterable;

/** Real tables in a temporary directory. */
final class DataFileTestUtils {
  private DataFileTestUtils() {}

  /** A table named {@code db.t} below {@code directory}, format version 3. */
  static Table createTable(
      Path directory, Schema schema, PartitionSpec spec, Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.putIfAbsent("format-version", "3");
    HadoopCatalog catalog =
        new HadoopCatalog(ForklessFileSystem.configuration(), directory.toString());
    return catalog.createTable(TableIdentifier.of("db", "t"), schema, spec, all);
  }

  static List<DataFile> append(
      Table table, org.apache.beam.sdk.schemas.Schema schema, List<Row> rows, FileOptions options) {
    try (TableFileWriter writer = TableFileWriter.open(table, schema, options)) {
      rows.forEach(writer::write);
      List<DataFile> files = writer.complete();
      commit(table, files);
      return files;
    }
  }

  static void commit(Table table, List<DataFile> files) {
    AppendFiles append = table.newAppend();
    files.forEach(append::appendFile);
    append.commit();
  }

  static List<Record> read(Table table) {
    return read(table, Expressions.alwaysTrue());
  }

  static List<Record> read(Table table, Expression filter) {
    List<Record> records = new ArrayList<>();
    try (CloseableIterable<Record> scan = IcebergGenerics.read(table).where(filter).build()) {
      scan.forEach(records::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return records;
  }

  /** Parquet files that exist below a directory, whether or not a table knows them. */
  static List<Path> parquetFiles(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(path -> path.toString().endsWith(".parquet")).sorted().toList();
    }
  }
}
