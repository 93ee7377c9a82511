package dev.tidemark.datafile;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/**
 * Maps Beam schemas to Iceberg schemas and back, and matches the two. The package documentation has
 * the table of types.
 */
public final class RowSchemas {
  private RowSchemas() {}

  /**
   * The schema of a table made for rows of {@code schema}: nullable fields become optional columns,
   * descriptions become docs, field ids count up from 1.
   *
   * @throws IllegalArgumentException naming the field, for a logical type that has no column type
   *     and for a decimal without precision and scale
   */
  public static org.apache.iceberg.Schema toIceberg(Schema schema) {
    AtomicInteger ids = new AtomicInteger();
    return TypeUtil.assignIncreasingFreshIds(
        new org.apache.iceberg.Schema(columns("", schema, ids)));
  }

  private static List<Types.NestedField> columns(String path, Schema schema, AtomicInteger ids) {
    List<Types.NestedField> columns = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      String name = SchemaBinder.join(path, field.getName());
      String doc = field.getDescription();
      columns.add(
          Types.NestedField.builder()
              .withId(ids.incrementAndGet())
              .withName(field.getName())
              .ofType(columnType(name, field.getType(), ids))
              .isOptional(field.getType().getNullable())
              .withDoc(doc == null || doc.isEmpty() ? null : doc)
              .build());
    }
    return columns;
  }

  private static Type columnType(String path, FieldType type, AtomicInteger ids) {
    Type primitive = ValueTypes.toIceberg(path, type);
    if (primitive != null) {
      return primitive;
    } else if (type.getTypeName().isCompositeType()) {
      return Types.StructType.of(columns(path, type.getRowSchema(), ids));
    } else if (type.getTypeName().isMapType()) {
      Type key = columnType(SchemaBinder.join(path, "key"), type.getMapKeyType(), ids);
      Type value = columnType(SchemaBinder.join(path, "value"), type.getMapValueType(), ids);
      int keyId = ids.incrementAndGet();
      int valueId = ids.incrementAndGet();
      return type.getMapValueType().getNullable()
          ? Types.MapType.ofOptional(keyId, valueId, key, value)
          : Types.MapType.ofRequired(keyId, valueId, key, value);
    }
    FieldType part = type.getCollectionElementType();
    Type element = columnType(SchemaBinder.join(path, "element"), part, ids);
    int elementId = ids.incrementAndGet();
    return part.getNullable()
        ? Types.ListType.ofOptional(elementId, element)
        : Types.ListType.ofRequired(elementId, element);
  }

  /**
   * The schema of rows read from a table: optional columns become nullable fields, docs become
   * descriptions.
   *
   * @throws IllegalArgumentException naming the column, for unknown, variant, geometry and
   *     geography
   */
  public static Schema toBeam(org.apache.iceberg.Schema schema) {
    return fields("", schema.asStruct());
  }

  private static Schema fields(String path, Types.StructType struct) {
    Schema.Builder fields = Schema.builder();
    for (Types.NestedField column : struct.fields()) {
      FieldType type =
          fieldType(SchemaBinder.join(path, column.name()), column.type())
              .withNullable(column.isOptional());
      String doc = column.doc();
      fields.addField(
          doc == null
              ? Schema.Field.of(column.name(), type)
              : Schema.Field.of(column.name(), type).withDescription(doc));
    }
    return fields.build();
  }

  private static FieldType fieldType(String path, Type type) {
    FieldType primitive = ValueTypes.toBeam(type);
    if (primitive != null) {
      return primitive;
    } else if (type.isStructType()) {
      return FieldType.row(fields(path, type.asStructType()));
    } else if (type.isListType()) {
      Types.ListType list = type.asListType();
      return FieldType.array(
          fieldType(SchemaBinder.join(path, "element"), list.elementType())
              .withNullable(list.isElementOptional()));
    } else if (type.isMapType()) {
      Types.MapType map = type.asMapType();
      return FieldType.map(
          fieldType(SchemaBinder.join(path, "key"), map.keyType()),
          fieldType(SchemaBinder.join(path, "value"), map.valueType())
              .withNullable(map.isValueOptional()));
    }
    throw new IllegalArgumentException(
        String.format(
            "Cannot map column %s: type %s has no field type. Leave the column out.", path, type));
  }

  /**
   * Checks that rows of {@code from} can be written to {@code to}. Fields and columns are matched
   * by name, at every level, with case; order does not matter. Optional columns may be missing in
   * rows, required ones only where the table has a write default. A nullable field may be written
   * to a required column: its rows are rejected one by one.
   *
   * @throws IllegalArgumentException listing every wrong name, missing required column and
   *     mismatched type, each with both types and the remedy
   */
  public static RowBinding bind(Schema from, org.apache.iceberg.Schema to) {
    return new RowBinding(from, to, SchemaBinder.bind(from, to));
  }

  /**
   * The columns of {@code from} that {@code to} lacks, parents before children; empty when there
   * are none. Adding them all with {@link MissingColumn#addTo} leaves no wrong names for {@link
   * #bind}.
   *
   * @throws IllegalArgumentException like {@link #toIceberg}, for a missing column
   */
  public static ImmutableList<MissingColumn> missingColumns(
      Schema from, org.apache.iceberg.Schema to) {
    ImmutableList.Builder<MissingColumn> missing = ImmutableList.builder();
    addMissing("", from, to.asStruct(), new AtomicInteger(to.highestFieldId()), missing);
    return missing.build();
  }

  private static void addMissing(
      String path,
      Schema from,
      Types.StructType to,
      AtomicInteger ids,
      ImmutableList.Builder<MissingColumn> missing) {
    for (Schema.Field field : from.getFields()) {
      String name = SchemaBinder.join(path, field.getName());
      Types.NestedField column = to.field(field.getName());
      if (column == null) {
        missing.add(
            MissingColumn.of(
                path.isEmpty() ? null : path,
                field.getName(),
                columnType(name, field.getType(), ids)));
      } else {
        addMissingBelow(name, field.getType(), column.type(), ids, missing);
      }
    }
  }

  private static void addMissingBelow(
      String path,
      FieldType from,
      Type to,
      AtomicInteger ids,
      ImmutableList.Builder<MissingColumn> missing) {
    if (to.isStructType() && from.getTypeName().isCompositeType()) {
      addMissing(path, from.getRowSchema(), to.asStructType(), ids, missing);
    } else if (to.isListType() && from.getTypeName().isCollectionType()) {
      Type element = to.asListType().elementType();
      String name = SchemaBinder.join(path, "element");
      addMissingBelow(name, from.getCollectionElementType(), element, ids, missing);
    } else if (to.isMapType() && from.getTypeName().isMapType()) {
      Type value = to.asMapType().valueType();
      String name = SchemaBinder.join(path, "value");
      addMissingBelow(name, from.getMapValueType(), value, ids, missing);
    }
  }
}
