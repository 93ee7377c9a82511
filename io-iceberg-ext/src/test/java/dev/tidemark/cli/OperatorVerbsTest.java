package dev.tidemark.cli;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.sensor.SensorTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The verbs that change something, and the doctor. */
@RunWith(JUnit4.class)
public final class OperatorVerbsTest {
  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private CommandRun run(String verb, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--table", "db.events"));
    return CommandRun.of(
        table, () -> {}, CommandRun.arguments(table, verb, all.toArray(new String[0])));
  }

  private void finalizeFromTenToTwelve() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  @Test
  public void resetIsShownWithWhoAndWhy() {
    finalizeFromTenToTwelve();

    CommandRun reset =
        run("reset", "--to", "2026-01-01T11:00Z", "--reason", "source was down", "--by", "ana");
    CommandRun show = run("show");
    CommandRun history = run("history");
    JsonNode operation = run("history", "--json").json().at("/operations/0");

    assertThat(reset.err(), reset.code(), is(0));
    assertThat(
        reset.out(),
        startsWith("The watermark is 2026-01-01T11:00:00Z now, was 2026-01-01T12:00:00Z."));
    for (CommandRun shown : List.of(show, history)) {
      assertThat(
          shown.out(),
          allOf(
              containsString("WHO"),
              containsString("ana"),
              containsString("watermark 2026-01-01T12:00:00Z"),
              containsString("source was down")));
    }
    assertThat(operation.get("verb").textValue(), is("reset"));
    assertThat(operation.get("by").textValue(), is("ana"));
    assertThat(operation.get("reason").textValue(), is("source was down"));
    assertThat(operation.get("at").textValue(), is(table.now().toString()));
    assertThat(operation.get("before").textValue(), is("watermark 2026-01-01T12:00:00Z"));
    assertThat(run("show", "--json").json().at("/operations/0/verb").textValue(), is("reset"));
    JsonNode entries = run("history", "--json").json().get("entries");
    assertThat(
        entries.get(entries.size() - 1).get("watermarkAfter").textValue(),
        is("2026-01-01T11:00:00Z"));
  }

  @Test
  public void resetTakesLocalTimesAndNone() {
    finalizeFromTenToTwelve();

    CommandRun local =
        run(
            "reset",
            "--to",
            "2026-01-01T12:00",
            "--zone",
            "Europe/Berlin",
            "--reason",
            "r",
            "--go-on",
            "--json");
    CommandRun none = run("reset", "--to", "none", "--reason", "r", "--json");

    assertThat(local.json().get("watermarkAfter").textValue(), is("2026-01-01T11:00:00Z"));
    assertThat(local.json().get("changed").booleanValue(), is(true));
    assertThat(none.json().get("watermarkAfter").isNull(), is(true));
    assertThat(none.json().at("/operation/verb").textValue(), is("reset"));
  }

  @Test
  public void refusalIsOneLineAndOne() {
    finalizeFromTenToTwelve();

    CommandRun forward = run("reset", "--to", "2026-01-01T13:00Z", "--reason", "r");
    CommandRun forced = run("reset", "--to", "2026-01-01T13:00Z", "--reason", "r", "--force");
    CommandRun inUse = run("disable", "--reason", "r");

    assertThat(forward.code(), is(1));
    assertThat(forward.err(), startsWith("tidemark: Cannot reset the watermark"));
    assertThat(forward.err().strip().lines().count(), is(1L));
    assertThat(forced.code(), is(0));
    assertThat(inUse.code(), is(1));
    assertThat(inUse.err(), containsString("Stop the pipeline first, or force it."));
  }

  @Test
  public void actsNeedAReason() {
    List<List<String>> acts =
        List.of(
            List.of("pause"),
            List.of("resume"),
            List.of("reset", "--to", "none"),
            List.of("disable"),
            List.of("writers", "--add", "us"),
            List.of("writers", "--retire", "us"),
            List.of("pause", "--reason", ""),
            List.of("pause", "--reason", "r", "--by", ""));
    for (List<String> act : acts) {
      CommandRun run = run(act.get(0), act.subList(1, act.size()).toArray(new String[0]));

      assertThat(act.toString() + run.err(), run.code(), is(2));
    }
    assertThat(table.table().properties().keySet().toString(), not(containsString("tidemark")));
  }

