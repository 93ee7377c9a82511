package dev.tidemark.examples.doris;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.doris.DatetimeEncoding;
import dev.tidemark.doris.DorisIO;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.DorisWrite;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.Row;

/**
 * Writes to a live cluster and reads back, in a database of its own that it drops in the end. Says
 * for each check whether it holds; exits with 1 if one does not.
 */
public final class DorisLiveCheck {
  private static final Schema TYPES =
      Schema.builder()
          .addInt64Field("id")
          .addNullableBooleanField("flag")
          .addNullableByteField("tiny")
          .addNullableInt16Field("small")
          .addNullableInt32Field("number")
          .addNullableDoubleField("dbl")
          .addNullableField("price", FieldType.logicalType(FixedPrecisionNumeric.of(12, 2)))
          .addNullableLogicalTypeField("day", SqlTypes.DATE)
          .addNullableStringField("name")
          .addNullableField("tags", FieldType.array(FieldType.STRING))
          .addNullableField("counts", FieldType.map(FieldType.STRING, FieldType.INT32))
          .build();
  private static final Schema VERSIONED =
      Schema.builder().addInt64Field("id").addInt64Field("version").addStringField("name").build();
  private static final Schema TIMES =
      Schema.builder().addInt64Field("id").addLogicalTypeField("seen", SqlTypes.DATETIME).build();

  private final String frontend;
  private final String user;
  private final String password;
  private final PrintStream out;
  private final DorisStatements statements;
  private final String database = "tidemark_check_" + UUID.randomUUID().toString().substring(0, 8);
  private int failures;

  DorisLiveCheck(String frontend, String user, String password, PrintStream out) {
    this.frontend = frontend;
    this.user = user;
    this.password = password;
    this.out = out;
    this.statements = new DorisStatements(frontend, user, password);
  }

  /** Checks the frontend that is named; the password is that of the environment. */
  public static void main(String[] args) throws IOException {
    String password = System.getenv().getOrDefault("DORIS_PASSWORD", "");
    if (args.length != 2 || args[0].isEmpty()) {
      System.err.println("Usage: doris-live-check.sh FRONTEND_HOST:HTTP_PORT USER");
      System.exit(2);
    }
    System.exit(new DorisLiveCheck(args[0], args[1], password, System.out).run());
  }

  /** Returns 0 if all checks hold. */
  int run() throws IOException {
    statements.run("information_schema", "CREATE DATABASE " + database);
    try {
      types();
      sequences();
      datetimes();
      new TransactionChecks(frontend, user, password, database, this::report).run(statements);
    } finally {
      for (String table : List.of("types", "versioned", "times", "phases")) {
        statements.run(database, "DROP TABLE IF EXISTS " + database + "." + table);
      }
      statements.run("information_schema", "DROP DATABASE IF EXISTS " + database);
    }
    out.println(failures == 0 ? "All checks hold." : failures + " checks do not hold.");
    return failures == 0 ? 0 : 1;
  }

  private void report(String what, boolean holds, String found) {
    out.printf("%-4s %s%s%n", holds ? "ok" : "FAIL", what, holds ? "" : ": found " + found);
    failures += holds ? 0 : 1;
  }

