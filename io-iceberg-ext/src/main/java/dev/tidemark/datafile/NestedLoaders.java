package dev.tidemark.datafile;

import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.types.Types;
import org.apache.parquet.io.api.Binary;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Loaders of structs, lists and maps, and of columns that rows lack. */
final class NestedLoaders {
  private NestedLoaders() {}

  static final class StructLoader extends Loader {
    private final CountTrack presence;
    private final Schema schema;
    private final Loader[] children;
    private final int[] sources;
    private Schema known;
    private Schema knownBefore;

    StructLoader(ColumnPlan.Struct plan, CountTrack presence, Loader[] children) {
      super(plan.path(), plan.field());
      this.presence = presence;
      this.schema = plan.source();
      this.known = schema;
      this.knownBefore = schema;
      this.children = children;
      this.sources = plan.sources().toArray();
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        presence.add(CountTrack.NULL);
        return;
      }
      Row row = (Row) value;
      if (!accepts(row)) {
        throw rejected("got a row of another schema than its field declares");
      }
      presence.add(1);
      loadFields(row);
    }

    /**
     * Whether the row has this struct's fields. The last two schemas seen are remembered by
     * identity, since merged inputs may bring one each.
     */
    @SuppressWarnings(
        "ReferenceEquality") // Comparing fields for each row would cost more than the row.
    boolean accepts(Row row) {
      Schema other = row.getSchema();
      if (other == known || other == knownBefore) {
        return true;
      }
      if (!hasSameFields(other)) {
        return false;
      }
      knownBefore = known;
      known = other;
      return true;
    }

    private boolean hasSameFields(Schema other) {
      if (schema.equals(other)) {
        return true;
      }
      if (schema.getFieldCount() != other.getFieldCount()) {
        return false;
      }
      for (int i = 0; i < schema.getFieldCount(); i++) {
        Schema.Field mine = schema.getField(i);
        Schema.Field its = other.getField(i);
        if (!mine.getName().equals(its.getName()) || !mine.getType().equals(its.getType())) {
          return false;
        }
      }
      return true;
    }

    void loadFields(Row row) {
      for (int i = 0; i < children.length; i++) {
        int source = sources[i];
        Object value = source < 0 ? null : row.getValue(source);
        Loader child = children[i];
        try {
          child.load(value);
        } catch (ClassCastException e) {
          throw child.wrongClass(value);
        }
      }
    }
  }

  static final class ListLoader extends Loader {
    private final CountTrack counts;
    private final Loader element;

    ListLoader(ColumnPlan.Sequence plan, CountTrack counts, Loader element) {
      super(plan.path(), plan.field());
      this.counts = counts;
      this.element = element;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        counts.add(CountTrack.NULL);
        return;
      }
      int position = counts.add(0);
      int count = 0;
      for (Object part : (Iterable<?>) value) {
        element.load(part);
        count++;
      }
      counts.set(position, count);
    }
  }

  static final class MapLoader extends Loader {
    private final CountTrack counts;
    private final Loader key;
    private final Loader value;

    MapLoader(ColumnPlan.Entries plan, CountTrack counts, Loader key, Loader value) {
      super(plan.path(), plan.field());
      this.counts = counts;
      this.key = key;
      this.value = value;
    }

    @Override
    void load(@Nullable Object entries) {
      if (entries == null) {
        checkNullable();
        counts.add(CountTrack.NULL);
        return;
      }
      int position = counts.add(0);
      int count = 0;
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) entries).entrySet()) {
        key.load(entry.getKey());
        value.load(entry.getValue());
        count++;
      }
      counts.set(position, count);
    }
  }

  /** A column that rows lack and that is null: there is nothing to keep. */
  static final class AbsentLoader extends Loader {
    AbsentLoader(String path, Types.NestedField field) {
      super(path, field);
    }

    @Override
    void load(@Nullable Object value) {}
  }

  /** A default that fits 64 bits. */
  static final class LongConstantLoader extends Loader {
    private final LongTrack track;
    private final long constant;

    LongConstantLoader(ColumnPlan.Constant plan, LongTrack track) {
      super(plan.path(), plan.field());
      this.track = track;
      this.constant = InternalValues.toLong(plan.value());
    }

    @Override
    void load(@Nullable Object value) {
      track.add(constant);
    }
  }

  /** A default of text or bytes. */
  static final class BinaryConstantLoader extends Loader {
    private final BinaryTrack track;
    private final Binary constant;

    BinaryConstantLoader(ColumnPlan.Constant plan, BinaryTrack track) {
      super(plan.path(), plan.field());
      this.track = track;
      this.constant = InternalValues.toBinary(plan.field().type(), plan.value());
    }

    @Override
    void load(@Nullable Object value) {
      track.add(constant);
    }
  }
}
