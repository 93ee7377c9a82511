package dev.tidemark.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.OperatorAct;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationHistory;
import dev.tidemark.sensor.HistoryEntry;
import dev.tidemark.sensor.LateCommit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows how the watermark came about. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = "Shows the snapshots of a table with their facts and the watermark after each.")
final class HistoryCommand extends TableVerb {
  @Option(
      names = "--limit",
      defaultValue = "20",
      paramLabel = "N",
      description = "How many snapshots to show, the newest ones. Default: ${DEFAULT-VALUE}.")
  private int limit;

  HistoryCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw usage("Invalid --limit: %d (must be >= 1)".formatted(limit));
    }
    Finalization finalization = finalization();
    FinalizationHistory history = finalization.history(limit);
    ImmutableList<OperatorAct> acts = finalization.operations();
    ObjectNode json = Json.history(table(), history);
    Json.addOperations(json, acts);
    print(json, text(history) + Operations.text(acts));
    return ExitCodes.FINALIZED;
  }

  private static String text(FinalizationHistory history) {
    TextTable table =
        TextTable.headed(
            "COMMITTED AT",
            "SNAPSHOT",
            "OPERATION",
            "WRITER",
            "COMMITTED",
            "RECORDS",
            "MIN EVENT TIME",
            "MAX EVENT TIME",
            "LATE",
            "WATERMARK AFTER");
    for (HistoryEntry entry : history.entries()) {
      LateCommit late = entry.late();
      table.row(
          TextTable.cell(entry.committedAt()),
          TextTable.cell(entry.snapshotId()),
          TextTable.cell(entry.operation()),
          TextTable.cell(entry.writer()),
          TextTable.cell(entry.committed()),
          TextTable.cell(entry.records()),
          TextTable.cell(entry.minEventTime()),
          TextTable.cell(entry.maxEventTime()),
          late == null ? "-" : (late.exact() ? "" : "<=") + late.records(),
          entry.watermarkKnown() ? TextTable.cell(entry.watermarkAfter()) : "not known");
    }
    StringBuilder text = new StringBuilder(table.text());
    if (history.cut()) {
      text.append("%nOlder snapshots are not shown.".formatted());
    }
    if (history.unreadableFiles() > 0) {
      text.append("%n%d metadata files could not be read.".formatted(history.unreadableFiles()));
    }
    return text.toString();
  }
}
