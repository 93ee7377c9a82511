package dev.tidemark.datafile;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.parquet.ParquetValueWriter;
import org.apache.iceberg.parquet.TripleWriter;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * What Iceberg's Parquet writer calls for each row of one file: writes the row that the shredder
 * has in hand.
 */
final class RowFileModel implements ParquetValueWriter<RowShredder> {
  private final MessageType message;
  private final RowShredder shredder;
  private final Emitter[] columns;
  private ColumnWriteStore store;

  RowFileModel(ColumnPlan.Struct plan, RowShredder shredder, MessageType message) {
    this.message = message;
    this.shredder = shredder;
    this.columns = children(plan, message, new String[0]);
  }

  @Override
  public void write(int repetitionLevel, RowShredder row) {
    for (Emitter column : columns) {
      column.emit(repetitionLevel);
    }
  }

  @Override
  public List<TripleWriter<?>> columns() {
    return ImmutableList.of();
  }

  @Override
  public void setColumnStore(ColumnWriteStore columnStore) {
    store = columnStore;
    for (Emitter column : columns) {
      column.open(columnStore);
    }
  }

  @Override
  public Stream<FieldMetrics<?>> metrics() {
    List<FieldMetrics<?>> metrics = new ArrayList<>();
    for (Emitter column : columns) {
      column.metrics(metrics::add);
    }
    return metrics.stream();
  }

  /** Memory that the row group in hand holds, in bytes. */
  long allocatedBytes() {
    return store.getAllocatedSize();
  }

  private Emitter[] children(ColumnPlan.Struct plan, GroupType group, String[] path) {
    Emitter[] children = new Emitter[plan.children().size()];
    for (int i = 0; i < children.length; i++) {
      children[i] = emitter(plan.children().get(i), group.getType(i), path);
    }
    return children;
  }

  private Emitter emitter(ColumnPlan plan, Type type, String[] parent) {
    String[] path = append(parent, type.getName());
    if (plan instanceof ColumnPlan.Struct struct) {
      Emitter[] children = children(struct, type.asGroupType(), path);
      return new NestedEmitters.StructEmitter(
          (CountTrack) shredder.track(plan), message.getMaxDefinitionLevel(path), children);
    } else if (plan instanceof ColumnPlan.Sequence sequence) {
      return repeated(plan, type, path, sequence.element());
    } else if (plan instanceof ColumnPlan.Entries map) {

      return repeated(plan, type, path, map.key(), map.value());
    } else if (plan instanceof ColumnPlan.Absent) {
      List<Emitter> leaves = new ArrayList<>();
      addNulls(type, path, message.getMaxDefinitionLevel(path) - 1, leaves);
      return leaves.size() == 1
          ? leaves.get(0)
          : new NestedEmitters.NullGroupEmitter(leaves.toArray(new Emitter[0]));
    }
    return LeafEmitters.of(message.getColumnDescription(path), shredder.track(plan));
  }

  private Emitter repeated(ColumnPlan plan, Type type, String[] path, ColumnPlan... parts) {
    GroupType repeated = type.asGroupType().getType(0).asGroupType();
    String[] partPath = append(path, repeated.getName());
    Emitter[] children = new Emitter[parts.length];
    for (int i = 0; i < parts.length; i++) {
      children[i] = emitter(parts[i], repeated.getType(i), partPath);
    }
    return new NestedEmitters.RepeatedEmitter(
        (CountTrack) shredder.track(plan),
        message.getMaxDefinitionLevel(partPath),
        message.getMaxRepetitionLevel(partPath),
        children);
  }

  private void addNulls(Type type, String[] path, int level, List<Emitter> leaves) {
    if (type.isPrimitive()) {
      leaves.add(new LeafEmitters.NullEmitter(message.getColumnDescription(path), level));
      return;
    }
    for (Type child : type.asGroupType().getFields()) {
      addNulls(child, append(path, child.getName()), level, leaves);
    }
  }

  private static String[] append(String[] path, String name) {
    String[] longer = Arrays.copyOf(path, path.length + 1);
    longer[path.length] = name;
    return longer;
  }
}