  private void write(String table, Schema schema, DorisWrite write, Change... changes) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=FlinkRunner", "--flinkMaster=[local]", "--parallelism=1")
                .create());
    pipeline
        .apply(Create.of(List.of(changes)).withCoder(ChangeCoder.of(schema)))
        .apply(
            write
                .withFrontends(frontend)
                .withUser(user)
                .withPassword(password)
                .to(DorisTable.of(database, table).withKey("id"))
                .withLabelPrefix("check")
                .withShards(1));
    pipeline.run().waitUntilFinish();
  }

  private void create(String table, String columns, String properties) throws IOException {
    statements.run(
        database,
        "CREATE TABLE "
            + database
            + "."
            + table
            + " ("
            + columns
            + ") UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1 PROPERTIES("
            + "\"replication_num\" = \"1\", \"enable_unique_key_merge_on_write\" = \"true\""
            + properties
            + ")");
  }

  private List<List<String>> rows(String table) throws IOException {
    List<List<String>> rows =
        new ArrayList<>(statements.run(database, "SELECT * FROM " + database + "." + table));
    rows.sort((left, right) -> left.get(0).compareTo(right.get(0)));
    return rows;
  }

  /** Texts of servers differ in blanks, quotes and trailing zeros. */
  private static String plain(List<String> values) {
    return values.toString().replaceAll("[ \"]", "").replace("true", "1");
  }

  private void types() throws IOException {
    create(
        "types",
        "id BIGINT NOT NULL, flag BOOLEAN, tiny TINYINT, small SMALLINT, number INT, dbl DOUBLE,"
            + " price DECIMAL(12, 2), day DATE, name VARCHAR(100), tags ARRAY<STRING>,"
            + " counts MAP<STRING, INT>",
        "");
    Row full =
        Row.withSchema(TYPES)
            .addValues(
                1L,
                true,
                (byte) -7,
                (short) 300,
                -70_000,
                -2.25,
                new BigDecimal("1234567.89"),
                LocalDate.parse("2026-03-01"),
                "text",
                List.of("x", "y"),
                Map.of("k", 5))
            .build();
    Row.Builder empty = Row.withSchema(TYPES).addValue(2L);
    Row.Builder gone = Row.withSchema(TYPES).addValue(1L);
    for (int i = 1; i < TYPES.getFieldCount(); i++) {
      empty.addValue(null);
      gone.addValue(null);
    }
    write(
        "types",
        TYPES,
        DorisIO.write(),
        Change.of(ChangeKind.INSERT, full),
        Change.of(ChangeKind.INSERT, empty.build()));
    List<List<String>> rows = rows("types");
    String found = rows.isEmpty() ? "nothing" : plain(rows.get(0));
    report(
        "values of all types are stored, MAP included",
        found.equals("[1,1,-7,300,-70000,-2.25,1234567.89,2026-03-01,text,[x,y],{k:5}]"),
        found);
    write("types", TYPES, DorisIO.write(), Change.of(ChangeKind.DELETE, gone.build()));
    rows = rows("types");
    report(
        "a delete sign in an Arrow body deletes",
        rows.size() == 1 && rows.get(0).get(0).equals("2"),
        rows.toString());
  }

  private void sequences() throws IOException {
    create(
        "versioned",
        "id BIGINT NOT NULL, version BIGINT, name VARCHAR(40)",
        ", \"function_column.sequence_col\" = \"version\"");
    for (long version : List.of(2L, 1L)) {
      write(
          "versioned",
          VERSIONED,
          DorisIO.write().withSequenceColumn("version"),
          Change.of(
              ChangeKind.INSERT,
              Row.withSchema(VERSIONED).addValues(1L, version, "v" + version).build()));
    }
    String found = rows("versioned").toString();
    report("the highest sequence wins over the last load", found.contains("v2"), found);
  }

  private void datetimes() throws IOException {
    create("times", "id BIGINT NOT NULL, seen DATETIME(6)", "");
    LocalDateTime meant = LocalDateTime.parse("2026-03-01T10:20:30.123456");
    Change change =
        Change.of(ChangeKind.INSERT, Row.withSchema(TIMES).addValues(1L, meant).build());
    write("times", TIMES, DorisIO.write(), change);
    String found = rows("times").toString();
    boolean wallClock = found.contains("10:20:30.123456");
    DatetimeEncoding encoding =
        wallClock ? DatetimeEncoding.WALL_CLOCK : DatetimeEncoding.LEGACY_PLUS_8;
    if (!wallClock) {
      write("times", TIMES, DorisIO.write().withDatetimeEncoding(encoding), change);
      found = rows("times").toString();
    }
    report(
        "timestamps are stored as meant with " + encoding,
        found.contains("10:20:30.123456"),
        found);
  }
}
