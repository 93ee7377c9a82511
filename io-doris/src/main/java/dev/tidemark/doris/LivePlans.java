package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowSchemas;
import dev.tidemark.streamload.StreamLoadClient;
import dev.tidemark.streamload.TableColumn;
import dev.tidemark.streamload.TableSchema;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Asks the cluster for tables and compares what is to be written with them. */
final class LivePlans {
  private LivePlans() {}

  /** How rows of a schema are written to a table. */
  static LoadPlan ofRows(
      StreamLoadClient client, DorisTable table, Schema schema, LoadRules rules) {
    TableSchema live = client.schema(table.database(), table.table());
    return DorisSchemaCheck.plan(table, live, toArrow(table, live, schema), rules);
  }

  /** How batches of a schema are written to a table. */
  static LoadPlan ofBatches(
      StreamLoadClient client,
      DorisTable table,
      org.apache.arrow.vector.types.pojo.Schema schema,
      LoadRules rules) {
    return DorisSchemaCheck.plan(
        table, client.schema(table.database(), table.table()), schema, rules);
  }

  private static org.apache.arrow.vector.types.pojo.Schema toArrow(
      DorisTable table, TableSchema live, Schema schema) {
    try {
      return ArrowSchemas.of(withDecimals(live, schema));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format("Cannot write to table %s: %s", table, e.getMessage()), e);
    }
  }

  /**
   * A DECIMAL that does not tell its scale is meant to be that of the table; values that do not fit
   * are refused one by one.
   */
  static Schema withDecimals(TableSchema live, Schema schema) {
    Schema.Builder builder = Schema.builder();
    for (Schema.Field field : schema.getFields()) {
      builder.addField(withDecimal(live, field));
    }
    return builder.build();
  }

  private static Schema.Field withDecimal(TableSchema live, Schema.Field field) {
    FieldType type = field.getType();
    if (type.getTypeName() != TypeName.DECIMAL
        || field.getOptions().hasOption(ArrowSchemas.SCALE_OPTION)) {
      return field;
    }
    DorisType there = typeOf(live, field.getName());
    if (there == null || there.kind() != DorisType.Kind.DECIMAL || there.scale() == null) {
      return field;
    }
    return field.withOptions(
        Schema.Options.builder()
            .addOptions(field.getOptions())
            .setOption(ArrowSchemas.PRECISION_OPTION, FieldType.INT32, there.precision())
            .setOption(ArrowSchemas.SCALE_OPTION, FieldType.INT32, there.scale())
            .build());
  }

  private static @Nullable DorisType typeOf(TableSchema live, String name) {
    for (TableColumn column : live.columns()) {
      if (column.name().equalsIgnoreCase(name)) {
        return DorisType.parse(column.type(), column.precision(), column.scale());
      }
    }
    return null;
  }
}
