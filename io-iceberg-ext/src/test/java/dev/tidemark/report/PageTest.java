package dev.tidemark.report;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.sensor.SensorTable;
import java.io.StringReader;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pages are well-formed, stand alone and let nothing of a table become markup. */
@RunWith(JUnit4.class)
public final class PageTest {
  private static final String HOSTILE =
      "\"'><script>alert(1)</script>&lt;\u0000\u202Eevil]]>--><img src=x onerror=y>";
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private static Document parsed(String page) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(page)));
  }

  private static List<Element> elements(Document document, String tag, String style) {
    List<Element> found = new ArrayList<>();
    NodeList all = document.getElementsByTagName(tag);
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      if (List.of(element.getAttribute("class").split(" ", -1)).contains(style)) {
        found.add(element);
      }
    }
    return found;
  }

  private static void assertStandsAlone(String page, Document document) {
    for (String tag :
        List.of("script", "link", "img", "iframe", "object", "image", "use", "base")) {
      assertThat(tag, document.getElementsByTagName(tag).getLength(), is(0));
    }
    for (String attribute :
        List.of(" href=", " src=", " onerror=", " onload=", "url(", "@import")) {
      assertThat(page, not(containsString(attribute)));
    }
    Element policy = (Element) document.getElementsByTagName("meta").item(1);
    assertThat(policy.getAttribute("http-equiv"), is("Content-Security-Policy"));
    assertThat(policy.getAttribute("content"), containsString("default-src 'none'"));
  }

  private TableReport report() {
    return TableReport.of(
        Past.of(table, 3, 22, 10_000).timeline(), Span.ALL, table.clock().instant());
  }

  @Test
  public void reportHasABarForEachCommitAndACellForEachHour() throws Exception {
    TableReport report = report();

    String page = report.toHtml(ZoneOffset.UTC);
    Document document = parsed(page);

    assertStandsAlone(page, document);
    long drawn = report.commits().stream().filter(commit -> commit.min() != null).count();
    assertThat((long) elements(document, "g", "bar").size(), is(drawn));
    assertThat(
        elements(document, "circle", "late-dot").size(),
        is(
            (int)
                report.commits().stream()
                    .filter(commit -> commit.met() != null && commit.min() != null)
                    .filter(commit -> commit.min().isBefore(commit.met()))
                    .count()));
    assertThat(elements(document, "g", "hour").size(), is(report.hours().size()));
    assertThat(elements(document, "path", "stairs").size(), is(1));
    assertThat(elements(document, "g", "hold").size(), is(report.holds().size()));
  }

  @Test
  public void notesOfWhatIsNotKnownAreOnThePage() throws Exception {
    TableReport report = report();
    Document document = parsed(report.toHtml(ZoneOffset.UTC));

    List<String> said = new ArrayList<>();
    NodeList items = document.getElementsByTagName("li");
    for (int i = 0; i < items.getLength(); i++) {
      said.add(items.item(i).getTextContent());
    }

    assertThat(said, is(report.notices()));
    assertThat(said, hasItem("3 commits were rolled back."));
  }

  @Test
  public void simulationHasTwoStaircasesAndARowForEachHour() throws Exception {
    Simulation simulation =
        Simulation.of(
            Past.of(table, 3, 30, 10_000).timeline(),
            SimulationRules.of(Policies.minOfMins(Lookback.of(6, Duration.standardHours(4)))),
            table.clock().instant());

    String page = simulation.toHtml(BERLIN);
    Document document = parsed(page);

    assertStandsAlone(page, document);
    assertThat(elements(document, "path", "stairs").size(), is(2));
    assertThat(document.getElementsByTagName("tr").getLength(), is(simulation.hours().size() + 1));
    assertThat(elements(document, "g", "later").size(), greaterThan(5));
    assertThat(page, containsString("minOfMins(6, PT4H)"));
  }

  @Test
  public void namesOfTheTableStayText() throws Exception {
    table.setProperty("tidemark.paused", HOSTILE);
    table.setProperty("tidemark.policy", HOSTILE);
    TableReport report = report();
    TableReport hostile =
        TableReport.builder()
            .setTable(report.table())
            .setSpan(Span.ALL)
            .setCommits(ImmutableList.of(commit(0, HOSTILE)))
            .setMoves(report.moves())
            .setHolds(
                ImmutableList.of(
                    new WatermarkHold(
                        report.madeAt(), report.madeAt(), report.madeAt(), HOSTILE, true)))
            .setDelays(report.delays())
            .setUnplacedRecords(0)
            .setHours(report.hours())
            .setHoursLeftOut(0)
            .setWriters(
                ImmutableList.of(new WriterTotals(HOSTILE, true, 1, 1, 0, LateCount.NONE, null)))
            .setLate(LateCount.NONE)
            .setCut(false)
            .setNotices(ImmutableList.of(HOSTILE))
            .setMadeAt(report.madeAt())
            .build();

    String page = hostile.toHtml(ZoneOffset.UTC);
    Document document = parsed(page);

    assertThat(report.table().pausedReason(), containsString("<script>"));
    assertThat(document.getElementsByTagName("script").getLength(), is(0));
    assertThat(document.getElementsByTagName("img").getLength(), is(0));
    assertThat(page, allOf(not(containsString("\u202E")), not(containsString("\u0000"))));
    // Tile, legend, bar, reason, notice and row show it as it is, but for what cannot be shown.
    String shown = HOSTILE.replaceAll("[\u0000\u202E]", "\uFFFD");
    assertThat(occurrences(document.getDocumentElement().getTextContent(), shown), is(6));
  }

  private static int occurrences(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }

  private static CommitSpan commit(int number, String writer) {
    Instant at = Instant.parse("2026-03-01T00:00:00Z").plusSeconds(number * 60L);
    return CommitSpan.builder()
        .setAt(at)
        .setSnapshotId(number)
        .setWriter(writer)
        .setRecords(10)
        .setMin(at.minusSeconds(3_000))
        .setLow(at.minusSeconds(2_000))
        .setHigh(at.minusSeconds(20))
        .setMax(at.minusSeconds(1))
        .setMet(at.minusSeconds(2_900))
        .setLate(new LateCount(1, 1))
        .setLost(false)
        .build();
  }

  @Test
  public void thousandsOfCommitsShareBarsAndThePageSaysSo() throws Exception {
    List<CommitSpan> commits = new ArrayList<>();
    List<WatermarkStep> moves = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      CommitSpan commit = commit(i, "writer-" + i % 9);
      commits.add(commit);
      moves.add(new WatermarkStep(commit.at(), commit.at().minusSeconds(7_200)));
    }
    TableReport report = report();
    String page =
        TableReport.builder()
            .setTable(report.table())
            .setSpan(Span.ALL)
            .setCommits(ImmutableList.copyOf(commits))
            .setMoves(ImmutableList.copyOf(moves))
            .setHolds(ImmutableList.of())
            .setDelays(report.delays())
            .setUnplacedRecords(0)
            .setHours(report.hours())
            .setHoursLeftOut(0)
            .setWriters(ImmutableList.of())
            .setLate(LateCount.NONE)
            .setCut(false)
            .setNotices(ImmutableList.of())
            .setMadeAt(report.madeAt())
            .build()
            .toHtml(ZoneOffset.UTC);
    Document document = parsed(page);

    assertThat(page.length(), lessThan(700_000));
    assertThat(elements(document, "g", "bar").size(), lessThan(1_100));
    assertThat(page, containsString("There are 20,000 commits, so neighbours"));
    assertThat(page, containsString("3 other writers"));
    long records = 0;
    for (Element bar : elements(document, "g", "bar")) {
      String title = bar.getElementsByTagName("title").item(0).getTextContent();
      records += Long.parseLong(title.replaceAll(".*: ([0-9,]+) records.*", "$1").replace(",", ""));
    }
    assertThat(records, is(200_000L));
  }

  @Test
  public void daysOfTwentyFiveHoursHaveAsManyCells() throws Exception {
    TableReport report = report();
    List<ReportedHour> hours = new ArrayList<>();
    // On 25 October 2026 clocks in Berlin show the hour from 02:00 twice.
    Instant start = Instant.parse("2026-10-24T22:00:00Z");
    for (int i = 0; i < 25; i++) {
      hours.add(
          new ReportedHour(
              start.plusSeconds(i * 3_600L),
              ReportedHour.State.FINAL,
              1,
              0,
              false,
              FinalTime.OPEN));
    }
    StringBuilder cells = new StringBuilder();
    Markup svg = new Markup();
    svg.open("div");
    new CalendarChart(withHours(report, hours), new Words(BERLIN), svg)
        .draw(new Page(svg, new Words(BERLIN)));
    svg.close();
    Document document = parsed(svg.toString());

    double right = 0;
    double top = -1;
    for (Element cell : elements(document, "g", "hour")) {
      Element rect = (Element) cell.getElementsByTagName("rect").item(0);
      double left = Double.parseDouble(rect.getAttribute("x"));
      assertThat("cells do not overlap", left >= right - 0.1, is(true));
      right = left + Double.parseDouble(rect.getAttribute("width"));
      double row = Double.parseDouble(rect.getAttribute("y"));
      assertThat("one day", top < 0 || top == row, is(true));
      top = row;
      cells.append('.');
    }
    assertThat(cells.length(), is(25));
  }

  private static TableReport withHours(TableReport report, List<ReportedHour> hours) {
    return TableReport.builder()
        .setTable(report.table())
        .setSpan(report.span())
        .setCommits(report.commits())
        .setMoves(report.moves())
        .setHolds(report.holds())
        .setDelays(report.delays())
        .setUnplacedRecords(report.unplacedRecords())
        .setHours(ImmutableList.copyOf(hours))
        .setHoursLeftOut(0)
        .setWriters(report.writers())
        .setLate(report.late())
        .setCut(report.cut())
        .setNotices(report.notices())
        .setMadeAt(report.madeAt())
        .build();
  }

  @Test
  public void emptyTableHasAPage() throws Exception {
    TableReport report =
        TableReport.of(
            new Past(table, Past.POLICY, table.clock(), 1).timeline(),
            Span.ALL,
            table.clock().instant());

    String page = report.toHtml(ZoneOffset.UTC);

    parsed(page);
    assertThat(page, containsString("The table has no watermark yet."));
  }

  @Test
  public void spanLimitsCommitsAndKeepsWhereTheWatermarkStood() {
    Past past = Past.of(table, 3, 22, 10_000);
    Instant from = Instant.ofEpochMilli(past.commits().get(20).at());
    Instant until = Instant.ofEpochMilli(past.commits().get(30).at());

    TableReport report =
        TableReport.of(past.timeline(), new Span(from, until), table.clock().instant());

    assertThat(report.commits().size(), is(10));
    assertThat(report.commits().get(0).snapshotId(), is(past.commits().get(20).snapshotId()));
    assertThat(report.moves().get(0).at(), is(from));
    assertThat(Hours.millis(report.moves().get(0).watermark()), is(past.commits().get(20).met()));
  }
}
