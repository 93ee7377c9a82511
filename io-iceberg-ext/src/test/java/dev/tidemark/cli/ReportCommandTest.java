package dev.tidemark.cli;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.sensor.SensorTable;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;
import picocli.CommandLine;

/** The verbs {@code report} and {@code simulate}. */
@RunWith(JUnit4.class)
public final class ReportCommandTest {
  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private record Run(int code, String out, String err) {}

  private Run run(String verb, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        TidemarkCommand.commandLine(new Environment(table.clock(), table.sleeper(() -> {})));
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of(verb, "--catalog", SensorTable.CATALOG));
    all.addAll(List.of("--table", "db.events"));
    table
        .config()
        .properties()
        .forEach((key, value) -> all.addAll(List.of("--property", key + "=" + value)));
    all.addAll(List.of(arguments));
    int code = command.execute(all.toArray(new String[0]));
    return new Run(code, out.toString(), err.toString());
  }

  private static JsonNode json(Run run) throws Exception {
    return new ObjectMapper().readTree(run.out());
  }

  /** The watermark goes to 10:00, 12:00 and 13:00; then two rows are late. */
  @Before
  public void makeAPast() throws Exception {
    for (String time : List.of("10:05", "12:05", "13:05")) {
      table.commitAndAdvance("eu", "2026-01-01T" + time + ":00Z");
      table.sleeper(() -> {}).sleep(60_000);
    }
    table.commitAndAdvance("eu", "2026-01-01T11:10:00Z", "2026-01-01T11:20:00Z");
  }

  @Test
  public void reportWritesThePageAndSaysWhatIsInIt() throws Exception {
    File page = new File(table.newFolder(), "report.html");

    Run run = run("report", "--output", page.toString(), "--zone", "Europe/Berlin");

    assertThat(run.err(), run.code(), is(0));
    assertThat(
        run.out(), allOf(containsString("Late records"), containsString("Written to " + page)));
    assertThat(
        Files.readString(page.toPath()),
        allOf(startsWith("<!DOCTYPE html>"), containsString("all times in Europe/Berlin")));
  }

  @Test
  public void reportAnswersInJson() throws Exception {
    JsonNode json = json(run("report", "--json"));

    assertThat(json.at("/finalizedUntil").textValue(), is("2026-01-01T13:00:00Z"));
    assertThat(json.get("commits").size(), is(4));
    assertThat(json.at("/commits/3/late/least").longValue(), is(2L));
    assertThat(json.at("/commits/3/late/exact").booleanValue(), is(true));
    assertThat(json.at("/commits/3/watermarkMet").textValue(), is("2026-01-01T13:00:00Z"));
    assertThat(json.at("/moves/2/watermark").textValue(), is("2026-01-01T13:00:00Z"));
    assertThat(json.at("/hours/1/start").textValue(), is("2026-01-01T11:00:00Z"));
    assertThat(json.at("/hours/1/late").longValue(), is(2L));
    assertThat(json.at("/hours/1/state").textValue(), is("FINAL"));
    assertThat(json.at("/writers/0/lateCommits").longValue(), is(1L));
    assertThat(json.get("cut").booleanValue(), is(false));
  }

  @Test
  public void reportIsLimitedToCommitTimes() throws Exception {
    String from = "2026-01-02T00:01:00Z";

    JsonNode json =
        json(run("report", "--json", "--from", from, "--until", "2026-01-02T00:02:00Z"));

    assertThat(json.get("commits").size(), is(1));
    assertThat(json.at("/commits/0/committedAt").textValue(), is(from));
    assertThat(run("report", "--json", "--from", from, "--until", from).code(), is(2));
    assertThat(run("report", "--json", "--from", "yesterday").code(), is(2));
  }

  @Test
  public void simulateTellsEachHourAndWhatWouldBeLate() throws Exception {
    File page = new File(table.newFolder(), "simulation.html");
    String[] rules = {"--policy", "minOfMins()", "--lookback", "2,0s"};

    Run run = run("simulate", rules[0], rules[1], rules[2], rules[3], "--output", page.toString());
    JsonNode json = json(run("simulate", rules[0], rules[1], rules[2], rules[3], "--json"));

    assertThat(run.err(), run.code(), is(0));
    assertThat(
        run.out(),
        allOf(
            containsString("minOfMins(2, PT0S)"),
            containsString("2026-01-01T11:00:00Z"),
            containsString("Written to " + page)));
    assertThat(Files.readString(page.toPath()), containsString("simulated watermark"));
    assertThat(json.at("/rules/policy").textValue(), is("minOfMins(2, PT0S)"));
    // Two commits back the watermark went to 10:00 with the second one and to 12:00 with the third.
    assertThat(json.at("/simulatedMoves/0/watermark").textValue(), is("2026-01-01T10:00:00Z"));
    assertThat(json.at("/simulatedMoves/1/watermark").textValue(), is("2026-01-01T12:00:00Z"));
    assertThat(json.at("/simulatedMoves/1/at").textValue(), is("2026-01-02T00:02:00Z"));
    assertThat(json.at("/hours/0/start").textValue(), is("2026-01-01T10:00:00Z"));
    assertThat(json.at("/hours/0/simulated/at").textValue(), is("2026-01-02T00:02:00Z"));
    assertThat(json.at("/hours/2/simulated/at").isNull(), is(true));
    assertThat(json.at("/simulatedLate/most").longValue(), is(2L));
    assertThat(json.at("/actualLate/most").longValue(), is(2L));
    assertThat(json.at("/unsurePoints").intValue(), is(0));
  }

  @Test
  public void wrongUsageIsSaid() throws Exception {
    File nowhere = new File(table.newFolder(), "no/such/folder.html");

    assertThat(run("report").code(), is(2));
    assertThat(run("report").err(), containsString("--output FILE"));
    assertThat(run("report", "--output", nowhere.toString()).code(), is(1));
    assertThat(
        run("report", "--output", nowhere.toString()).err(),
        startsWith("tidemark: Cannot write page " + nowhere));
    Run policy = run("simulate", "--policy", "best()");
    assertThat(policy.code(), is(2));
    assertThat(policy.err(), containsString("best is no known policy"));
    assertThat(run("simulate").code(), is(2));
    Run lookback = run("simulate", "--policy", "minOfMins()", "--lookback", "many");
    assertThat(lookback.err(), containsString("such as 12,1h"));
    Run granularity = run("simulate", "--policy", "minOfMins()", "--granularity", "7m");
    assertThat(granularity.err(), containsString("Invalid granularity"));
    Run idle = run("simulate", "--policy", "minOfMins()", "--idle", "SLEEP");
    assertThat(idle.code(), is(2));
  }
}
