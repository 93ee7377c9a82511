package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import dev.tidemark.examples.cdc.CdcPipeline;
import dev.tidemark.examples.cdc.SourceTable;
import dev.tidemark.examples.cdc.SourceTables;
import dev.tidemark.examples.demo.BaseTables;
import dev.tidemark.examples.demo.ServingTables;
import dev.tidemark.examples.demo.ShopFiles;
import dev.tidemark.examples.demo.TruthCheck;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Base tables of the recorded shop, read by Spark: row by row what its database held. */
@RunWith(JUnit4.class)
public final class BaseTablesIT {
  /** Spark has no type for a time of day. */
  private static final String TIME_OF_DAY = "cutoff";

  private static final String UNTIL = "tidemark.finalized-until";

  @Test
  public void sparkReadsWhatTheDatabaseHeld() throws Exception {
    Path folder = ServerJars.newFolder("base-tables");
    ShopFiles files = ShopFiles.write(folder.resolve("shop"));
    writeChanges(folder, files);
    BaseTables base = BaseTables.in(files.catalog(), "base").withoutColumns(TIME_OF_DAY);
    List<SourceTable> tables = SourceTables.read(files.tables().toString());
    tables.forEach(base::merge);
    try (SparkReader spark = SparkReader.onFiles(folder, files.warehouse())) {
      for (SourceTable table : tables) {
        List<Map<String, Object>> rows = rows(spark, files, base, table);
        assertThat(rows.size(), is(greaterThan(20)));
        List<String> truth = truth(table);
        assertThat(rows.size(), is(truth.size()));
        assertThat(
            table.name(),
            TruthCheck.of(table.key(), truth).compareRows(rows).differences(),
            is(empty()));
        assertThat(until(spark, table), is(equalTo(changesUntil(files, table))));
      }
    }
  }

  private static void writeChanges(Path folder, ShopFiles files) throws Exception {
    Path secret = Files.writeString(folder.resolve("password"), CdcStage.PASSWORD);
    try (DorisProcess doris = DorisProcess.start(folder, CdcStage.PASSWORD)) {
      doris.run(ServingTables.DATABASE, "CREATE DATABASE " + ServingTables.DATABASE);
      String statements =
          Resources.toString(Resources.getResource("templates/shop-doris.sql"), UTF_8);
      for (String statement : Splitter.on(';').trimResults().omitEmptyStrings().split(statements)) {
        doris.run(ServingTables.DATABASE, statement);
      }
      CdcPipeline.main(
          new String[] {
            "--runner=DirectRunner",
            "--source=FILES",
            "--inputFiles=" + files.events(),
            "--tables=" + files.tables(),
            "--catalogType=hadoop",
            "--catalogWarehouse=" + files.warehouse(),
            "--icebergNamespace=" + ServingTables.DATABASE,
            "--icebergRowGrouping=500",
            "--finalizationPolicy=minOfMins(1, PT0S)",
            "--writerId=shop",
            "--dorisFrontends=" + doris.frontend(),
            "--dorisUser=" + DorisProcess.USER,
            "--dorisPassword=${file:" + secret + "}",
            "--dorisDatabase=" + ServingTables.DATABASE,
            "--upsertOrder=POSITION",
            "--upsertShards=8",
            "--deadLetterFolder=" + files.deadLetters()
          });
    }
    assertThat(files.writtenDeadLetters(), is(empty()));
  }

  private static List<String> truth(SourceTable table) {
    List<String> truth = new ArrayList<>();
    for (String line : ShopFiles.finalRows(table.name())) {
      // Decimals stay as they are written.
      truth.add(line.replaceAll("\"" + TIME_OF_DAY + "\":(\"[^\"]*\"|null),?", ""));
    }
    return truth;
  }

  private static String until(SparkReader spark, SourceTable table) throws IOException {
    return new ChangeTable(spark, "base", table.name()).properties().get(UNTIL);
  }

  /** The change tables have the time of day, so Spark does not load them. */
  private static String changesUntil(ShopFiles files, SourceTable table) {
    return files
        .catalog()
        .loadTable(TableIdentifier.of(ServingTables.DATABASE, table.name()))
        .properties()
        .get(UNTIL);
  }

  /** As Spark says them; values of types that JSON does not have are asked for as texts. */
  private static List<Map<String, Object>> rows(
      SparkReader spark, ShopFiles files, BaseTables base, SourceTable table) throws IOException {
    List<Types.NestedField> columns = files.catalog().loadTable(base.id(table)).schema().columns();
    String selected =
        columns.stream()
            .map(
                column ->
                    isText(column.type())
                        ? "cast(%1$s as string) AS %1$s".formatted(column.name())
                        : column.name())
            .collect(Collectors.joining(", "));
    List<Map<String, Object>> rows = new ArrayList<>();
    for (JsonNode answer : spark.query("SELECT " + selected + " FROM lake.base." + table.name())) {
      Map<String, Object> row = new TreeMap<>();
      for (Types.NestedField column : columns) {
        JsonNode value = answer.path(column.name());
        row.put(
            column.name(),
            value.isMissingNode() || value.isNull() ? null : value(column.type(), value));
      }
      rows.add(row);
    }
    return rows;
  }

  private static boolean isText(Type type) {
    return switch (type.typeId()) {
      case TIMESTAMP, DATE, DECIMAL -> true;
      default -> false;
    };
  }

  private static Object value(Type type, JsonNode value) {
    return switch (type.typeId()) {
      case BOOLEAN -> value.booleanValue();
      case INTEGER, LONG -> value.longValue();
      case DOUBLE -> value.doubleValue();
      case DECIMAL -> new BigDecimal(value.textValue());
      case DATE -> LocalDate.parse(value.textValue());
      case TIMESTAMP -> {
        LocalDateTime time = LocalDateTime.parse(value.textValue().replace(' ', 'T'));
        yield ((Types.TimestampType) type).shouldAdjustToUTC()
            ? time.atOffset(ZoneOffset.UTC)
            : time;
      }
      case LIST -> {
        List<String> values = new ArrayList<>();
        value.forEach(each -> values.add(each.isNull() ? null : each.asText()));
        yield values;
      }
      default -> value.asText();
    };
  }
}
