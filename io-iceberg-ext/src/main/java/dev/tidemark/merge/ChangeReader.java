package dev.tidemark.merge;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.merge.MergeException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads the changes of data files of one change table. Thread-safe. */
final class ChangeReader {
  /** Takes one change after the other. */
  @FunctionalInterface
  interface Sink {
    /** The key is null for a truncate. */
    void add(@Nullable Object key, Version version);
  }

  private final MergeSpec spec;
  private final Table table;
  private final ChangeLayout layout;
  private final int[] key;
  private final CountedFiles files;
  private final int @Nullable [] columns;

  ChangeReader(MergeSpec spec, Table table, ChangeLayout layout, int[] key, CountedFiles files) {
    this(spec, table, layout, key, files, null);
  }

  private ChangeReader(
      MergeSpec spec,
      Table table,
      ChangeLayout layout,
      int[] key,
      CountedFiles files,
      int @Nullable [] columns) {
    this.spec = spec;
    this.table = table;
    this.layout = layout;
    this.key = key;
    this.files = files;
    this.columns = columns;
  }

  /** The same, but of what a change says only key, order and kind are read; the rest is null. */
  ChangeReader withoutData() {
    int[] read =
        IntStream.concat(
                IntStream.of(layout.kind()),
                IntStream.concat(IntStream.of(key), IntStream.of(layout.order())))
            .sorted()
            .distinct()
            .toArray();
    return new ChangeReader(spec, table, layout, key, files, read);
  }

  /** Reads a file from begin to end. */
  void read(ChangeFile file, Sink sink) {
    read(file, Expressions.alwaysTrue(), sink);
  }

  /** Reads at least the changes of a file that a filter lets through. */
  void read(ChangeFile file, Expression filter, Sink sink) {
    KeyReader keys = new KeyReader(layout.schema().asStruct(), key);
    Map<String, ChangeKind> kinds = new HashMap<>(spec.kinds());
    long position = 0;
    try (CloseableIterable<Record> records = open(file, filter)) {
      for (Record record : records) {
        Object value = record.get(layout.kind());
        ChangeKind kind = kinds.get(value);
        if (kind == null && !spec.truncateKind().equals(value)) {
          throw unknownKind(value);
        }
        for (int column : layout.order()) {
          if (record.get(column) == null) {
            throw unordered(layout.schema().columns().get(column).name());
          }
        }
        Version version = new Version(record, kind, file.number(), position++);
        sink.add(kind == null ? null : keys.key(record), version);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot read changes of table %s: %s".formatted(table.name(), file.file().location()), e);
    }
  }

  private CloseableIterable<Record> open(ChangeFile file, Expression filter) {
    int[] some = columns;
    if (some == null) {
      return open(file, filter, layout.schema());
    }
    List<NestedField> fields = layout.schema().columns();
    Schema narrow = new Schema(IntStream.of(some).mapToObj(fields::get).toList());
    return CloseableIterable.transform(
        open(file, filter, narrow),
        record -> {
          Record wide = GenericRecord.create(layout.schema());
          for (int i = 0; i < some.length; i++) {
            wide.set(some[i], record.get(i));
          }
          return wide;
        });
  }

  private CloseableIterable<Record> open(ChangeFile file, Expression filter, Schema projection) {
    ReadBuilder<Record, Schema> reader =
        FormatModelRegistry.readBuilder(
            file.file().format(), Record.class, files.open(file.file()));
    return reader
        .project(projection)
        .filter(filter)
        .idToConstant(identityValues(table, file.file().specId(), file.file().partition()))
        .withNameMapping(nameMapping(table))
        .build();
  }

  /** Partition values that migrated files do not repeat in their rows. */
  static Map<Integer, ?> identityValues(Table table, int specId, StructLike partition) {
    PartitionSpec partitionedBy = table.specs().get(specId);
    ImmutableMap.Builder<Integer, Object> values = ImmutableMap.builder();
    for (int i = 0; i < partitionedBy.fields().size(); i++) {
      Types.NestedField source = table.schema().findField(partitionedBy.fields().get(i).sourceId());
      Object value = partition.get(i, Object.class);
      if (partitionedBy.fields().get(i).transform().isIdentity()
          && value != null
          && source != null) {
        values.put(
            source.fieldId(), IdentityPartitionConverters.convertConstant(source.type(), value));
      }
    }
    return values.buildOrThrow();
  }

  static org.apache.iceberg.mapping.@Nullable NameMapping nameMapping(Table table) {
    String mapping = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    return mapping == null ? null : NameMappingParser.fromJson(mapping);
  }

  private MergeException unknownKind(@Nullable Object value) {
    return new MergeException(
        Kind.INVALID_CHANGE,
        "Cannot merge table %s into table %s: a change has kind %s (must be one of %s, or %s for a truncate). Name further kinds with withKind."
            .formatted(
                table.name(), spec.baseName(), value, spec.kinds().keySet(), spec.truncateKind()));
  }

  private MergeException unordered(String column) {
    return new MergeException(
        Kind.INVALID_CHANGE,
        "Cannot merge table %s into table %s: a change has null in column %s, by which changes are ordered. Write a position with each change."
            .formatted(table.name(), spec.baseName(), column));
  }
}
