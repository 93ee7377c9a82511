package dev.tidemark.cli;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.sensor.SensorTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Several tables in one question, other signals, the bar of a terminal, and refusing servers. */
@RunWith(JUnit4.class)
public final class SeveralTablesTest {
  private static final TableIdentifier OTHER = TableIdentifier.of("db", "other");
  private static final String[] UNTIL = {"--until", "2026-01-01T12:00Z"};

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private CommandRun run(Runnable meanwhile, String verb, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--table", "db.events", "--table", "db.other"));
    all.addAll(List.of(arguments));
    return CommandRun.of(
        table, meanwhile, CommandRun.arguments(table, verb, all.toArray(new String[0])));
  }

  private void finalizeFromTenToTwelve() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  /** A second table, finalized from ten until a time by the properties it has. */
  private void other(String until) {
    Table created = table.create(OTHER, PartitionSpec.unpartitioned(), Map.of());
    finalizeOther(created.uuid().toString(), until);
  }

  private void finalizeOther(String uuid, String until) {
    table
        .catalog()
        .loadTable(OTHER)
        .updateProperties()
        .set("tidemark.finalized-since", "2026-01-01T10:00:00Z")
        .set("tidemark.finalized-until", until)
        .set("tidemark.finalized-until-table-uuid", uuid)
        .commit();
  }

  @Test
  public void allFinalizedIsZero() {
    finalizeFromTenToTwelve();
    other("2026-01-01T12:00:00Z");

    CommandRun text = run(() -> {}, "check", UNTIL);
    JsonNode json = run(() -> {}, "check", UNTIL[0], UNTIL[1], "--json").json();

    assertThat(text.err(), text.code(), is(0));
    assertThat(text.out().lines().filter(line -> line.startsWith("FINALIZED")).count(), is(2L));
    assertThat(json.get("state").textValue(), is("FINALIZED"));
    assertThat(json.at("/tables/0/table").textValue(), is("db.events"));
    assertThat(
        json.at("/tables/0/snapshotId").textValue(),
        is(Long.toString(table.table().currentSnapshot().snapshotId())));
    assertThat(json.at("/tables/1/table").textValue(), is("db.other"));
  }

  @Test
  public void worstStateDecidesTheExitCode() {
    finalizeFromTenToTwelve();
    other("2026-01-01T11:00:00Z");

    CommandRun notYet = run(() -> {}, "check", UNTIL[0], UNTIL[1], "--json");
    table.commit("eu", "2026-01-01T10:10:00Z");
    CommandRun late = run(() -> {}, "check", "--until", "2026-01-01T11:00Z", "--fail-on-late");
    table.catalog().dropTable(OTHER);
    CommandRun missing = run(() -> {}, "check", UNTIL[0], UNTIL[1], "--json");

    assertThat(notYet.code(), is(3));
    assertThat(notYet.json().get("state").textValue(), is("NOT_YET"));
    assertThat(late.code(), is(5));
    assertThat(missing.code(), is(1));
    assertThat(missing.json().get("state").textValue(), is("ERROR"));
    assertThat(missing.json().at("/tables/0/state").textValue(), is("FINALIZED"));
    assertThat(missing.json().at("/tables/1/error").textValue(), containsString("no such table"));
  }

  @Test
  public void waitWaitsForAll() {
    finalizeFromTenToTwelve();
    other("2026-01-01T11:00:00Z");
    String uuid = table.catalog().loadTable(OTHER).uuid().toString();
    int[] pauses = {0};

    CommandRun run =
        run(
            () -> {
              if (++pauses[0] == 2) {
                finalizeOther(uuid, "2026-01-01T12:00:00Z");
              }
            },
            "wait",
            UNTIL);
    CommandRun timedOut =
        run(() -> {}, "wait", "--until", "2026-01-01T13:00Z", "--timeout", "2m", "--json");
    CommandRun hopeless =
        run(() -> {}, "wait", "--start", "2026-01-01T09:00Z", "--end", "2026-01-01T13:00Z");

    assertThat(run.err(), run.code(), is(0));
    assertThat(pauses[0], is(2));
    assertThat(run.err(), allOf(startsWith("Waiting for db.other"), not(containsString("events"))));
    assertThat(timedOut.code(), is(4));
    assertThat(timedOut.json().at("/tables/1/timedOut").booleanValue(), is(true));
    assertThat(hopeless.code(), is(3));
  }

  @Test
  public void verbsAboutOneTableRefuseSeveral() {
    for (String verb : List.of("show", "history", "doctor", "writers")) {
      CommandRun run = run(() -> {}, verb);

      assertThat(run.code(), is(2));
      assertThat(run.err(), containsString("check and wait take several"));
    }
  }

