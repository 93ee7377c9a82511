package dev.tidemark.peers.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import com.google.common.io.Resources;
import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchBuilder;
import dev.tidemark.arrow.ChangeBatchCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.doris.DorisIO;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.flink.types.RowKind;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The released connector and DorisIO write the same rows, each to a table of its own. */
@RunWith(JUnit4.class)
public final class CrossCheckTest {
  private static final String OURS = "ours";
  private static final int CHANGELOGS = Boolean.getBoolean("tidemark.long") ? 100 : 5;
  private static final int CHANGES = 300;
  private static final int KEYS = 40;

  @Rule
  public final Timeout timeout = Timeout.seconds(Boolean.getBoolean("tidemark.long") ? 1_800 : 180);

  @Rule public final Stage stage = new Stage();

  @After
  public void nothingIsLeft() {
    assertThat(stage.emulator().violations(), is(empty()));
    assertThat(ArrowAllocators.outstandingBytes(), is(0L));
  }

  @Test
  public void arrowHasTheSameValuesInEachColumn() throws IOException {
    List<TypedColumn> columns = TypedColumn.all();
    String ddl =
        "id BIGINT NOT NULL, "
            + columns.stream()
                .map(column -> column.name() + " " + column.dorisType() + " NULL")
                .collect(Collectors.joining(", "));
    stage.createTable(ddl);
    stage.createTable(OURS, ddl);

    SharedProcess.get()
        .run(
            stage.insert(
                Script.create(60_000, "id"),
                Stage.TABLE,
                "id BIGINT, "
                    + columns.stream()
                        .map(column -> column.name() + " " + column.sqlType())
                        .collect(Collectors.joining(", ")),
                sqlRows(columns),
                Formats.twoPhase(Formats.arrow(), "types")));
    writeOurs(rows(columns));

    ArrowValues released = ArrowValues.read(body(Stage.TABLE));
    ArrowValues ours = ArrowValues.read(body(OURS));
    assertThat(ours.types().keySet(), equalTo(released.types().keySet()));
    for (TypedColumn column : columns) {
      String name = column.name();
      assertSameType(name, ours.types().get(name), released.types().get(name));
      assertThat(name, ours.columnBy("id", name), equalTo(released.columnBy("id", name)));
      assertThat(name, released.columnBy("id", name).get(0), is(not(equalTo(null))));
    }
    assertThat(stage.rows(OURS), equalTo(stage.rows()));
  }

  /** What a run of the released connector sent long before this code was written. */
  @Test
  public void arrowHasTheValuesOfARecordedBody() throws IOException {
    List<TypedColumn> columns = TypedColumn.all();
    stage.createTable(
        OURS,
        "id BIGINT NOT NULL, "
            + columns.stream()
                .map(column -> column.name() + " " + column.dorisType() + " NULL")
                .collect(Collectors.joining(", ")));
    List<Row> all = rows(columns);

    writeOurs(List.of(all.get(0), withId(all.get(TypedColumn.ROWS), 2L)));

    ArrowValues recorded =
        ArrowValues.read(
            Resources.toByteArray(
                Resources.getResource(CrossCheckTest.class, "flink_arrow_types.arrow")));
    ArrowValues ours = ArrowValues.read(body(OURS));
    assertThat(ours.types().keySet(), equalTo(recorded.types().keySet()));
    for (String name : recorded.types().keySet()) {
      assertSameType(name, ours.types().get(name), recorded.types().get(name));
      assertThat(name, ours.columnBy("id", name), equalTo(recorded.columnBy("id", name)));
    }
  }

  /** The released connector deletes in JSON only, DorisIO in Arrow. */
  @Test
  public void changelogsLeaveTheSameTable() throws IOException {
    for (int seed = 0; seed < CHANGELOGS; seed++) {
      String released = Stage.TABLE + seed;
      String ours = OURS + seed;
      for (String table : List.of(released, ours)) {
        stage.createTable(
            table,
            "id BIGINT NOT NULL, name VARCHAR(100) NULL, amount DECIMAL(10, 2) NULL,"
                + " at DATETIME(6) NULL");
      }
      Script script = Script.create(60_000, "id", "name", "amount", "at");
      ChangeBatch batch = randomChanges(new Random(seed), script);

      SharedProcess.get()
          .run(
              stage.insert(
                  script,
                  released,
                  "id BIGINT, name STRING, amount DECIMAL(10, 2), `at` TIMESTAMP(6)",
                  "SELECT id, name, CAST(amount AS DECIMAL(10, 2)), CAST(`at` AS TIMESTAMP(6))"
                      + " FROM changes",
                  Formats.twoPhase(Formats.json(), "changes" + seed)));
      Pipeline pipeline = pipeline();
      write(pipeline.apply(Create.of(List.of(batch)).withCoder(ChangeBatchCoder.of())), ours);
      pipeline.run().waitUntilFinish();

      assertThat("seed " + seed, stage.rows(ours), equalTo(stage.rows(released)));
      assertThat("seed " + seed, stage.rows(ours), is(not(empty())));
    }
  }

