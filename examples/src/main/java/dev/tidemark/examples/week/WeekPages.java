package dev.tidemark.examples.week;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Says in numbers what the staircase shows. */
final class WeekPages {
  private static final int SHOWN_VIOLATIONS = 20;

  private WeekPages() {}

  static void printDays(Scenario scenario, Staircase staircase, PrintStream out) {
    out.printf(
        "%-12s %7s %-18s %8s %5s  %s%n",
        "day", "commits", "finalized until", "behind", "late", "what happened");
    for (int day = 0; day < scenario.days(); day++) {
      int from = 24 * day;
      int to = from + 24;
      Long watermark = staircase.watermarkAt(to);
      List<Staircase.Commit> commits =
          staircase.commits().stream()
              .filter(commit -> commit.hour() > from && commit.hour() <= to)
              .toList();
      long late =
          commits.stream()
              .flatMap(commit -> commit.lateByHour().values().stream())
              .mapToLong(Long::longValue)
              .sum();
      out.printf(
          "%-12s %7d %-18s %8s %5d  %s%n",
          Instant.ofEpochMilli(Scenario.endOf(from)).toString().substring(0, 10),
          commits.size(),
          watermark == null ? "-" : Instant.ofEpochMilli(watermark).toString().substring(0, 16),
          watermark == null
              ? "-"
              : Duration.ofMillis(Scenario.endOf(to) - watermark).toHours() + " h",
          late,
          String.join(", ", incidents(scenario, from, to)));
    }
  }

  private static List<String> incidents(Scenario scenario, int from, int to) {
    List<String> incidents = new ArrayList<>();
    for (int hour = from + 1; hour <= to; hour++) {
      if (scenario.stoppedAt(hour) != null) {
        incidents.add(scenario.stoppedAt(hour).writerId() + " stopped for 3 h");
      }
      if (scenario.crashedAt(hour) != null) {
        incidents.add(scenario.crashedAt(hour).writerId() + " crashed");
      }
      if (scenario.isBackfilledAt(hour)) {
        incidents.add("backfill");
      }
      if (scenario.isIdle(Scenario.IDLE, hour) != scenario.isIdle(Scenario.IDLE, hour - 1)) {
        boolean begins = scenario.isIdle(Scenario.IDLE, hour);
        incidents.add(Scenario.IDLE.writerId() + (begins ? " goes idle" : " is back"));
      }
      boolean skewed = scenario.skewMillis(Scenario.SKEWED, hour) > 0;
      if (skewed != scenario.skewMillis(Scenario.SKEWED, hour - 1) > 0) {
        incidents.add(
            "clock of " + Scenario.SKEWED.writerId() + (skewed ? " jumps ahead" : " is set right"));
      }
    }
    return incidents;
  }

  static void printAudit(WeekAudit audit, Staircase staircase, int restores, PrintStream out) {
    out.printf(
        "read again: %d rows in %d commits, each row once; %d crashes, %d restores from savepoints%n",
        audit.rows(), audit.commits(), CrashPlan.done(), restores);
    out.printf("finalized: %d steps, each to a later hour%n", staircase.steps().size());
    out.printf(
        "late: %d rows below the watermark in %d commits, all of them reported; the scenario held %d%n",
        audit.late(), audit.lateBySnapshot().size(), audit.plannedLate());
    List<String> violations = new ArrayList<>(audit.violations());
    if (!WeekReports.failed().isEmpty()) {
      violations.add(WeekReports.failed().size() + " rows went to the failed output");
    }
    violations.stream().limit(SHOWN_VIOLATIONS).forEach(each -> out.println("WRONG: " + each));
    out.println(
        violations.isEmpty()
            ? "No finalized hour got a row that was not reported."
            : violations.size() + " things are wrong.");
  }
}
