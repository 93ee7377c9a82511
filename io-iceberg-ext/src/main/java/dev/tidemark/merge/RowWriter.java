package dev.tidemark.merge;

import com.google.common.collect.ImmutableList;
import dev.tidemark.merge.MergeException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.ClusteredDataWriter;
import org.apache.iceberg.io.ClusteredEqualityDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.PropertyUtil;

/** Writes the rows of a fold, and equality deletes of its keys, one partition after the other. */
final class RowWriter {
  private final MergeSpec spec;
  private final Table table;
  private final FileFormat format;

  RowWriter(MergeSpec spec, Table table) {
    this.spec = spec;
    this.table = table;
    this.format =
        FileFormat.fromString(
            PropertyUtil.propertyAsString(
                table.properties(),
                TableProperties.DEFAULT_FILE_FORMAT,
                TableProperties.DEFAULT_FILE_FORMAT_DEFAULT));
  }

  static OutputFileFactory outputs(Table table, FileFormat format) {
    return OutputFileFactory.builderFor(table, 0, 0)
        .format(format)
        .operationId("merge-" + UUID.randomUUID())
        .build();
  }

  /** Writes the rows that are there after the range, and returns how many they are. */
  long writeRows(KeyFold fold, Written written) {
    PartitionSpec partitionedBy = table.spec();
    PartitionKey partition = new PartitionKey(partitionedBy, table.schema());
    InternalRecordWrapper internal = new InternalRecordWrapper(table.schema().asStruct());
    Map<PartitionKey, List<Record>> byPartition = new LinkedHashMap<>();
    long[] rows = {0};
    fold.forEach(
        (key, folded) -> {
          if (!folded.adds()) {
            return;
          }
          if (folded.missing().length > 0) {
            throw fold.untold(table.schema().columns().get(folded.missing()[0]).name());
          }
          partition.partition(internal.wrap(folded.row()));
          List<Record> same = byPartition.get(partition);
          if (same == null) {
            same = new ArrayList<>();
            byPartition.put(partition.copy(), same);
          }
          same.add(folded.row());
          rows[0]++;
        });
    if (rows[0] == 0) {
      return 0;
    }
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(format)
            .dataSchema(table.schema())
            .build();
    ClusteredDataWriter<Record> writer =
        new ClusteredDataWriter<>(
            factory, outputs(table, format), table.io(), targetBytes(table, format));
    try {
      try (writer) {
        byPartition.forEach(
            (key, records) -> records.forEach(row -> writer.write(row, partitionedBy, key)));
      }
    } catch (IOException e) {
      throw failed(e);
    }
    List<DataFile> files = writer.result().dataFiles();
    written.rows.addAll(files);
    return rows[0];
  }

  /**
   * Writes a delete of each key into every partition that its row can lie in.
   *
   * @throws MergeException if that is not known
   */
  void writeEqualityDeletes(KeyFold fold, Iterable<PartitionSpec> specs, Written written) {
    Schema keySchema = table.schema().select(spec.key());
    int[] ids =
        spec.key().stream().mapToInt(name -> table.schema().findField(name).fieldId()).toArray();
    int[] source = BaseLookup.positions(table.schema(), spec.key());
    int[] target = BaseLookup.positions(keySchema, spec.key());
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(format)
            .equalityFieldIds(ids)
            .equalityDeleteRowSchema(keySchema)
            .build();
    for (PartitionSpec partitionedBy : specs) {
      Map<PartitionKey, List<Record>> byPartition = new LinkedHashMap<>();
      fold.forEach(
          (key, folded) -> {
            Record deleted = GenericRecord.create(keySchema);
            for (int i = 0; i < source.length; i++) {
              deleted.set(target[i], folded.row().get(source[i]));
            }
            for (PartitionKey partition : partitions(partitionedBy, folded)) {
              byPartition.computeIfAbsent(partition, p -> new ArrayList<>()).add(deleted);
            }
          });
      ClusteredEqualityDeleteWriter<Record> writer =
          new ClusteredEqualityDeleteWriter<>(
              factory, outputs(table, format), table.io(), targetBytes(table, format));
      try {
        try (writer) {
          byPartition.forEach(
              (partition, keys) ->
                  keys.forEach(key -> writer.write(key, partitionedBy, partition)));
        }
      } catch (IOException e) {
        throw failed(e);
      }
      List<DeleteFile> files = writer.result().deleteFiles();
      written.deletes.addAll(files);
    }
  }

  private List<PartitionKey> partitions(PartitionSpec partitionedBy, FoldedKey folded) {
    boolean byKey =
        partitionedBy.fields().stream()
            .allMatch(
                field ->
                    field.transform().isVoid()
                        || spec.key().contains(table.schema().findColumnName(field.sourceId())));
    if (byKey) {
      PartitionKey partition = new PartitionKey(partitionedBy, table.schema());
      InternalRecordWrapper internal = new InternalRecordWrapper(table.schema().asStruct());
      partition.partition(internal.wrap(folded.row()));
      return ImmutableList.of(partition);
    }
    if (folded.places() == null) {
      throw new MergeException(
          Kind.BASE_UNFIT,
          "Cannot merge into table %s by equality deletes: a row of it can lie in any partition of spec %d, and such a delete acts in one. Use Removals.POSITIONS, partition by key columns only, or let the source tell the row before each change and say withFullBeforeImages."
              .formatted(table.name(), partitionedBy.specId()));
    }
    return folded.places().stream()
        .filter(place -> place.specId() == partitionedBy.specId())
        .map(FoldedKey.Place::partition)
        .toList();
  }

  static long targetBytes(Table table, FileFormat format) {
    return format == FileFormat.PUFFIN
        ? Long.MAX_VALUE
        : PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  private UncheckedIOException failed(IOException cause) {
    return new UncheckedIOException("Cannot write files of table " + table.name(), cause);
  }
}
