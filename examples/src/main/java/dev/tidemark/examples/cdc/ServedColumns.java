package dev.tidemark.examples.cdc;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.PostgresTypes;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * The columns of a table as Doris takes them: without those of the change log, and with ISO 8601
 * texts for times of day, for which Doris has no type.
 */
final class ServedColumns extends PTransform<PCollection<Change>, PCollection<Change>> {
  private final SourceTable table;

  private ServedColumns(SourceTable table) {
    this.table = table;
  }

  static ServedColumns of(SourceTable table) {
    return new ServedColumns(table);
  }

  @Override
  public PCollection<Change> expand(PCollection<Change> changes) {
    Schema served = schema(table.debezium().rowSchema());
    return changes
        .apply("ServedColumns", ParDo.of(new ServedColumnsFn(served)))
        .setCoder(ChangeCoder.of(served));
  }

  private static Schema schema(Schema columns) {
    Schema.Builder served = Schema.builder();
    for (Field field : columns.getFields()) {
      served.addField(
          PostgresTypes.isTimeOfDay(field.getType())
              ? field.withType(FieldType.STRING.withNullable(field.getType().getNullable()))
              : field);
    }
    return served.build();
  }

  /** Keeps the served columns of a change. */
  private static final class ServedColumnsFn extends DoFn<Change, Change> {
    private final Schema served;

    ServedColumnsFn(Schema served) {
      this.served = served;
    }

    @ProcessElement
    public void process(@Element Change change, OutputReceiver<Change> out) {
      int columns = served.getFieldCount();
      Object[] values = new Object[columns];
      for (int i = 0; i < columns; i++) {
        Object value = change.row().getValue(i);
        values[i] =
            value instanceof LocalTime time ? DateTimeFormatter.ISO_LOCAL_TIME.format(time) : value;
      }
      List<String> unknown = change.unknownColumns().stream().filter(served::hasField).toList();
      out.output(
          Change.of(change.kind(), Row.withSchema(served).attachValues(values))
              .withPosition(change.position())
              .withUnknownColumns(unknown));
    }
  }
}
