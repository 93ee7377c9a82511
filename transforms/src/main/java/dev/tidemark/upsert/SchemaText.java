package dev.tidemark.upsert;

import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/**
 * Schemas as text: names and types of fields, nested ones too, without nullability and options,
 * which stored bytes do not depend on.
 */
final class SchemaText {
  private SchemaText() {}

  static String of(Schema schema) {
    StringBuilder text = new StringBuilder();
    append(schema, text);
    return text.toString();
  }

  static String of(FieldType type) {
    StringBuilder text = new StringBuilder();
    append(type, text);
    return text.toString();
  }

  private static void append(Schema schema, StringBuilder text) {
    text.append('(');
    for (Schema.Field field : schema.getFields()) {
      if (text.charAt(text.length() - 1) != '(') {
        text.append(", ");
      }
      text.append(field.getName()).append(' ');
      append(field.getType(), text);
    }
    text.append(')');
  }

  private static void append(FieldType type, StringBuilder text) {
    switch (type.getTypeName()) {
      case ROW -> {
        text.append("ROW");
        append(type.getRowSchema(), text);
      }
      case ARRAY, ITERABLE -> {
        text.append(type.getTypeName()).append('<');
        append(type.getCollectionElementType(), text);
        text.append('>');
      }
      case MAP -> {
        text.append("MAP<");
        append(type.getMapKeyType(), text);
        text.append(", ");
        append(type.getMapValueType(), text);
        text.append('>');
      }
      case LOGICAL_TYPE -> {
        text.append(type.getLogicalType().getIdentifier()).append('=');
        append(type.getLogicalType().getBaseType(), text);
      }
      default -> text.append(type.getTypeName());
    }
  }
}
