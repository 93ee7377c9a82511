package dev.tidemark.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.SerializableFunction;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Which data files of the base table can hold rows of the folded keys. A key whose row before is
 * told lies in the partitions that its changes name; any other lies where its own columns let it:
 * in partitions that are computed from the key, and within the bounds of a file. Not thread-safe.
 */
final class KeyIndex {
  private final KeyFold fold;
  private final Map<Integer, PartitionSpec> specs;
  private final List<NestedField> columns = new ArrayList<>();
  private final KeyGroup all;
  private final Map<Integer, BySpec> bySpec = new HashMap<>();

  KeyIndex(KeyFold fold, MergeSpec spec, Schema base, Map<Integer, PartitionSpec> specs) {
    this.fold = fold;
    this.specs = specs;
    spec.key().forEach(name -> columns.add(base.findField(name)));
    this.all = new KeyGroup(columns);
    fold.forEach(
        (key, folded) -> {
          if (!folded.isSettled()) {
            all.add(key);
          }
        });
  }

  /** What is sure about all keys; for planning. */
  Expression filter() {
    return all.filter(null);
  }

  /** What to read of a file; null if it cannot hold any of the keys. */
  @Nullable Expression filter(DataFile file) {
    List<KeyGroup> candidates = new ArrayList<>(2);
    BySpec index = bySpec.computeIfAbsent(file.specId(), id -> new BySpec(specs.get(id)));
    for (KeyGroup group : index.groups(file.partition())) {
      if (group.mayBeIn(file)) {
        candidates.add(group);
      }
    }
    if (candidates.isEmpty()) {
      return null;
    }
    return candidates.size() == 1 ? candidates.get(0).filter(file) : Expressions.alwaysTrue();
  }

  /** The keys by where they can lie under one partition spec. */
  private final class BySpec {
    private final PartitionSpec spec;
    private final List<Integer> fields = new ArrayList<>();
    private final List<Integer> keyColumns = new ArrayList<>();
    private final List<SerializableFunction<Object, Object>> transforms = new ArrayList<>();
    private final Map<List<Object>, KeyGroup> computed = new HashMap<>();
    private final Map<List<Object>, KeyGroup> told = new HashMap<>();

    BySpec(PartitionSpec spec) {
      this.spec = spec;
      for (int i = 0; i < spec.fields().size(); i++) {
        PartitionField field = spec.fields().get(i);
        for (int column = 0; column < columns.size(); column++) {
          if (columns.get(column).fieldId() == field.sourceId() && !field.transform().isVoid()) {
            fields.add(i);
            keyColumns.add(column);
            transforms.add(bind(field, columns.get(column)));
          }
        }
      }
      fold.forEach(this::add);
    }

    @SuppressWarnings("unchecked") // The transform is of this very column.
    private SerializableFunction<Object, Object> bind(PartitionField field, NestedField column) {
      return ((Transform<Object, Object>) field.transform()).bind(column.type());
    }

    private void add(Object key, FoldedKey folded) {
      if (folded.isSettled()) {
        return;
      }
      Set<FoldedKey.Place> places = folded.places();
      if (places == null) {
        computed.computeIfAbsent(computedPartition(key), p -> new KeyGroup(columns)).add(key);
        return;
      }
      for (FoldedKey.Place place : places) {
        if (place.specId() == spec.specId()) {
          told.computeIfAbsent(values(place.partition()), p -> new KeyGroup(columns)).add(key);
        }
      }
    }

    private List<Object> computedPartition(Object key) {
      Object[] values = new Object[fields.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = transforms.get(i).apply(KeyReader.value(key, keyColumns.get(i)));
      }
      return comparable(values);
    }

    List<KeyGroup> groups(StructLike partition) {
      List<KeyGroup> groups = new ArrayList<>(2);
      Object[] values = new Object[fields.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = partition.get(fields.get(i), Object.class);
      }
      KeyGroup byKey = computed.get(comparable(values));
      if (byKey != null) {
        groups.add(byKey);
      }
      if (!told.isEmpty()) {
        KeyGroup byPlace = told.get(values(partition));
        if (byPlace != null) {
          groups.add(byPlace);
        }
      }
      return groups;
    }

    private List<Object> values(StructLike partition) {
      Object[] values = new Object[spec.fields().size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = partition.get(i, Object.class);
      }
      return comparable(values);
    }
  }

  /** Texts of different classes are made equal. */
  private static List<Object> comparable(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof CharSequence text) {
        values[i] = text.toString();
      }
    }
    return Arrays.asList(values);
  }
}
