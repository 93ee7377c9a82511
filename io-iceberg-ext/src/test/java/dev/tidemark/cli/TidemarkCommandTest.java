package dev.tidemark.cli;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.sensor.SensorTable;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.iceberg.expressions.Expressions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public final class TidemarkCommandTest {
  @Rule public final SensorTable table;

  public TidemarkCommandTest(SensorTable.Kind kind) {
    this.table = new SensorTable(kind);
  }

  @Parameters(name = "{0}")
  public static Object[] kinds() {
    return SensorTable.Kind.values();
  }

  private CommandRun raw(Runnable meanwhile, List<String> arguments) {
    return CommandRun.of(table, meanwhile, arguments);
  }

  private CommandRun run(Runnable meanwhile, String verb, String... arguments) {
    List<String> all = CommandRun.arguments(table, verb, "--table", "db.events");
    all.addAll(List.of(arguments));
    return raw(meanwhile, all);
  }

  private CommandRun run(String verb, String... arguments) {
    return run(() -> {}, verb, arguments);
  }

  private void finalizeFromTenToTwelve() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z", "2026-01-01T10:40:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  private String head() {
    return Long.toString(table.table().currentSnapshot().snapshotId());
  }

  @Test
  public void checkOfWhatIsFinalizedIsZero() {
    finalizeFromTenToTwelve();

    CommandRun run = run("check", "--start", "2026-01-01T10:00Z", "--end", "2026-01-01T12:00Z");

    assertThat(run.err(), run.code(), is(0));
    assertThat(
        run.out(),
        allOf(startsWith("FINALIZED db.events"), containsString("Read snapshot " + head())));
    assertThat(run.err(), is(""));
  }

  @Test
  public void checkAnswersInJson() {
    finalizeFromTenToTwelve();

    CommandRun run =
        run("check", "--start", "2026-01-01T10:00Z", "--end", "2026-01-01T12:00Z", "--json");
    JsonNode json = run.json();

    assertThat(run.code(), is(0));
    assertThat(json.get("table").textValue(), is("db.events"));
    assertThat(json.get("branch").textValue(), is("main"));
    assertThat(json.get("state").textValue(), is("FINALIZED"));
    assertThat(json.get("start").textValue(), is("2026-01-01T10:00:00Z"));
    assertThat(json.get("end").textValue(), is("2026-01-01T12:00:00Z"));
    assertThat(json.get("finalizedUntil").textValue(), is("2026-01-01T12:00:00Z"));
    assertThat(json.get("finalizedSince").textValue(), is("2026-01-01T10:00:00Z"));
    assertThat(json.get("snapshotId").textValue(), is(head()));
    assertThat(json.get("verified").booleanValue(), is(true));
    assertThat(json.get("timedOut").booleanValue(), is(false));
    assertThat(json.has("late"), is(false));
  }

  @Test
  public void checkOfWhatIsNotFinalizedIsThree() {
    finalizeFromTenToTwelve();

    CommandRun notYet = run("check", "--until", "2026-01-01T12:00:00.001Z", "--json");
    assertThat(notYet.code(), is(3));
    assertThat(notYet.json().get("state").textValue(), is("NOT_YET"));
    assertThat(notYet.json().get("start").isNull(), is(true));

    CommandRun notCovered =
        run("check", "--start", "2026-01-01T09:00Z", "--end", "2026-01-01T11:00Z", "--json");
    assertThat(notCovered.code(), is(3));
    assertThat(notCovered.json().get("state").textValue(), is("NOT_COVERED"));
  }

  @Test
  public void checkAfterARollbackIsThree() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long before = table.table().currentSnapshot().snapshotId();
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    table.rollbackTo(before);

    CommandRun run = run("check", "--until", "2026-01-01T11:00Z", "--json");

    assertThat(run.code(), is(3));
    assertThat(run.json().get("state").textValue(), is("INVALIDATED"));
    assertThat(run("show", "--json").json().get("snapshotState").textValue(), is("ROLLED_BACK"));
  }

  @Test
  public void checkReadsLocalTimesInTheZone() {
    finalizeFromTenToTwelve();
    String[] berlin = {"--start", "2026-01-01T11:00", "--end", "2026-01-01 13:00"};

    CommandRun run =
        run("check", berlin[0], berlin[1], berlin[2], berlin[3], "--zone", "Europe/Berlin");
    assertThat(run.err(), run.code(), is(0));
    assertThat(run.out(), containsString("[2026-01-01T10:00:00Z, 2026-01-01T12:00:00Z)"));

    CommandRun without = run("check", berlin);
    assertThat(without.code(), is(2));
    assertThat(without.err(), containsString("--zone"));
  }

  @Test
  public void checkTakesPartitions() {
    finalizeFromTenToTwelve();
    table.table().updateSpec().addField(Expressions.hour("ts")).commit();

    assertThat(run("check", "--partition", "2026-01-01-11").code(), is(0));
    assertThat(run("check", "--partition", "ts_hour=2026-01-01-11").code(), is(0));
    assertThat(run("check", "--partition", "2026-01-01-12").code(), is(3));
    CommandRun wrong = run("check", "--partition", "2026-01-01");
    assertThat(wrong.code(), is(2));
    assertThat(wrong.err(), containsString("ts_hour=yyyy-MM-dd-HH"));
    assertThat(run("check", "--partition", "2026-01-01-11", "--zone", "UTC").code(), is(2));
  }

  @Test
  public void lateDataFailsACheckOnlyWhenAsked() {
    finalizeFromTenToTwelve();
    table.commit("eu", "2026-01-01T10:10:00Z");
    String[] range = {"--start", "2026-01-01T10:00Z", "--end", "2026-01-01T11:00Z"};

    assertThat(run("check", range).code(), is(0));
    CommandRun late = run("check", range[0], range[1], range[2], range[3], "--fail-on-late");
    assertThat(late.code(), is(5));
    assertThat(late.out(), containsString("Late: 1 record in snapshot"));
    CommandRun json =
        run("check", range[0], range[1], range[2], range[3], "--fail-on-late", "--json");
    assertThat(json.json().at("/late/0/records").longValue(), is(1L));
    assertThat(json.json().at("/late/0/recordsByHour/2026-01-01T10:00:00Z").longValue(), is(1L));
    assertThat(json.json().get("foreignLate").size(), is(0));
    assertThat(
        run("check", "--start", "2026-01-01T11:00Z", "--end", "2026-01-01T12:00Z", "--fail-on-late")
            .code(),
        is(0));
  }

  @Test
  public void foreignAppendFailsACheckWhenAsked() {
    finalizeFromTenToTwelve();
    table.foreignAppend();

    CommandRun run = run("check", "--until", "2026-01-01T12:00Z", "--fail-on-late", "--json");

    assertThat(run.code(), is(5));
    assertThat(run.json().at("/foreignLate/0/suspected").booleanValue(), is(true));
  }

  @Test
  public void waitGoesOnUntilTheRangeIsFinalized() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    int[] pauses = {0};

    CommandRun run =
        run(
            () -> {
              if (++pauses[0] == 2) {
                table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
              }
            },
            "wait",
            "--until",
            "2026-01-01T12:00Z",
            "--json");

    assertThat(run.err(), run.code(), is(0));
    assertThat(pauses[0], is(2));
    assertThat(run.json().get("state").textValue(), is("FINALIZED"));
    // Said once, as nothing changed.
    assertThat(
        run.err().strip(),
        is(
            "Waiting for db.events: Finalized until 2026-01-01T10:00:00Z only, before"
                + " 2026-01-01T12:00:00Z (1h 0m left)"));
  }

  @Test
  public void waitThatTimesOutIsFour() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    int[] pauses = {0};

    CommandRun run =
        run(
            () -> pauses[0]++,
            "wait",
            "--until",
            "2026-01-01T12:00Z",
            "--timeout",
            "PT12M",
            "--poll",
            "1m",
            "--json");

    assertThat(run.code(), is(4));
    assertThat(pauses[0], is(12));
    assertThat(run.json().get("timedOut").booleanValue(), is(true));
    assertThat(run.json().get("state").textValue(), is("NOT_YET"));
    // Repeated every five minutes.
    assertThat(run.err().lines().count(), is(3L));
  }

  @Test
  public void waitThatCannotHelpIsThree() {
    finalizeFromTenToTwelve();

    CommandRun run = run("wait", "--start", "2026-01-01T09:00Z", "--end", "2026-01-01T11:00Z");

    assertThat(run.code(), is(3));
    assertThat(run.out(), startsWith("NOT_COVERED"));
  }

  @Test
  public void waitCanFailOnLateData() {
    finalizeFromTenToTwelve();
    table.commit("eu", "2026-01-01T10:10:00Z");

    assertThat(run("wait", "--until", "2026-01-01T12:00Z", "--fail-on-late").code(), is(5));
  }

  @Test
  public void showTellsWatermarkAndWriters() {
    table.setProperty(TidemarkKeys.main().writers(), "eu");
    finalizeFromTenToTwelve();
    table.commit("eu", "2026-01-01T10:10:00Z");

    CommandRun text = run("show");
    JsonNode json = run("show", "--json").json();

    assertThat(text.code(), is(0));
    assertThat(
        text.out(),
        allOf(
            containsString("Finalized until"),
            containsString("2026-01-01T12:00:00Z (12h 0m ago)"),
            containsString("minOfMins(1, PT0S)"),
            containsString("WRITER  REQUIRED"),
            containsString("eu      yes")));
    assertThat(json.get("finalizedUntil").textValue(), is("2026-01-01T12:00:00Z"));
    assertThat(json.get("lagMs").longValue(), is(12 * 3_600_000L));
    assertThat(json.get("snapshotState").textValue(), is("HELD"));
    assertThat(json.get("headSnapshotId").textValue(), is(head()));
    assertThat(json.get("policy").textValue(), is("minOfMins(1, PT0S)"));
    assertThat(json.at("/requiredWriters/0").textValue(), is("eu"));
    assertThat(json.at("/writers/0/writer").textValue(), is("eu"));
    assertThat(json.at("/writers/0/lateRecords").longValue(), is(1L));
    assertThat(json.at("/writers/0/minEventTime").textValue(), is("2026-01-01T10:05:00Z"));
    assertThat(json.at("/writers/0/inputWatermark").textValue(), is("2026-01-01T23:00:00Z"));
  }

  @Test
  public void showOfATableWithoutWatermarkIsZero() {
    CommandRun text = run("show");
    JsonNode json = run("show", "--json").json();

    assertThat(text.code(), is(0));
    assertThat(text.out(), containsString("no watermark yet"));
    assertThat(json.get("finalizedUntil").isNull(), is(true));
    assertThat(json.get("writers").size(), is(0));
  }

  @Test
  public void historyEndsWithTheNewest() {
    finalizeFromTenToTwelve();

    CommandRun text = run("history");
    JsonNode entries = run("history", "--json").json().get("entries");
    JsonNode newest = entries.get(entries.size() - 1);

    assertThat(text.code(), is(0));
    assertThat(text.out(), containsString("WATERMARK AFTER"));
    assertThat(entries.at("/0/writer").textValue(), is("eu"));
    assertThat(entries.at("/0/records").longValue(), is(2L));
    assertThat(entries.at("/0/minEventTime").textValue(), is("2026-01-01T10:05:00Z"));
    assertThat(entries.at("/0/maxEventTime").textValue(), is("2026-01-01T10:40:00Z"));
    assertThat(newest.get("snapshotId").textValue(), is(head()));
    assertThat(newest.get("watermarkAfter").textValue(), is("2026-01-01T12:00:00Z"));
    assertThat(run("history", "--limit", "1", "--json").json().get("cut").booleanValue(), is(true));
    assertThat(run("history", "--limit", "0").code(), is(2));
  }

  @Test
  public void branchHasItsOwnAnswers() {
    finalizeFromTenToTwelve();
    table.commit("audit", "eu", SensorTable.stats("2026-01-01T14:05:00Z"));

    CommandRun run = run("check", "--branch", "audit", "--until", "2026-01-01T12:00Z", "--json");
    assertThat(run.code(), is(3));
    assertThat(run.json().get("branch").textValue(), is("audit"));
    assertThat(
        run("show", "--branch", "audit", "--json").json().at("/writers/0/commits").longValue(),
        is(1L));

    CommandRun missing = run("check", "--branch", "typo", "--until", "2026-01-01T12:00Z");
    assertThat(missing.code(), is(1));
    assertThat(missing.err(), containsString("[audit, main]"));
    assertThat(run("show", "--branch", "a..b").code(), is(2));
  }

  @Test
  public void errorIsOneLineAndHasAStackOnlyWithDebug() {
    List<String> arguments = new ArrayList<>(List.of("show", "--catalog", "lake"));
    table
        .config()
        .properties()
        .forEach((key, value) -> arguments.addAll(List.of("--property", key + "=" + value)));
    arguments.addAll(List.of("--table", "db.absent"));

    CommandRun plain = raw(() -> {}, arguments);
    arguments.add("--debug");
    CommandRun debug = raw(() -> {}, arguments);

    assertThat(plain.code(), is(1));
    assertThat(plain.out(), is(""));
    assertThat(
        plain.err().strip(),
        is(
            "tidemark: Cannot read table db.absent: there is no such table. Check catalog,"
                + " namespace and name."));
    assertThat(debug.code(), is(1));
    assertThat(debug.err(), containsString("at dev.tidemark.sensor"));
  }

  @Test
  public void propertiesMayComeFromAFile() throws IOException {
    finalizeFromTenToTwelve();
    File file = new File(table.newFolder(), "catalog.properties");
    Properties properties = new Properties();
    properties.putAll(table.config().properties());
    properties.setProperty("warehouse", "file:/nowhere");
    try (Writer writer = Files.newBufferedWriter(file.toPath(), StandardCharsets.UTF_8)) {
      properties.store(writer, null);
    }

    CommandRun run =
        raw(
            () -> {},
            List.of(
                "check",
                "--catalog",
                SensorTable.CATALOG,
                "--properties-file",
                file.getPath(),
                "--property",
                "warehouse=" + table.config().properties().get("warehouse"),
                "--table",
                "db.events",
                "--until",
                "2026-01-01T12:00Z"));

    assertThat(run.err(), run.code(), is(0));
  }

  @Test
  public void secretsAreNotPrinted() {
    String secret = "s3cr3t-pa55word";
    List<List<String>> mistakes =
        List.of(
            // A catalog that cannot be opened.
            List.of(
                "--property", "catalog-impl=no.such.Catalog", "--property", "password=" + secret),
            // A driver that quotes what it was given.
            List.of(
                "--property", "type=jdbc",
                "--property", "uri=jdbc:nosuch://user:" + secret + "@host/db",
                "--property", "warehouse=/tmp"),
            List.of("--property", "type=hadoop", "--property", "jdbc.password:" + secret),
            List.of("--propery", "password=" + secret, "--property", "type=hadoop"),
            List.of("--property", "type=hadoop", "--secret=" + secret),
            List.of("--property", "type=hadoop", "--password", secret),
            List.of("--property", "type=hadoop", "-p" + secret));
    for (List<String> mistake : mistakes) {
      List<String> arguments =
          new ArrayList<>(List.of("show", "--catalog", "c", "--table", "db.t", "--debug"));
      arguments.addAll(mistake);

      CommandRun run = raw(() -> {}, arguments);

      assertThat(mistake.toString(), run.code(), not(is(0)));
      assertThat(run.err(), not(containsString(secret)));
      assertThat(run.out(), not(containsString(secret)));
    }
  }

  @Test
  public void wrongUsageIsTwoAndSaysWhere() {
    List<List<String>> mistakes =
        List.of(
            List.of(),
            List.of("explain"),
            List.of("check"),
            List.of("check", "--catalog", "c", "--table", "t", "--property", "type=hadoop"),
            List.of("check", "--catalog", "c", "--table", "db.t", "--until", "2026-01-01T00:00Z"),
            List.of("show", "--catalog", "c", "--table", "db.t", "--properties-file", "/absent"));
    for (List<String> mistake : mistakes) {
      CommandRun run = raw(() -> {}, mistake);

      assertThat(mistake.toString(), run.code(), is(2));
      assertThat(run.err().strip().lines().count(), is(1L));
      assertThat(run.err(), allOf(startsWith("tidemark: "), containsString("--help'")));
      assertThat(run.out(), is(""));
    }
  }

  @Test
  public void rangeMustBeSaidOnce() {
    String[][] mistakes = {
      {},
      {"--start", "2026-01-01T00:00Z"},
      {"--until", "2026-01-01T00:00Z", "--partition", "2026-01-01"},
      {"--start", "2026-01-01T00:00Z", "--end", "2026-01-01T00:00Z"},
      {"--until", "yesterday"},
      {"--until", "2026-01-01", "--zone", "Mars/Olympus"},
      {"--until", "2026-01-01T00:00Z", "--timeout", "soon"},
      {"--until", "2026-01-01T00:00Z", "--poll", "0s"},
      {"--until", "2026-01-01T00:00Z", "--timeout", "-PT1S"},
      {"--until", "2026-01-01T00:00Z", "--outage", "long"},
      {"--until", "2026-01-01T00:00Z", "--signal", "rumour"},
      {"--until", "2026-01-01T00:00Z", "--signal", "marker:_SUCCESS"},
      {"--until", "2026-01-01T00:00Z", "--signal", "marker:{yyyy}/_SUCCESS"},
      {"--until", "2026-01-01T00:00Z", "--signal", "gobblin", "--fail-on-late"},
    };
    for (String[] mistake : mistakes) {
      CommandRun run = run("wait", mistake);

      assertThat(String.join(" ", mistake) + run.err(), run.code(), is(2));
      assertThat(run.err().strip().lines().count(), is(1L));
    }
  }

  @Test
  public void helpIsZeroAndListsTheVerbs() {
    CommandRun help = raw(() -> {}, List.of("--help"));
    CommandRun verb = raw(() -> {}, List.of("wait", "--help"));

    assertThat(help.code(), is(0));
    assertThat(
        help.out(),
        allOf(
            containsString("check"),
            containsString("wait"),
            containsString("show"),
            containsString("history"),
            containsString("late data was seen")));
    assertThat(verb.code(), is(0));
    assertThat(verb.out(), containsString("--timeout"));
    assertThat(raw(() -> {}, List.of("--version")).code(), is(0));
  }
}
