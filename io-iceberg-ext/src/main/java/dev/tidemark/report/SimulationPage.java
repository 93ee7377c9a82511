package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.IdlePolicy;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** A simulation as a page. */
final class SimulationPage {
  private static final int MOST_ROWS = 400;

  private final Simulation simulation;
  private final Words words;
  private final Markup html = new Markup();
  private final Page page;

  private SimulationPage(Simulation simulation, ZoneId zone) {
    this.simulation = simulation;
    this.words = new Words(zone);
    this.page = new Page(html, words);
  }

  static String of(Simulation simulation, ZoneId zone) {
    return new SimulationPage(simulation, zone).write();
  }

  private String write() {
    page.begin("Finalization by other rules", simulation.table(), simulation.madeAt());
    tiles();
    page.notices(simulation.notices());
    spread();
    deltas();
    hours();
    page.end();
    return html.toString();
  }

  private void tiles() {
    List<Duration> deltas = simulation.deltas();
    long earlier = deltas.stream().filter(Duration::isNegative).count();
    long later = deltas.stream().filter(delta -> !delta.isNegative() && !delta.isZero()).count();
    page.openTiles();
    page.tile("Simulated policy", simulation.rules().policy().describe(), rules());
    String policy = simulation.table().policy();
    page.tile(
        "Recorded policy",
        policy == null ? "none" : policy,
        "the last one that moved the watermark");
    page.tile(
        "Hours would be final",
        deltas.isEmpty() ? "not known" : Words.delta(simulation.medianDelta()),
        deltas.isEmpty()
            ? "no hour has two known times"
            : "in the middle of %d hours: %d earlier, %d later, %d the same"
                .formatted(deltas.size(), earlier, later, deltas.size() - earlier - later));
    page.tile(
        "Late records",
        Words.late(simulation.simulatedLate()),
        "instead of %s; %s instead of %s"
            .formatted(
                Words.late(simulation.actualLate()),
                Words.count(simulation.simulatedLateCommits(), "commit", "commits"),
                Words.count(simulation.actualLateCommits())));
    page.tile(
        "Final hours with late records",
        Words.count(simulation.hours().stream().filter(h -> h.simulatedLate().most() > 0).count()),
        "instead of "
            + Words.count(
                simulation.hours().stream().filter(h -> h.actualLate().most() > 0).count()));
    html.close();
  }

  private String rules() {
    IdlePolicy idle = simulation.rules().idle().policy();
    String idleText =
        idle == IdlePolicy.WAIT
            ? "idle writers hold it"
            : "idle writers after %s: %s"
                .formatted(
                    Words.duration(Duration.ofMillis(simulation.rules().idle().idleAfterMillis())),
                    idle);
    return idleText + ", in steps of " + Words.duration(simulation.rules().granularity());
  }

  private void spread() {
    page.openSection(
        "Commits and both watermarks",
        "Each bar is a commit, from its smallest to its largest event time. The black line is the"
            + " watermark that the table had, the purple one that of the simulation. The red part"
            + " of a bar would have come below the simulated watermark.");
    html.open("p", "class", "legend");
    Lanes lanes = Lanes.of(simulation.commits());
    page.legend(lanes);
    page.key("key-stairs", "watermark");
    page.key("key-simulated", "simulated watermark");
    page.key("key-late", "would be late");
    html.close();
    SpreadChart chart =
        new SpreadChart(
            new SpreadChart.Scene(
                simulation.commits(),
                simulation.actual(),
                simulation.simulated(),
                simulation.simulatedAtMost(),
                ImmutableList.of()),
            lanes,
            words,
            html);
    chart.draw();
    chart.explain();
    page.closeSection();
  }

  private void deltas() {
    page.openSection(
        "How much earlier or later each hour would have been final",
        "Each bar is an hour of event time: up is later, down is earlier. Hours whose times are not"
            + " both known have none.");
    new DeltaChart(simulation.hours(), words, html).draw();
    page.closeSection();
  }

  private void hours() {
    List<SimulatedHour> hours = simulation.hours();
    int from = Math.max(0, hours.size() - MOST_ROWS);
    page.openSection(
        "Hour by hour",
        from == 0
            ? "Newest first."
            : "The newest %d hours of %d.".formatted(MOST_ROWS, hours.size()));
    page.head("Hour", "Final", "Would have been final", "", "Late records", "Would have been late");
    for (int i = hours.size() - 1; i >= from; i--) {
      SimulatedHour hour = hours.get(i);
      page.row(
          words.full(hour.start()),
          words.finalTime(hour.actual()),
          words.finalTime(hour.simulated()),
          delta(hour),
          Words.late(hour.actualLate()),
          Words.late(hour.simulatedLate()));
    }
    page.closeTable();
    page.closeSection();
  }

  private static String delta(SimulatedHour hour) {
    if (hour.delta() != null) {
      return Words.delta(hour.delta());
    } else if (hour.actual().open() || hour.simulated().open()) {
      return hour.actual().open() && hour.simulated().open() ? "" : "final in one only";
    }
    return Words.delta(null);
  }
}
