package dev.tidemark.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.sensor.SensorTable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** What a run of the command left behind. */
record CommandRun(int code, String out, String err) {
  /** Runs it with the clock of a table; each pause is followed by something. */
  static CommandRun of(SensorTable table, Runnable meanwhile, List<String> arguments) {
    return of(new Environment(table.clock(), table.sleeper(meanwhile)), arguments);
  }

  static CommandRun of(Environment environment, List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = TidemarkCommand.commandLine(environment);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments.toArray(new String[0]));
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** A verb, the catalog of a table, and further arguments. */
  static List<String> arguments(SensorTable table, String verb, String... arguments) {
    List<String> all = new ArrayList<>(List.of(verb, "--catalog", SensorTable.CATALOG));
    table
        .config()
        .properties()
        .forEach((key, value) -> all.addAll(List.of("--property", key + "=" + value)));
    all.addAll(List.of(arguments));
    return all;
  }

  JsonNode json() {
    try {
      return new ObjectMapper().readTree(out);
    } catch (JsonProcessingException e) {
      throw new AssertionError("No JSON: " + out, e);
    }
  }
}
