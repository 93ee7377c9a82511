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
    Schema served = servedSchema(table);
    return upserts
        .apply("ServedColumns_" + table.tableName(), ParDo.of(new ServedColumnsFn(served)))
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

  /** Without the columns of the change log, and with text for what Doris has no type for. */
  private static Schema servedSchema(ShopTable table) {
    Schema.Builder served = Schema.builder();
    for (Field field : table.schema().getFields()) {
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

  /** Keeps the served columns of a change. */
  private static final class ServedColumnsFn extends DoFn<Change, Change> {
    private final Schema served;

    ServedColumnsFn(Schema served) {
      this.served = served;
    }

    @ProcessElement
    public void process(@Element Change change, OutputReceiver<Change> out) {
      Row.Builder row = Row.withSchema(served);
      for (String column : served.getFieldNames()) {
        Object value = change.row().getValue(column);
        row.addValue(
            value instanceof LocalTime time
                ? DateTimeFormatter.ISO_LOCAL_TIME.format(time)
                : value);
      }
      List<String> unknown = change.unknownColumns().stream().filter(served::hasField).toList();
      out.output(
          Change.of(change.kind(), row.build())
              .withPosition(change.position())
              .withUnknownColumns(unknown));
    }
  }
}
