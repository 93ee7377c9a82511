package dev.tidemark.doris;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.junit.Assume.assumeTrue;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.Row;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Values of all types arrive, as the emulator and as a reader of another language see them. */
@RunWith(JUnit4.class)
public class TypesTest {
  private static final String NPM_PACKAGE = "apache-arrow@21.1.0";
  private static final Schema NESTED =
      Schema.builder().addInt32Field("a").addNullableStringField("b").build();
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addNullableBooleanField("flag")
          .addNullableByteField("tiny")
          .addNullableInt16Field("small")
          .addNullableInt32Field("number")
          .addNullableFloatField("real")
          .addNullableDoubleField("dbl")
          .addNullableField("price", FieldType.logicalType(FixedPrecisionNumeric.of(12, 2)))
          .addNullableField("wide", FieldType.logicalType(FixedPrecisionNumeric.of(38, 10)))
          .addNullableLogicalTypeField("day", SqlTypes.DATE)
          .addNullableLogicalTypeField("seen", SqlTypes.DATETIME)
          .addNullableStringField("name")
          .addNullableField("tags", FieldType.array(FieldType.STRING.withNullable(true)))
          .addNullableField("counts", FieldType.map(FieldType.STRING, FieldType.INT32))
          .addNullableField("pair", FieldType.row(NESTED))
          .build();
  private static final DorisTable TABLE = DorisTable.of("shop", "types").withKey("id");

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private static Shop shop() {
    Shop shop = Shop.of(Shop.builder().keepBodies(true));
    shop.doris.createTable(
        "CREATE TABLE shop.types (id BIGINT NOT NULL, flag BOOLEAN, tiny TINYINT, small SMALLINT,"
            + " number INT, real FLOAT, dbl DOUBLE, price DECIMAL(12, 2), wide DECIMAL(38, 10),"
            + " day DATE, seen DATETIME(6), name VARCHAR(100), tags ARRAY<STRING>,"
            + " counts MAP<STRING, INT>, pair STRUCT<a:INT, b:STRING>) UNIQUE KEY(id)");
    return shop;
  }

  private static Row full() {
    return Row.withSchema(SCHEMA)
        .addValues(
            1L,
            true,
            (byte) -7,
            (short) 300,
            -70_000,
            1.5f,
            -2.25,
            new BigDecimal("-1234567.89"),
            new BigDecimal("12345678901234567890.1234567890"),
            LocalDate.parse("2026-03-01"),
            LocalDateTime.parse("2026-03-01T10:20:30.123456"),
            "Grüße, 世界",
            Arrays.asList("x", null, ""),
            Map.of("k", 5),
            Row.withSchema(NESTED).addValues(9, "nested").build())
        .build();
  }

  private static Row nulls(long id) {
    Row.Builder row = Row.withSchema(SCHEMA).addValue(id);
    for (int i = 1; i < SCHEMA.getFieldCount(); i++) {
      row.addValue(null);
    }
    return row.build();
  }

  private static void write(Shop shop) {
    Pipeline pipeline = Pipeline.create();
    pipeline
        .apply(
            Create.of(
                    List.of(
                        Change.of(ChangeKind.INSERT, full()),
                        Change.of(ChangeKind.INSERT, nulls(2)),
                        Change.of(ChangeKind.DELETE, nulls(3))))
                .withCoder(ChangeCoder.of(SCHEMA)))
        .apply(shop.write().to(TABLE).withShards(1));
    pipeline.run();
  }

