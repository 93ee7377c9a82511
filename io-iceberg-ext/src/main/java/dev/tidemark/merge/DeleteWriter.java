package dev.tidemark.merge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.DeleteGranularity;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.ClusteredPositionDeleteWriter;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.PropertyUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Writes where rows go: position deletes, or deletion vectors from format version 3 on. */
final class DeleteWriter {
  private final Table table;
  private final @Nullable Long snapshotId;
  private final CountedFiles files;

  /**
   * For one plan.
   *
   * @param snapshotId of the table, that rows were looked up in; null if it has none
   */
  DeleteWriter(Table table, @Nullable Long snapshotId, CountedFiles files) {
    this.table = table;
    this.snapshotId = snapshotId;
    this.files = files;
  }

  /** Writes the hits of all parts, and returns how many rows they are. */
  long write(Iterable<FileHits> hits, Written written) {
    Map<String, FileHits> byFile = new LinkedHashMap<>();
    for (FileHits each : hits) {
      byFile.merge(each.file().location(), each, FileHits::with);
    }
    if (byFile.isEmpty()) {
      return 0;
    }
    List<FileHits> sorted =
        byFile.values().stream()
            .sorted(Comparator.comparing((FileHits each) -> each.file().location()))
            .toList();
    try {
      if (TableUtil.formatVersion(table) >= 3) {
        vectors(sorted, written);
      } else {
        add(positions(sorted), written);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write deletes of table " + table.name(), e);
    }
    written.referenced.addAll(byFile.keySet());
    return sorted.stream().mapToLong(each -> each.positions().length).sum();
  }

  private static void add(DeleteWriteResult result, Written written) {
    written.deletes.addAll(result.deleteFiles());
    written.replaced.addAll(result.rewrittenDeleteFiles());
  }

  /**
   * Each vector gets a file of its own. Where several share one, and one of them is replaced,
   * Iceberg's expiry of snapshots takes the file although the others are live. Those that share
   * files with the replaced ones are written anew for the same reason.
   */
  private void vectors(List<FileHits> sorted, Written written) throws IOException {
    OutputFileFactory outputs = RowWriter.outputs(table, FileFormat.PUFFIN);
    for (FileHits each : sorted) {
      PartitionSpec spec = table.specs().get(each.file().specId());
      BaseDVFileWriter writer = vectorWriter(outputs, each.deletes());
      try (writer) {
        for (long position : each.positions()) {
          writer.delete(each.file().location(), position, spec, each.file().partition());
        }
      }
      add(writer.result(), written);
    }
    if (snapshotId == null) {
      return;
    }
    for (DeleteFile each : SharedVectors.besides(table, snapshotId, sorted)) {
      PartitionSpec spec = table.specs().get(each.specId());
      BaseDVFileWriter writer = vectorWriter(outputs, List.of(each));
      try (writer) {
        writer.delete(
            each.referencedDataFile(), PositionDeleteIndex.empty(), spec, each.partition());
      }
      add(writer.result(), written);
      written.referenced.add(each.referencedDataFile());
    }
  }

  /** Adds to what is deleted what was before. */
  private BaseDVFileWriter vectorWriter(OutputFileFactory outputs, List<DeleteFile> before) {
    return new BaseDVFileWriter(outputs, location -> BaseLookup.deleted(files, before, location));
  }

  private DeleteWriteResult positions(List<FileHits> sorted) throws IOException {
    FileFormat format =
        FileFormat.fromString(
            PropertyUtil.propertyAsString(
                table.properties(),
                TableProperties.DELETE_DEFAULT_FILE_FORMAT,
                PropertyUtil.propertyAsString(
                    table.properties(),
                    TableProperties.DEFAULT_FILE_FORMAT,
                    TableProperties.DEFAULT_FILE_FORMAT_DEFAULT)));
    DeleteGranularity granularity =
        DeleteGranularity.fromString(
            PropertyUtil.propertyAsString(
                table.properties(),
                TableProperties.DELETE_GRANULARITY,
                TableProperties.DELETE_GRANULARITY_DEFAULT));
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table).deleteFileFormat(format).build();
    ClusteredPositionDeleteWriter<Record> writer =
        new ClusteredPositionDeleteWriter<>(
            factory,
            RowWriter.outputs(table, format),
            table.io(),
            RowWriter.targetBytes(table, format),
            granularity);
    PositionDelete<Record> delete = PositionDelete.create();
    try (writer) {
      for (List<FileHits> partition : byPartition(sorted)) {
        for (FileHits each : partition) {
          PartitionSpec spec = table.specs().get(each.file().specId());
          for (long position : each.positions()) {
            delete.set(each.file().location(), position);
            writer.write(delete, spec, each.file().partition());
          }
        }
      }
    }
    return writer.result();
  }

  /** Files of one partition after the other, each of them by location. */
  private Iterable<List<FileHits>> byPartition(List<FileHits> sorted) {
    Map<Integer, Map<StructLike, List<FileHits>>> groups = new HashMap<>();
    for (FileHits each : sorted) {
      int spec = each.file().specId();
      groups
          .computeIfAbsent(
              spec,
              id ->
                  org.apache.iceberg.util.StructLikeMap.create(
                      table.specs().get(id).partitionType()))
          .computeIfAbsent(each.file().partition(), partition -> new java.util.ArrayList<>())
          .add(each);
    }
    return () -> groups.values().stream().flatMap(map -> map.values().stream()).iterator();
  }
}
