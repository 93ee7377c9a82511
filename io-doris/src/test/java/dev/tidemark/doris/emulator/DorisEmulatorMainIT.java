package dev.tidemark.doris.emulator;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** The emulator as a program of its own. */
public class DorisEmulatorMainIT {

  @Test
  public void programTakesArrowLoads() throws Exception {
    Process process =
        start(
            "--fe-port",
            "0",
            "--be-port",
            "0",
            "--ddl",
            "CREATE TABLE db.t (id BIGINT, name STRING) UNIQUE KEY(id)");
    try (BufferedReader output = output(process)) {
      String frontend = output.readLine().substring("frontend ".length());
      String backend = output.readLine().substring("backends ".length());
      byte[] body = ArrowTestBodies.idsAndNames(1, 2);
      WireTestClient.Answer answer =
          WireTestClient.load(backend, WireTestClient.loadHead("db", "t", "format: arrow"), body);
      assertThat(answer.body(), answer.text("Status"), is("Success"));
      String statement = "{\"stmt\": \"SELECT * FROM db.t\"}";
      WireTestClient.Answer rows =
          WireTestClient.get(
              frontend,
              "POST /api/query/default_cluster/db HTTP/1.1\r\n"
                  + WireTestClient.authorization("root", "")
                  + "Content-Length: "
                  + statement.length()
                  + "\r\n\r\n"
                  + statement);
      assertThat(rows.json().at("/data/data").toString(), is("[[1,\"n1\"],[2,\"n2\"]]"));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  public void unknownOptionsAreNamed() throws Exception {
    Process process = start("--port", "1");
    try (BufferedReader output = output(process)) {
      assertThat(output.readLine(), containsString("Unknown option: --port"));
      assertThat(process.waitFor(), is(2));
    }
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(System.getProperty("tidemark.emulator.jar"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }
}