  @Test
  public void foreignSignalIsShownWithItsCaveat() {
    table.setProperty("completionWatermark", "1767272400000");
    List<String> arguments =
        CommandRun.arguments(
            table,
            "check",
            "--table",
            "db.events",
            "--until",
            "2026-01-01T13:00Z",
            "--signal",
            "gobblin");

    CommandRun text = CommandRun.of(table, () -> {}, arguments);
    arguments.add("--json");
    JsonNode json = CommandRun.of(table, () -> {}, arguments).json();

    assertThat(text.err(), text.code(), is(0));
    assertThat(text.out(), containsString("Caveat of signal gobblin: "));
    assertThat(json.get("signal").textValue(), is("gobblin"));
    assertThat(json.get("caveat").textValue(), containsString("without being counted"));
    assertThat(json.get("finalizedUntil").textValue(), is("2026-01-01T13:00:00Z"));
  }

  @Test
  public void snapshotToReadIsSaidForSql() {
    finalizeFromTenToTwelve();
    long head = table.table().currentSnapshot().snapshotId();

    CommandRun run =
        CommandRun.of(
            table,
            () -> {},
            CommandRun.arguments(table, "check", "--table", "db.events", UNTIL[0], UNTIL[1]));

    assertThat(
        run.out(), containsString("Read snapshot %d (VERSION AS OF %d).".formatted(head, head)));
    assertThat(table.table().snapshot(head).summary().get("total-data-files"), is("2"));
  }

  /** Half of the way from where it began, on one line that is erased in the end. */
  @Test
  public void terminalShowsABar() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    int[] pauses = {0};
    String[] times = {"2026-01-01T11:05:00Z", "2026-01-01T12:05:00Z"};
    Environment terminal =
        new Environment(
            table.clock(),
            table.sleeper(() -> table.commitAndAdvance("eu", times[pauses[0]++])),
            () -> 0.5,
            true);

    CommandRun run =
        CommandRun.of(
            terminal,
            CommandRun.arguments(table, "wait", "--table", "db.events", UNTIL[0], UNTIL[1]));

    assertThat(run.err(), run.code(), is(0));
    List<String> drawn = List.of(run.err().split("\r", -1));
    assertThat(
        drawn.get(2),
        is(
            "\u001b[K[--------------------]   0% db.events: 2026-01-01T10:00:00Z of"
                + " 2026-01-01T12:00:00Z, 1h 0m left"));
    assertThat(drawn.get(4), startsWith("\u001b[K[##########----------]  50% db.events: "));
    assertThat(drawn.get(drawn.size() - 1), is("\u001b[K"));
    assertThat(drawn.get(1), startsWith("\u001b[KWaiting for db.events: "));
  }

  /** A catalog that answers every request with a status, as one does to wrong credentials. */
  private static HttpServer refusing(int status) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              ("{\"error\":{\"message\":\"No\\nentry for s3cr3t-token\",\"type\":\"T\",\"code\":"
                      + status
                      + "}}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  public void wrongCredentialsAreOneLineWithoutThem() throws IOException {
    for (int status : List.of(401, 403)) {
      HttpServer server = refusing(status);
      try {
        for (List<String> verb :
            List.of(
                List.of("show"),
                List.of("check", "--until", "2026-01-01T12:00Z"),
                List.of("wait", "--until", "2026-01-01T12:00Z"),
                List.of("doctor"),
                List.of("pause", "--reason", "r"))) {
          List<String> arguments = new ArrayList<>(verb);
          arguments.addAll(
              List.of(
                  "--catalog",
                  "c" + status + verb.get(0),
                  "--table",
                  "db.events",
                  "--property",
                  "type=rest",
                  "--property",
                  "uri=http://127.0.0.1:" + server.getAddress().getPort(),
                  "--property",
                  "token=s3cr3t-token"));

          CommandRun run = CommandRun.of(table, () -> {}, arguments);

          assertThat(run.err(), run.code(), is(1));
          assertThat(run.err().strip().lines().count(), is(1L));
          assertThat(run.err(), not(containsString("s3cr3t-token")));
          assertThat(run.err(), containsString("Check"));
        }
      } finally {
        server.stop(0);
      }
    }
  }

  @Test
  public void catalogThatDoesNotAnswerIsOneLine() throws IOException {
    HttpServer closed = refusing(503);
    int port = closed.getAddress().getPort();
    closed.stop(0);

    CommandRun run =
        CommandRun.of(
            table,
            () -> {},
            List.of(
                "check",
                "--catalog",
                "away",
                "--table",
                "db.events",
                "--until",
                "2026-01-01T12:00Z",
                "--property",
                "type=rest",
                "--property",
                "uri=http://127.0.0.1:" + port));

    assertThat(run.err(), run.code(), is(1));
    assertThat(run.err().strip().lines().count(), is(1L));
  }
}
