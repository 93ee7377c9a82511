package dev.tidemark.cli;

import dev.tidemark.report.CommitSpan;
import dev.tidemark.report.Span;
import dev.tidemark.report.TableReport;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Draws how the watermark came about. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description =
        "Draws commits, watermark, holds, lateness and hours of a table as a page that opens"
            + " offline.")
final class ReportCommand extends TableVerb {
  @Mixin private PageOptions page;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Commits from this time on: 2026-01-01T05:00Z, or with --zone 2026-01-01T05:00 or"
              + " 2026-01-01. Default: all that is stored.")
  private @Nullable String from;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Commits before this time; written as --from.")
  private @Nullable String until;

  ReportCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    if (!page.isGiven() && !isJson()) {
      throw usage("Missing option: give --output FILE, or --json, or both");
    }
    Span span = span();
    TableReport report =
        TableReport.of(finalization().timeline(), span, environment().clock().instant());
    String written = page.write(report.toHtml(page.zone()));
    print(ReportJson.of(report), text(report) + written);
    return ExitCodes.FINALIZED;
  }

  private Span span() {
    try {
      Instant start = from == null ? null : Times.start("--from", from, page.zone());
      Instant end = until == null ? null : Times.end("--until", until, page.zone());
      return new Span(start, end);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }

  private static String text(TableReport report) {
    TextTable facts = TextTable.plain();
    facts.row("Table", report.table().table());
    facts.row("Finalized until", TextTable.cell(report.table().finalizedUntil()));
    facts.row("Commits with event times", Integer.toString(report.commits().size()));
    facts.row(
        "Records", Long.toString(report.commits().stream().mapToLong(CommitSpan::records).sum()));
    facts.row("Late records", report.late().toString());
    facts.row("Moves of the watermark", Integer.toString(report.moves().size()));
    facts.row("Holds", Integer.toString(report.holds().size()));
    report.notices().forEach(notice -> facts.row("Not known", notice));
    return facts.text();
  }
}
