package dev.tidemark.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.report.SimulatedHour;
import dev.tidemark.report.Simulation;
import dev.tidemark.report.SimulationRules;
import java.time.Duration;

/** A simulation as JSON. */
final class SimulationJson {
  private SimulationJson() {}

  static ObjectNode of(Simulation simulation) {
    ObjectNode object = ReportJson.object();
    ReportJson.table(object, simulation.table());
    ReportJson.put(object, "madeAt", simulation.madeAt());
    SimulationRules rules = simulation.rules();
    object
        .putObject("rules")
        .put("policy", rules.policy().describe())
        .put("idle", rules.idle().policy().name())
        .put("idleAfterMs", rules.idle().idleAfterMillis())
        .put("granularityMs", rules.granularity().toMillis());
    ReportJson.texts(object, "notices", simulation.notices());
    object.put("unsurePoints", simulation.unsurePoints());
    object.put("hoursCompared", simulation.deltas().size());
    Duration median = simulation.medianDelta();
    object.put("medianDeltaMs", median == null ? null : Long.valueOf(median.toMillis()));
    ReportJson.late(object, "actualLate", simulation.actualLate());
    ReportJson.late(object, "simulatedLate", simulation.simulatedLate());
    object.put("actualLateCommits", simulation.actualLateCommits());
    object.put("simulatedLateCommits", simulation.simulatedLateCommits());
    ReportJson.steps(object, "actualMoves", simulation.actual());
    ReportJson.steps(object, "simulatedMoves", simulation.simulated());
    ArrayNode hours = object.putArray("hours");
    simulation.hours().forEach(hour -> hours.add(hour(hour)));
    ArrayNode commits = object.putArray("commits");
    simulation.commits().forEach(commit -> commits.add(ReportJson.commit(commit)));
    return object;
  }

  private static ObjectNode hour(SimulatedHour hour) {
    ObjectNode object = ReportJson.object();
    ReportJson.put(object, "start", hour.start());
    ReportJson.finalTime(object, "actual", hour.actual());
    ReportJson.finalTime(object, "simulated", hour.simulated());
    Duration delta = hour.delta();
    object.put("deltaMs", delta == null ? null : Long.valueOf(delta.toMillis()));
    ReportJson.late(object, "actualLate", hour.actualLate());
    ReportJson.late(object, "simulatedLate", hour.simulatedLate());
    return object;
  }
}
