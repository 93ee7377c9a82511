package dev.tidemark.merge;

import com.google.common.collect.ImmutableList;
import dev.tidemark.merge.MergeException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * How the changes of one change table are read: as rows of the base table, column by column in its
 * order and its types, followed by what only the change has (order, kind, unknown columns). So a
 * row is written to the base as it was read. Columns are matched by name, at every level.
 */
final class ChangeLayout {
  private final Schema schema;
  private final int width;
  private final int kind;
  private final int[] order;
  private final int unknown;
  private final ImmutableList<Extra> extras;

  /** A column that the base table lacks. */
  record Extra(@Nullable String parent, String name, Type type) {
    void addTo(UpdateSchema update) {
      update.addColumn(parent, name, type);
    }

    @Override
    public String toString() {
      return parent == null ? name : parent + "." + name;
    }
  }

  private ChangeLayout(
      Schema schema, int width, int kind, int[] order, int unknown, List<Extra> extras) {
    this.schema = schema;
    this.width = width;
    this.kind = kind;
    this.order = order;
    this.unknown = unknown;
    this.extras = ImmutableList.copyOf(extras);
  }

  /**
   * Matches a change table with a base table.
   *
   * @throws MergeException if they do not go together
   */
  static ChangeLayout bind(MergeSpec spec, Schema base, Schema change, String changeTable) {
    return new Binder(spec, change, changeTable).bind(base);
  }

  /** What is read of the change table, by its own field IDs. */
  Schema schema() {
    return schema;
  }

  /** How many of the columns are those of the base table. */
  int width() {
    return width;
  }

  int kind() {
    return kind;
  }

  int[] order() {
    return order;
  }

  /** Position of the list of unknown columns; -1 if there is none. */
  int unknown() {
    return unknown;
  }

  /** Columns that the base table lacks and that are not left out by name. */
  ImmutableList<Extra> extras() {
    return extras;
  }

  /** Whether changes of both have the same form, so that one can be stored as the other. */
  boolean looksLike(ChangeLayout other) {
    List<NestedField> mine = schema.columns();
    List<NestedField> theirs = other.schema.columns();
    if (mine.size() != theirs.size()) {
      return false;
    }
    for (int i = width; i < mine.size(); i++) {
      if (!mine.get(i).type().equals(theirs.get(i).type())
          && mine.get(i).type().isPrimitiveType()) {
        return false;
      }
    }
    return true;
  }

  private static final class Binder {
    private final MergeSpec spec;
    private final Schema change;
    private final String table;
    private final List<Extra> extras = new ArrayList<>();
    private final List<NestedField> columns = new ArrayList<>();
    private int nextId;

    Binder(MergeSpec spec, Schema change, String table) {
      this.spec = spec;
      this.change = change;
      this.table = table;
      this.nextId = Math.max(change.highestFieldId(), 0);
    }

    ChangeLayout bind(Schema base) {
      Set<String> left = spec.withoutColumns();
      for (NestedField column : base.columns()) {
        NestedField found = left.contains(column.name()) ? null : change.findField(column.name());
        columns.add(found == null ? missing(column) : matched(column, found, column.name()));
      }
      int width = columns.size();
      for (String key : spec.key()) {
        checkKey(base, key);
      }
      int[] order = new int[spec.order().size()];
      for (int i = 0; i < order.length; i++) {
        order[i] = order(spec.order().get(i));
      }
      NestedField kind = required(spec.kindColumn(), "kind");
      if (kind.type().typeId() != Type.TypeID.STRING) {
        throw refused(
            "column %s of kinds is %s (must be string)".formatted(kind.name(), kind.type()));
      }
      int kindAt = append(kind);
      int unknown = spec.unknownColumn() == null ? -1 : append(unknown(spec.unknownColumn()));
      Set<String> meta = spec.metaColumns();
      for (NestedField column : change.columns()) {
        if (base.findField(column.name()) == null && !meta.contains(column.name())) {
          extras.add(new Extra(null, column.name(), column.type()));
        }
      }
      return new ChangeLayout(new Schema(columns), width, kindAt, order, unknown, extras);
    }

