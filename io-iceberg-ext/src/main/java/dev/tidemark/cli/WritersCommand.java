package dev.tidemark.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.sensor.FinalizationReport;
import dev.tidemark.sensor.WriterReport;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists, adds and retires writers. */
@Command(
    name = "writers",
    mixinStandardHelpOptions = true,
    description =
        "Lists the writers of a table, or adds or retires one, and says what that means for the"
            + " watermark.")
final class WritersCommand extends ActVerb {
  @Option(
      names = "--add",
      paramLabel = "WRITER",
      description = "Require the evidence of a writer from now on.")
  private @Nullable String added;

  @Option(
      names = {"--retire", "--remove"},
      paramLabel = "WRITER",
      description = "Do not wait for a writer any more.")
  private @Nullable String retired;

  WritersCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    if (added != null && retired != null) {
      throw usage("Invalid --retire: give --add or --retire, one at a time.");
    }
    if (added != null) {
      String writer = added;
      String reason = reason();
      return act(operator -> operator.addWriter(writer, reason));
    } else if (retired != null) {
      String writer = retired;
      String reason = reason();
      return act(operator -> operator.retireWriter(writer, reason));
    }
    FinalizationReport report = finalization().report();
    print(json(report), text(report));
    return ExitCodes.FINALIZED;
  }

  private ObjectNode json(FinalizationReport report) {
    ObjectNode object = Json.object();
    object.put("table", table().name()).put("branch", table().branch());
    object.put("listed", !report.requiredWriters().isEmpty());
    Json.addWriters(object, report.writers());
    return object;
  }

  private static String text(FinalizationReport report) {
    TextTable table =
        TextTable.headed("WRITER", "REQUIRED", "COMMITS", "NEWEST COMMIT", "ATTESTED AT");
    for (WriterReport writer : report.writers()) {
      table.row(
          writer.writer(),
          report.requiredWriters().isEmpty() ? "not listed" : writer.required() ? "yes" : "no",
          TextTable.cell(writer.commits()),
          TextTable.cell(writer.newestCommit()),
          TextTable.cell(writer.attestedAt()));
    }
    return table.text();
  }
}
