package dev.tidemark.examples.demo;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.doris.DorisIO;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.DorisWriteResult;
import dev.tidemark.doris.emulator.DorisEmulator;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/** The tables' rows in Doris, in whose place an emulator on loopback stands. */
final class ServingTables {
  static final String DATABASE = "shop";
  static final String USER = "demo";
  static final String PASSWORD = "demo";

  private ServingTables() {}

  static DorisEmulator start() {
    DorisEmulator doris = DorisEmulator.builder().user(USER).password(PASSWORD).start();
    for (ShopTable table : ShopTable.values()) {
      doris.createTable(
          String.format(
              "CREATE TABLE %s.%s (%s) UNIQUE KEY(%s)",
              DATABASE, table.tableName(), table.servedColumns(), String.join(", ", table.key())));
    }
    return doris;
  }

  static DorisWriteResult write(ShopTable table, PCollection<Change> upserts, String frontend) {
    Schema schema = ((ChangeCoder) upserts.getCoder()).schema();
    Schema served = withTimesAsText(schema);
    return upserts
        .apply("TimesAsText_" + table.tableName(), ParDo.of(new TimesAsTextFn(served)))
        .setCoder(ChangeCoder.of(served))
        .apply(
            "Serve_" + table.tableName(),
            DorisIO.write()
                .withFrontends(frontend)
                .withUser(USER)
                .withPassword(PASSWORD)
                .to(
                    DorisTable.of(DATABASE, table.tableName())
                        .withKey(table.key().toArray(new String[0])))
                .withLabelPrefix("demo")
                .withShards(1));
  }

  private static Schema withTimesAsText(Schema schema) {
    Schema.Builder served = Schema.builder();
    for (Field field : schema.getFields()) {
      served.addField(
          isTime(field)
              ? field.withType(FieldType.STRING.withNullable(field.getType().getNullable()))
              : field);
    }
    return served.build();
  }

  private static boolean isTime(Field field) {
    return field.getType().getTypeName().isLogicalType()
        && field.getType().getLogicalType().getIdentifier().equals(SqlTypes.TIME.getIdentifier());
  }

  /** Doris has no type for a time of day that can be loaded. */
  private static final class TimesAsTextFn extends DoFn<Change, Change> {
    private final Schema served;

    TimesAsTextFn(Schema served) {
      this.served = served;
    }

    @ProcessElement
    public void process(@Element Change change, OutputReceiver<Change> out) {
      List<Object> values = change.row().getValues();
      Row.Builder row = Row.withSchema(served);
      for (int i = 0; i < values.size(); i++) {
        Object value = change.row().getValue(i);
        row.addValue(
            value instanceof LocalTime time ? DateTimeFormatter.ISO_LOCAL_TIME.format(time) : value);
      }
      out.output(
          Change.of(change.kind(), row.build())
              .withPosition(change.position())
              .withUnknownColumns(change.unknownColumns()));
    }
  }
}