    private int append(NestedField field) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).fieldId() == field.fieldId()) {
          return i;
        }
      }
      columns.add(field);
      return columns.size() - 1;
    }

    private int order(String name) {
      NestedField field = required(name, "order");
      switch (field.type().typeId()) {
        case INTEGER,
            LONG,
            FLOAT,
            DOUBLE,
            DATE,
            TIME,
            TIMESTAMP,
            TIMESTAMP_NANO,
            DECIMAL,
            STRING -> {
          return append(field);
        }
        default ->
            throw refused(
                "order column %s is %s (must be a number, a time or text)"
                    .formatted(name, field.type()));
      }
    }

    private NestedField unknown(String name) {
      NestedField field = required(name, "unknown columns");
      boolean texts =
          field.type().isListType()
              && field.type().asListType().elementType().typeId() == Type.TypeID.STRING;
      if (!texts) {
        throw refused(
            "column %s of unknown columns is %s (must be a list of string)"
                .formatted(name, field.type()));
      }
      return field;
    }

    private NestedField required(String name, String what) {
      NestedField field = change.findField(name);
      if (field == null) {
        throw refused(
            "it has no column %s of %s. It has %s".formatted(name, what, names(change.columns())));
      }
      return field;
    }

    private void checkKey(Schema base, String name) {
      NestedField column = base.asStruct().field(name);
      if (column == null || change.asStruct().field(name) == null) {
        throw refused(
            "key column %s is not in %s"
                .formatted(name, column == null ? "the base table" : "the change table"));
      }
      Type.TypeID id = column.type().typeId();
      boolean fit =
          column.type().isPrimitiveType() && id != Type.TypeID.FLOAT && id != Type.TypeID.DOUBLE;
      if (!fit) {
        throw refused(
            "key column %s is %s (must be primitive, and neither float nor double)"
                .formatted(name, column.type()));
      }
    }

    /** A column that changes do not have is null, or what the base table says of new rows. */
    private NestedField missing(NestedField column) {
      if (column.isRequired() && column.writeDefaultLiteral() == null) {
        throw refused(
            "it has no column %s, which the base table requires. Add it, or make it optional there"
                .formatted(column.name()));
      }
      Type type = TypeUtil.assignFreshIds(column.type(), this::freshId);
      NestedField.Builder field =
          NestedField.optional(column.name()).withId(freshId()).ofType(type);
      if (column.writeDefaultLiteral() != null) {
        field.withInitialDefault(column.writeDefaultLiteral());
      }
      return field.build();
    }

    private int freshId() {
      return ++nextId;
    }

    private NestedField matched(NestedField column, NestedField found, String path) {
      Type type = matched(column.type(), found.type(), path);
      return NestedField.from(found).ofType(type).build();
    }

    private Type matched(Type wanted, Type found, String path) {
      if (wanted.isPrimitiveType()) {
        boolean fits =
            found.isPrimitiveType()
                && (found.equals(wanted)
                    || TypeUtil.isPromotionAllowed(found, wanted.asPrimitiveType()));
        if (!fits) {
          throw different(path, wanted, found);
        }
        return wanted;
      } else if (wanted.isStructType() && found.isStructType()) {
        return matchedStruct(wanted.asStructType(), found.asStructType(), path);
      } else if (wanted.isListType() && found.isListType()) {
        Types.ListType list = found.asListType();
        Type element =
            matched(wanted.asListType().elementType(), list.elementType(), path + ".element");
        return list.isElementOptional()
            ? Types.ListType.ofOptional(list.elementId(), element)
            : Types.ListType.ofRequired(list.elementId(), element);
      } else if (wanted.isMapType() && found.isMapType()) {
        Types.MapType map = found.asMapType();
        Type key = matched(wanted.asMapType().keyType(), map.keyType(), path + ".key");
        Type value = matched(wanted.asMapType().valueType(), map.valueType(), path + ".value");
        return map.isValueOptional()
            ? Types.MapType.ofOptional(map.keyId(), map.valueId(), key, value)
            : Types.MapType.ofRequired(map.keyId(), map.valueId(), key, value);
      }
      if (wanted.equals(found)) {
        return wanted;
      }
      throw different(path, wanted, found);
    }

    private Type matchedStruct(Types.StructType wanted, Types.StructType found, String path) {
      List<NestedField> fields = new ArrayList<>();
      for (NestedField field : wanted.fields()) {
        NestedField inner = found.field(field.name());
        fields.add(
            inner == null ? missing(field) : matched(field, inner, path + "." + field.name()));
      }
      for (NestedField field : found.fields()) {
        if (wanted.field(field.name()) == null) {
          extras.add(new Extra(path, field.name(), field.type()));
        }
      }
      return Types.StructType.of(fields);
    }

    private MergeException different(String path, Type wanted, Type found) {
      return refused(
          "column %s is %s, the base table has %s. Change a type, or leave the column out with withoutColumns"
              .formatted(path, found, wanted));
    }

    private MergeException refused(String reason) {
      return new MergeException(
          Kind.SCHEMA,
          "Cannot merge change table %s into table %s: %s"
              .formatted(table, spec.baseName(), reason));
    }

    private static List<String> names(List<NestedField> fields) {
      return fields.stream().map(NestedField::name).toList();
    }
  }
}
