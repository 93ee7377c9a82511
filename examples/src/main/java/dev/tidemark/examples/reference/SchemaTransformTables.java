package dev.tidemark.examples.reference;

import com.google.common.collect.ImmutableSortedMap;
import java.util.ServiceLoader;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;

/** The fields of the schema transforms. */
final class SchemaTransformTables {
  private static final String OURS = "beam:schematransform:dev.tidemark:";

  private SchemaTransformTables() {}

  /** Tidemark's, by their URNs. */
  static ImmutableSortedMap<String, SchemaTransformProvider> providers() {
    ImmutableSortedMap.Builder<String, SchemaTransformProvider> ours =
        ImmutableSortedMap.naturalOrder();
    for (SchemaTransformProvider provider : ServiceLoader.load(SchemaTransformProvider.class)) {
      if (provider.identifier().startsWith(OURS)) {
        ours.put(provider.identifier(), provider);
      }
    }
    return ours.buildOrThrow();
  }

  static String all() {
    StringBuilder all = new StringBuilder();
    providers()
        .forEach(
            (urn, provider) -> {
              all.append("\n### `").append(urn).append("`\n\n");
              all.append(provider.description()).append("\n\n");
              all.append("| field | type | meaning |\n| --- | --- | --- |\n");
              rows("", provider.configurationSchema(), all);
            });
    return all.append('\n').toString();
  }

  private static void rows(String path, Schema schema, StringBuilder table) {
    for (Schema.Field field : schema.sorted().getFields()) {
      String name = path + field.getName();
      FieldType type = field.getType();
      table
          .append("| `")
          .append(name)
          .append("` | ")
          .append(type(type))
          .append(type.getNullable() ? "" : ", required")
          .append(" | ")
          .append(ReferencePage.cell(field.getDescription()))
          .append(" |\n");
      if (type.getRowSchema() != null) {
        rows(name + ".", type.getRowSchema(), table);
      }
      FieldType element = type.getCollectionElementType();
      if (element != null && element.getRowSchema() != null) {
        rows(name + "[].", element.getRowSchema(), table);
      }
    }
  }

  private static String type(FieldType type) {
    return switch (type.getTypeName()) {
      case STRING -> "text";
      case BOOLEAN -> "boolean";
      case INT32, INT64 -> "whole number";
      case ARRAY, ITERABLE -> "list of " + type(type.getCollectionElementType());
      case MAP -> "map to " + type(type.getMapValueType());
      case ROW -> "fields";
      default -> type.getTypeName().name();
    };
  }
}
