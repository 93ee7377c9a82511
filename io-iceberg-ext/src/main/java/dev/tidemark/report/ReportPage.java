package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.FinalizationReport;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;

/** A report as a page. */
final class ReportPage {
  private static final int MOST_HOLDS = 12;

  private final TableReport report;
  private final Words words;
  private final Markup html = new Markup();
  private final Page page;
  private final Lanes lanes;
  private final ImmutableList<WatermarkHold> holds;

  private ReportPage(TableReport report, ZoneId zone) {
    this.report = report;
    this.words = new Words(zone);
    this.page = new Page(html, words);
    this.lanes = Lanes.of(report.commits());
    this.holds = longest(report.holds());
  }

  static String of(TableReport report, ZoneId zone) {
    return new ReportPage(report, zone).write();
  }

  private String write() {
    page.begin("Finalization report", report.table(), report.madeAt());
    tiles();
    page.notices(report.notices());
    spread();
    holds();
    delays();
    calendar();
    writers();
    page.end();
    return html.toString();
  }

  private void tiles() {
    FinalizationReport table = report.table();
    Duration lag = table.lag();
    page.openTiles();
    page.tile(
        "Finalized until",
        words.full(table.finalizedUntil()),
        lag == null ? "no watermark yet" : Words.duration(lag) + " before this page was made");
    page.tile(
        "Covered since",
        words.full(table.finalizedSince()),
        table.eventTimeColumn() == null ? "" : "by column " + table.eventTimeColumn());
    long commits = report.commits().size();
    long records = report.commits().stream().mapToLong(CommitSpan::records).sum();
    page.tile(
        "Commits",
        Words.count(commits),
        Words.count(records, "record with an event time", "records with an event time"));
    long late = report.commits().stream().filter(commit -> commit.late().most() > 0).count();
    page.tile(
        "Late records",
        Words.late(report.late()),
        "in " + Words.count(late, "commit", "commits") + (report.late().exact() ? ", exact" : ""));
    page.tile("Policy", table.policy() == null ? "not recorded" : table.policy(), required(table));
    html.close();
  }

  private static String required(FinalizationReport table) {
    return table.requiredWriters().isEmpty()
        ? "no list of required writers"
        : "required: " + String.join(", ", table.requiredWriters());
  }

  private void spread() {
    page.openSection(
        "Commits and watermark",
        "Each bar is a commit: thin from the smallest to the largest event time in it, thick for"
            + " the middle 90 %, at the time of the commit. All below the black line is final. The"
            + " red part of a bar came below the watermark that it met. Numbers mark holds.");
    html.open("p", "class", "legend");
    page.legend(lanes);
    page.key("key-stairs", "watermark");
    page.key("key-late", "late");
    page.key("key-hold", "hold");
    html.close();
    if (report.commits().isEmpty() && report.moves().isEmpty()) {
      html.element("p", "There are no commits with event times here.");
    } else {
      draw();
    }
    page.closeSection();
  }

  private void draw() {
    SpreadChart chart =
        new SpreadChart(
            new SpreadChart.Scene(
                report.commits(), report.moves(), ImmutableList.of(), ImmutableList.of(), holds),
            lanes,
            words,
            html);
    chart.draw();
    chart.explain();
  }

  /** The longest ones, in order of time. */
  private static ImmutableList<WatermarkHold> longest(List<WatermarkHold> holds) {
    return holds.stream()
        .sorted(Comparator.comparing(WatermarkHold::length).reversed())
        .limit(MOST_HOLDS)
        .sorted(Comparator.comparing(WatermarkHold::from))
        .collect(ImmutableList.toImmutableList());
  }

  private void holds() {
    String all =
        report.holds().size() > holds.size()
            ? " The %d longest of %d are listed.".formatted(holds.size(), report.holds().size())
            : "";
    page.openSection(
        "Holds",
        "When commits went on and the watermark stood still for longer than two of its steps, and"
            + " what the recorded policy said in the middle of it. How idle writers are handled is"
            + " not recorded."
            + all);
    if (holds.isEmpty()) {
      html.element("p", "There are none.");
    } else {
      page.head("", "From", "Length", "Watermark", "Why");
      int number = 1;
      for (WatermarkHold hold : holds) {
        page.row(
            Integer.toString(number++),
            words.full(hold.from()),
            Words.duration(hold.length()) + (hold.goesOn() ? ", goes on" : ""),
            words.full(hold.watermark()),
            hold.reason() == null ? "the recorded policy cannot be read" : hold.reason());
      }
      page.closeTable();
    }
    page.closeSection();
  }

  private void delays() {
    page.openSection(
        "How late records come",
        "By how many hours after its own hour a record was committed. Exact, as commits count"
            + " records by the hour. Red: below the watermark."
            + (report.unplacedRecords() == 0
                ? ""
                : " Of %s no counts per hour are stored."
                    .formatted(Words.count(report.unplacedRecords(), "record", "records"))));
    new DelayChart(report.delays(), html).draw();
    page.closeSection();
  }

  private void calendar() {
    page.openSection(
        "Hours",
        "Each cell is an hour of event time, by its start in %s.".formatted(words.zoneName()));
    new CalendarChart(report, words, html).draw(page);
    page.closeSection();
  }

  private void writers() {
    page.openSection("Writers", "What each of them brought.");
    page.head(
        "Writer", "Required", "Commits", "Records", "Late records", "Late in", "Newest commit");
    for (WriterTotals writer : report.writers()) {
      page.row(
          writer.writer(),
          writer.required() ? "yes" : "no",
          Words.count(writer.commits()),
          Words.count(writer.records()),
          Words.late(writer.late()),
          Words.count(writer.lateCommits(), "commit", "commits"),
          words.full(writer.newest()));
    }
    page.closeTable();
    page.closeSection();
  }
}