  @Test
  public void pauseAndResume() {
    finalizeFromTenToTwelve();

    CommandRun paused = run("pause", "--reason", "audit");
    CommandRun again = run("pause", "--reason", "audit");
    String shown = run("show").out();
    CommandRun resumed = run("resume", "--reason", "passed", "--json");

    assertThat(paused.out(), startsWith("The watermark stays at 2026-01-01T12:00:00Z"));
    assertThat(again.out(), startsWith("Nothing changed."));
    assertThat(shown, containsString("audit"));
    assertThat(resumed.json().at("/operation/before").textValue(), is("paused: audit"));
    assertThat(resumed.json().at("/operation/by").textValue(), is(System.getProperty("user.name")));
  }

  @Test
  public void writersAreListedAddedAndRetired() {
    finalizeFromTenToTwelve();

    CommandRun listed = run("writers");
    CommandRun added = run("writers", "--add", "us", "--reason", "second region");
    JsonNode both = run("writers", "--json").json();
    CommandRun retired = run("writers", "--retire", "us", "--reason", "closed");
    CommandRun last = run("writers", "--remove", "eu", "--reason", "closed");

    assertThat(listed.out(), containsString("not listed"));
    assertThat(added.out(), containsString("Writer us is required from now on"));
    assertThat(both.get("listed").booleanValue(), is(true));
    assertThat(both.at("/writers/1/writer").textValue(), is("us"));
    assertThat(both.at("/writers/1/required").booleanValue(), is(true));
    assertThat(retired.out(), containsString("does not wait for writer us any more"));
    assertThat(last.code(), is(1));
    assertThat(run("writers", "--add", "a", "--retire", "b", "--reason", "r").code(), is(2));
    assertThat(run("writers", "--add", "a b", "--reason", "r").code(), is(2));
  }

  @Test
  public void disabledTableIsAnErrorForThoseWhoWait() {
    finalizeFromTenToTwelve();

    CommandRun disabled = run("disable", "--reason", "moved", "--force");
    CommandRun check = run("check", "--until", "2026-01-01T11:00Z");
    CommandRun wait = run("wait", "--until", "2026-01-01T11:00Z");
    CommandRun show = run("show");

    assertThat(disabled.err(), disabled.code(), is(0));
    assertThat(check.code(), is(1));
    assertThat(wait.code(), is(1));
    assertThat(wait.err(), containsString("it was disabled: moved."));
    assertThat(show.out(), allOf(containsString("Disabled"), containsString("moved")));
  }

  @Test
  public void watermarkIsCopiedToABaseTable() {
    finalizeFromTenToTwelve();
    table.create(
        TableIdentifier.of("db", "base"),
        PartitionSpec.unpartitioned(),
        Map.of(
            "tidemark.source.changes.consumed-snapshot-id",
            Long.toString(table.table().currentSnapshot().snapshotId())));
    String[] base = {"--table", "db.base", "--from"};

    CommandRun copied =
        CommandRun.of(
            table,
            () -> {},
            CommandRun.arguments(table, "copy-watermark", base[0], base[1], base[2], "db.events"));
    CommandRun again =
        CommandRun.of(
            table,
            () -> {},
            CommandRun.arguments(
                table, "copy-watermark", base[0], base[1], base[2], "changes=db.events", "--json"));
    CommandRun wrong =
        CommandRun.of(
            table,
            () -> {},
            CommandRun.arguments(
                table, "copy-watermark", base[0], base[1], base[2], "typo=db.events"));

    assertThat(copied.err(), copied.code(), is(0));
    assertThat(copied.out(), startsWith("The watermark moved from none to 2026-01-01T12:00:00Z"));
    assertThat(again.json().get("changed").booleanValue(), is(false));
    assertThat(wrong.code(), is(1));
    assertThat(wrong.err(), containsString("[changes]"));
  }

  @Test
  public void doctorEndsWithSixIfThereIsAnError() {
    table.setProperty("write.metadata.delete-after-commit.enabled", "false");
    finalizeFromTenToTwelve();

    CommandRun warned = run("doctor", "--silent-after", "100000d");
    CommandRun strict = run("doctor", "--silent-after", "100000d", "--fail-on", "warning");
    table.setProperty("tidemark.writers", "eu,us");
    CommandRun error = run("doctor", "--json");

    assertThat(warned.out() + warned.err(), warned.code(), is(0));
    assertThat(warned.out(), allOf(containsString("SEVERITY"), containsString("WARNING")));
    assertThat(strict.code(), is(6));
    assertThat(error.code(), is(6));
    assertThat(error.out(), containsString("Start it, or retire it."));
    assertThat(run("doctor", "--fail-on", "anything").code(), is(2));
  }
}
