package dev.tidemark.cli;

import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationReport;
import dev.tidemark.sensor.ForeignLate;
import dev.tidemark.sensor.WriterReport;
import java.time.Duration;
import picocli.CommandLine.Command;

/** Shows everything there is about the watermark. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows the watermark of a table, its policy, and the evidence per writer.")
final class ShowCommand extends TableVerb {
  ShowCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    Finalization finalization = finalization();
    FinalizationReport report = finalization.report();
    ImmutableList<ForeignLate> foreign = finalization.foreignLate();
    print(Json.report(report, foreign), text(report, foreign));
    return ExitCodes.FINALIZED;
  }

  private static String text(FinalizationReport report, ImmutableList<ForeignLate> foreign) {
    TextTable facts = TextTable.plain();
    facts.row("Table", report.table() + " (UUID " + report.tableUuid() + ")");
    facts.row("Branch", report.branch());
    facts.row("Head", head(report));
    facts.row("Finalized until", until(report));
    facts.row("Covered since", TextTable.cell(report.finalizedSince()));
    facts.row("Moved by", moved(report));
    facts.row("Policy", TextTable.cell(report.policy()));
    facts.row("Event time", column(report));
    facts.row("Required writers", required(report));
    if (report.pausedReason() != null) {
      facts.row("Paused", report.pausedReason());
    }
    if (report.disabledReason() != null) {
      facts.row("Disabled", report.disabledReason());
    }
    if (report.operationsProblem() != null) {
      facts.row("Operations", report.operationsProblem());
    }
    for (ForeignLate append : foreign) {
      facts.row(
          "Foreign append",
          "snapshot %d, at most %d records below the watermark%s"
              .formatted(
                  append.snapshotId(),
                  append.maxRecords(),
                  append.suspected() ? " (suspected)" : ""));
    }
    return facts.text()
        + "%n%n".formatted()
        + writers(report)
        + Operations.text(report.operations());
  }

  private static String head(FinalizationReport report) {
    return report.headSnapshotId() == null
        ? "none: the branch is empty"
        : "snapshot %d, committed at %s"
            .formatted(report.headSnapshotId(), report.headCommittedAt());
  }

  private static String until(FinalizationReport report) {
    Duration lag = report.lag();
    return lag == null
        ? "no watermark yet"
        : "%s (%s ago)".formatted(report.finalizedUntil(), Times.text(lag));
  }

  private static String moved(FinalizationReport report) {
    String snapshot = "snapshot " + report.watermarkSnapshotId();
    return switch (report.snapshotState()) {
      case NO_WATERMARK -> "-";
      case HELD -> snapshot + " (held by the branch)";
      case NOT_RECORDED -> "no snapshot: the branch was empty";
      case EXPIRED -> snapshot + " (expired: unverified)";
      case ROLLED_BACK -> snapshot + " (rolled back: INVALIDATED)";
      case CLONE -> "another table (CLONE: does not count)";
    };
  }

  private static String column(FinalizationReport report) {
    if (report.eventTimeColumn() == null) {
      return "-";
    }
    return report.eventTimeZone() == null
        ? report.eventTimeColumn()
        : report.eventTimeColumn() + " in " + report.eventTimeZone();
  }

  private static String required(FinalizationReport report) {
    return report.requiredWriters().isEmpty()
        ? "not listed"
        : String.join(", ", report.requiredWriters());
  }

  private static String writers(FinalizationReport report) {
    TextTable table =
        TextTable.headed(
            "WRITER",
            "REQUIRED",
            "COMMITS",
            "OLDEST COMMIT",
            "NEWEST COMMIT",
            "RECORDS",
            "MIN EVENT TIME",
            "MAX EVENT TIME",
            "LATE",
            "OUT OF RANGE",
            "INPUT WATERMARK",
            "ATTESTED AT");
    for (WriterReport writer : report.writers()) {
      table.row(
          writer.writer(),
          writer.required() ? "yes" : "no",
          TextTable.cell(writer.commits()),
          TextTable.cell(writer.oldestCommit()),
          TextTable.cell(writer.newestCommit()),
          TextTable.cell(writer.records()),
          TextTable.cell(writer.minEventTime()),
          TextTable.cell(writer.maxEventTime()),
          (writer.lateExact() ? "" : "<=") + writer.lateRecords(),
          TextTable.cell(writer.outOfRange()),
          TextTable.cell(writer.inputWatermark()),
          TextTable.cell(writer.attestedAt()));
    }
    StringBuilder text = new StringBuilder(table.text());
    for (WriterReport writer : report.writers()) {
      if (writer.problem() != null) {
        text.append("%nWriter %s: %s".formatted(writer.writer(), writer.problem()));
      }
    }
    return text.toString();
  }
}
