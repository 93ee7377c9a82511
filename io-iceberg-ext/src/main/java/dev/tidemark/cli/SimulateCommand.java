package dev.tidemark.cli;

import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.IdlePolicy;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.report.SimulatedHour;
import dev.tidemark.report.Simulation;
import dev.tidemark.report.SimulationRules;
import java.time.Duration;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what another policy would have made of the stored facts. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description =
        "Replays the stored facts by another policy: when each hour would have been final, and what"
            + " would have been late.")
final class SimulateCommand extends TableVerb {
  private static final int SHOWN_HOURS = 48;

  @Mixin private PageOptions page;

  @Option(
      names = "--policy",
      required = true,
      paramLabel = "TEXT",
      description = "The policy, such as 'percentile(0.01, 12, PT1H)'.")
  private String policy;

  @Option(
      names = "--lookback",
      paramLabel = "COMMITS,DURATION",
      description =
          "Lookback where the policy leaves it out, such as 12,1h for 'minOfMins()'. Default: 6,30m.")
  private @Nullable String lookback;

  @Option(
      names = "--idle",
      defaultValue = "WAIT",
      paramLabel = "POLICY",
      description = "What idle writers do: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private IdlePolicy idle;

  @Option(
      names = "--idle-after",
      defaultValue = "30m",
      paramLabel = "DURATION",
      description = "After how much time without rows a writer is idle. Default: ${DEFAULT-VALUE}.")
  private String idleAfter;

  @Option(
      names = "--proof-valid-for",
      defaultValue = "10m",
      paramLabel = "DURATION",
      description = "How old what a writer attested may be. Default: ${DEFAULT-VALUE}.")
  private String proofValidFor;

  @Option(
      names = "--granularity",
      defaultValue = "1h",
      paramLabel = "DURATION",
      description = "What the watermark is rounded down to. Default: ${DEFAULT-VALUE}.")
  private String granularity;

  SimulateCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    SimulationRules rules = rules();
    Simulation simulation =
        Simulation.of(finalization().timeline(), rules, environment().clock().instant());
    String written = page.isGiven() ? page.write(simulation.toHtml(page.zone())) : "";
    print(SimulationJson.of(simulation), text(simulation) + written);
    return ExitCodes.FINALIZED;
  }

  private SimulationRules rules() {
    try {
      return SimulationRules.of(
              lookback == null
                  ? Policies.parse(policy)
                  : Policies.parse(policy, lookback(lookback)))
          .withIdle(
              (idle == IdlePolicy.WAIT
                      ? IdleHandling.waiting()
                      : IdleHandling.of(idle, joda("--idle-after", idleAfter)))
                  .withProofValidFor(joda("--proof-valid-for", proofValidFor)))
          .withGranularity(Times.duration("--granularity", granularity));
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }

  private static Lookback lookback(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length != 2 || !parts[0].strip().matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException(
          "Invalid --lookback: %s (must be commits and a duration, such as 12,1h)".formatted(text));
    }
    return Lookback.of(Integer.parseInt(parts[0].strip()), joda("--lookback", parts[1].strip()));
  }

  private static org.joda.time.Duration joda(String option, String text) {
    return org.joda.time.Duration.millis(Times.duration(option, text).toMillis());
  }

  private static String text(Simulation simulation) {
    TextTable facts = TextTable.plain();
    facts.row("Table", simulation.table().table());
    facts.row("Recorded policy", TextTable.cell(simulation.table().policy()));
    facts.row("Simulated policy", simulation.rules().policy().describe());
    Duration median = simulation.medianDelta();
    facts.row("Hours compared", Integer.toString(simulation.deltas().size()));
    facts.row("Final in the middle", median == null ? "not known" : delta(median));
    facts.row("Late records", simulation.actualLate().toString());
    facts.row("Would have been late", simulation.simulatedLate().toString());
    simulation.notices().forEach(notice -> facts.row("Not known", notice));
    return facts.text() + "%n%n".formatted() + hours(simulation.hours());
  }

  private static String hours(List<SimulatedHour> hours) {
    int from = Math.max(0, hours.size() - SHOWN_HOURS);
    TextTable table =
        TextTable.headed(
            "HOUR", "FINAL AT", "WOULD HAVE BEEN", "DIFFERENCE", "LATE", "WOULD BE LATE");
    for (SimulatedHour hour : hours.subList(from, hours.size())) {
      Duration delta = hour.delta();
      table.row(
          hour.start().toString(),
          ReportJson.text(hour.actual()),
          ReportJson.text(hour.simulated()),
          delta == null ? "-" : delta(delta),
          hour.actualLate().toString(),
          hour.simulatedLate().toString());
    }
    return from == 0
        ? table.text()
        : table.text()
            + "%nThe newest %d hours of %d. --json and --output have more."
                .formatted(SHOWN_HOURS, hours.size());
  }

  private static String delta(Duration delta) {
    if (delta.isZero()) {
      return "same";
    }
    return Times.text(delta.abs()) + (delta.isNegative() ? " earlier" : " later");
  }
}