  @Test
  public void valuesOfAllTypesAreStored() {
    try (Shop shop = shop()) {
      write(shop);
      List<Map<String, Object>> rows = shop.doris.rows("shop", "types");
      assertThat(rows.size(), is(2));
      Map<String, Object> first = rows.get(0);
      assertThat(first.get("flag"), is(true));
      assertThat(first.get("tiny"), is(-7L));
      assertThat(first.get("small"), is(300L));
      assertThat(first.get("number"), is(-70_000L));
      assertThat(first.get("real").toString(), is("1.5"));
      assertThat(first.get("dbl").toString(), is("-2.25"));
      assertThat(first.get("price"), is(new BigDecimal("-1234567.89")));
      assertThat(first.get("wide"), is(new BigDecimal("12345678901234567890.1234567890")));
      assertThat(first.get("day"), is(LocalDate.parse("2026-03-01")));
      assertThat(first.get("seen"), is(LocalDateTime.parse("2026-03-01T10:20:30.123456")));
      assertThat(first.get("name"), is("Grüße, 世界"));
      assertThat(first.get("tags"), is(Arrays.asList("x", null, "")));
      assertThat(first.get("counts"), is(Map.of("k", 5L)));
      assertThat(first.get("pair").toString(), is("{a=9, b=nested}"));
      assertThat(rows.get(1).values().stream().filter(value -> value == null).count(), is(14L));
      assertThat(shop.doris.violations(), empty());
    }
  }

  /** Skipped, which a report shows, where there is no node, or no way to get the package. */
  @Test
  public void bodiesAreReadByAnotherLanguage() throws Exception {
    assumeTrue("node is installed", run(30, "node", "--version").exit() == 0);
    Path modules = Path.of("target", "node").toAbsolutePath();
    if (!Files.isDirectory(modules.resolve("node_modules/apache-arrow"))) {
      Files.createDirectories(modules);
      assumeTrue(
          NPM_PACKAGE + " can be installed",
          run(
                      240,
                      "npm",
                      "install",
                      "--no-audit",
                      "--no-fund",
                      "--ignore-scripts",
                      "--prefix",
                      modules.toString(),
                      NPM_PACKAGE)
                  .exit()
              == 0);
    }
    Path script = temp.newFile("read-body.js").toPath();
    try (InputStream in = TypesTest.class.getResourceAsStream("read-body.js")) {
      Files.write(script, in.readAllBytes());
    }
    StringBuilder all = new StringBuilder();
    try (Shop shop = shop()) {
      write(shop);
      for (var transaction : shop.doris.transactions()) {
        Path body = temp.newFile().toPath();
        Files.write(body, shop.doris.body(transaction.txnId()));
        Result read = run(60, "node", script.toString(), modules.toString(), body.toString());
        assertThat(read.output(), read.exit(), is(0));
        all.append(read.output());
      }
    }
    List<String> lines = all.toString().lines().sorted().toList();
    assertThat(
        lines.get(0),
        is(
            "{\"id\":\"1\",\"flag\":\"true\",\"tiny\":\"-7\",\"small\":\"300\",\"number\":\"-70000\","
                + "\"real\":\"1.5\",\"dbl\":\"-2.25\",\"price\":\"-123456789\","
                + "\"wide\":\"123456789012345678901234567890\",\"day\":\"1772323200000\","
                + "\"seen\":\"1772360430123.456\",\"name\":\"Grüße, 世界\","
                + "\"tags\":[\"x\",null,\"\"],\"counts\":[[\"k\",\"5\"]],"
                + "\"pair\":[\"9\",\"nested\"],\"__DORIS_DELETE_SIGN__\":\"0\"}"));
    assertThat(lines.get(2).endsWith("\"__DORIS_DELETE_SIGN__\":\"1\"}"), is(true));
    assertThat(lines.get(1).contains("\"pair\":null"), is(true));
  }

  private record Result(int exit, String output) {}

  private static Result run(int seconds, String... command) throws InterruptedException {
    try {
      Path out = Files.createTempFile("tidemark", ".out");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
          return new Result(-1, "took longer than " + seconds + " s");
        }
        return new Result(process.exitValue(), Files.readString(out, UTF_8));
      } finally {
        Files.delete(out);
      }
    } catch (IOException e) {
      return new Result(-1, e.toString());
    }
  }
}