  /** Adds random changes to a script, and returns the same ones as a batch. */
  private static ChangeBatch randomChanges(Random random, Script script) {
    Schema schema =
        Schema.builder()
            .addInt64Field("id")
            .addNullableField("name", FieldType.STRING)
            .addNullableField("amount", FieldType.logicalType(FixedPrecisionNumeric.of(10, 2)))
            .addNullableField("at", FieldType.logicalType(SqlTypes.DATETIME))
            .build();
    Map<Long, Row> table = new LinkedHashMap<>();
    try (BufferAllocator allocator = new RootAllocator();
        ChangeBatchBuilder batch = ChangeBatchBuilder.of(schema, allocator)) {
      for (int i = 0; i < CHANGES; i++) {
        long id = random.nextInt(KEYS);
        Row before = table.get(id);
        if (before != null && random.nextInt(3) == 0) {
          add(RowKind.DELETE, ChangeKind.DELETE, before, script, batch);
          table.remove(id);
          continue;
        }
        Row row =
            Row.withSchema(schema)
                .addValues(
                    id,
                    random.nextInt(8) == 0 ? null : "name \"" + random.nextInt() + "\",\t\u4e2d",
                    random.nextInt(8) == 0
                        ? null
                        : BigDecimal.valueOf(random.nextInt(2_000_000) - 1_000_000, 2),
                    random.nextInt(8) == 0
                        ? null
                        : LocalDateTime.of(2024, 1, 1, 0, 0)
                            .plusNanos(random.nextInt(1_000_000_000) * 1_000L))
                .build();
        if (before == null) {
          add(RowKind.INSERT, ChangeKind.INSERT, row, script, batch);
        } else {
          add(RowKind.UPDATE_BEFORE, ChangeKind.UPDATE_BEFORE, before, script, batch);
          add(RowKind.UPDATE_AFTER, ChangeKind.UPDATE_AFTER, row, script, batch);
        }
        table.put(id, row);
      }
      return batch.build();
    }
  }

  private static void add(
      RowKind flinkKind, ChangeKind kind, Row row, Script script, ChangeBatchBuilder batch) {
    Object at = row.getValue("at");
    Object amount = row.getValue("amount");
    script.change(
        flinkKind,
        String.valueOf(row.getInt64("id")),
        row.getString("name"),
        amount == null ? null : amount.toString(),
        at == null ? null : at.toString().replace('T', ' '));
    batch.add(kind, row);
  }

  private static String sqlRows(List<TypedColumn> columns) {
    return "VALUES "
        + IntStream.rangeClosed(0, TypedColumn.ROWS)
            .mapToObj(
                row ->
                    "(CAST("
                        + (row + 1)
                        + " AS BIGINT), "
                        + columns.stream()
                            .map(column -> column.sqlIn(row))
                            .collect(Collectors.joining(", "))
                        + ")")
            .collect(Collectors.joining(", "));
  }

  private static List<Row> rows(List<TypedColumn> columns) {
    Schema.Builder schema = Schema.builder().addInt64Field("id");
    columns.forEach(column -> schema.addNullableField(column.name(), column.beamType()));
    Schema built = schema.build();
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row <= TypedColumn.ROWS; row++) {
      List<Object> values = new ArrayList<>();
      values.add(row + 1L);
      for (TypedColumn column : columns) {
        values.add(column.valueIn(row));
      }
      rows.add(Row.withSchema(built).addValues(values).build());
    }
    return rows;
  }

  private static Row withId(Row row, long id) {
    return Row.fromRow(row).withFieldValue("id", id).build();
  }

  private void writeOurs(List<Row> rows) {
    Pipeline pipeline = pipeline();
    write(pipeline.apply(Create.of(rows).withRowSchema(rows.get(0).getSchema())), OURS);
    pipeline.run().waitUntilFinish();
  }

  private static Pipeline pipeline() {
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs("--runner=DirectRunner", "--targetParallelism=1").create());
  }

  private void write(PCollection<?> input, String table) {
    input.apply(
        DorisIO.write()
            .withFrontends(stage.emulator().frontend())
            .withUser(Stage.USER)
            .withPassword(Stage.PASSWORD)
            .to(DorisTable.of(Stage.DATABASE, table).withKey("id"))
            .withShards(1)
            .withLabelPrefix("ours"));
  }

  /** The body of the only load of a table that is visible. */
  private byte[] body(String table) {
    List<TransactionInfo> visible =
        stage.transactions(TransactionState.VISIBLE).stream()
            .filter(transaction -> transaction.table().equals(table))
            .collect(Collectors.toList());
    assertThat("loads of " + table, visible.size(), is(1));
    return stage.emulator().body(visible.get(0).txnId());
  }

  /** Doris takes timestamps in any unit; all other types have to be the same. */
  private static void assertSameType(String name, ArrowType ours, ArrowType released) {
    if (released instanceof ArrowType.Timestamp timestamp) {
      assertThat(name, ours, instanceOf(ArrowType.Timestamp.class));
      assertThat(name, ((ArrowType.Timestamp) ours).getTimezone(), is(timestamp.getTimezone()));
    } else {
      assertThat(name, ours, equalTo(released));
    }
  }
}
