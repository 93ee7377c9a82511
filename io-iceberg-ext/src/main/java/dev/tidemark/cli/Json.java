package dev.tidemark.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.commit.OperatorAct;
import dev.tidemark.operator.Finding;
import dev.tidemark.operator.OperatorOutcome;
import dev.tidemark.sensor.FinalizationHistory;
import dev.tidemark.sensor.FinalizationReport;
import dev.tidemark.sensor.FinalizationStatus;
import dev.tidemark.sensor.ForeignLate;
import dev.tidemark.sensor.HistoryEntry;
import dev.tidemark.sensor.LateCommit;
import dev.tidemark.sensor.WriterReport;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the verbs found out as JSON; see the package for the conventions. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static String text(ObjectNode object) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot write JSON", e);
    }
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ObjectNode status(String branch, FinalizationStatus status) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("table", status.table()).put("branch", branch);
    object.put("tableUuid", status.tableUuid());
    object.put("state", status.state().name()).put("reason", status.reason());
    put(object, "start", status.range().start());
    put(object, "end", status.range().end());
    put(object, "finalizedUntil", status.finalizedUntil());
    put(object, "finalizedSince", status.finalizedSince());
    putId(object, "snapshotId", status.snapshotId());
    put(object, "snapshotCommittedAt", status.snapshotCommittedAt());
    object.put("signal", status.signal()).put("caveat", status.caveat());
    return object.put("verified", status.verified());
  }

  static void addLate(ObjectNode object, LateData late) {
    ArrayNode commits = object.putArray("late");
    late.commits().forEach(commit -> commits.add(late(commit, commit.recordsIn(late.range()))));
    addForeign(object, late.foreign());
  }

  static ObjectNode report(FinalizationReport report, Iterable<ForeignLate> foreign) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("table", report.table()).put("tableUuid", report.tableUuid());
    object.put("branch", report.branch());
    putId(object, "headSnapshotId", report.headSnapshotId());
    put(object, "headCommittedAt", report.headCommittedAt());
    put(object, "finalizedUntil", report.finalizedUntil());
    put(object, "finalizedSince", report.finalizedSince());
    object.put("lagMs", report.lag() == null ? null : Long.valueOf(report.lag().toMillis()));
    putId(object, "watermarkSnapshotId", report.watermarkSnapshotId());
    object.put("snapshotState", report.snapshotState().name());
    object.put("policy", report.policy()).put("pausedReason", report.pausedReason());
    object.put("disabledReason", report.disabledReason());
    object.put("eventTimeColumn", report.eventTimeColumn());
    object.put("eventTimeZone", report.eventTimeZone());
    ArrayNode required = object.putArray("requiredWriters");
    report.requiredWriters().forEach(required::add);
    addWriters(object, report.writers());
    addForeign(object, foreign);
    addOperations(object, report.operations());
    return object.put("operationsProblem", report.operationsProblem());
  }

  static ObjectNode outcome(TableOptions table, OperatorOutcome outcome) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("table", table.name()).put("branch", table.branch());
    object.put("changed", outcome.changed()).put("effect", outcome.effect());
    put(object, "watermarkBefore", outcome.watermarkBefore());
    put(object, "watermarkAfter", outcome.watermarkAfter());
    OperatorAct act = outcome.act();
    object.set("operation", act == null ? null : operation(act));
    return object;
  }

  static ObjectNode findings(TableOptions table, Iterable<Finding> findings) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("table", table.name()).put("branch", table.branch());
    ArrayNode all = object.putArray("findings");
    for (Finding finding : findings) {
      all.addObject()
          .put("severity", finding.severity().name())
          .put("check", finding.check())
          .put("message", finding.message())
          .put("remedy", finding.remedy());
    }
    return object;
  }

  static void addOperations(ObjectNode object, Iterable<OperatorAct> acts) {
    ArrayNode operations = object.putArray("operations");
    acts.forEach(act -> operations.add(operation(act)));
  }

  private static ObjectNode operation(OperatorAct act) {
    ObjectNode object = MAPPER.createObjectNode();
    put(object, "at", act.at());
    object.put("by", act.by()).put("verb", act.verb()).put("reason", act.reason());
    return object.put("before", act.before()).put("after", act.after());
  }

  static ObjectNode history(TableOptions table, FinalizationHistory history) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("table", table.name()).put("branch", table.branch());
    object.put("cut", history.cut()).put("unreadableMetadataFiles", history.unreadableFiles());
    ArrayNode entries = object.putArray("entries");
    history.entries().forEach(entry -> entries.add(entry(entry)));
    return object;
  }

  private static ObjectNode entry(HistoryEntry entry) {
    ObjectNode object = MAPPER.createObjectNode();
    putId(object, "snapshotId", entry.snapshotId());
    put(object, "committedAt", entry.committedAt());
    object.put("operation", entry.operation());
    object.put("writer", entry.writer()).put("committed", entry.committed());
    object.put("records", entry.records());
    put(object, "minEventTime", entry.minEventTime());
    put(object, "maxEventTime", entry.maxEventTime());
    object.put("outOfRange", entry.outOfRange());
    LateCommit late = entry.late();
    object.set("late", late == null ? null : late(late, late.records()));
    object.put("watermarkKnown", entry.watermarkKnown());
    put(object, "watermarkAfter", entry.watermarkAfter());
    return object;
  }

  static void addWriters(ObjectNode object, Iterable<WriterReport> reports) {
    ArrayNode writers = object.putArray("writers");
    reports.forEach(report -> writers.add(writer(report)));
  }

  private static ObjectNode writer(WriterReport writer) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("writer", writer.writer()).put("required", writer.required());
    object.put("problem", writer.problem());
    object.put("commits", writer.commits());
    put(object, "oldestCommit", writer.oldestCommit());
    put(object, "newestCommit", writer.newestCommit());
    object.put("records", writer.records());
    put(object, "minEventTime", writer.minEventTime());
    put(object, "maxEventTime", writer.maxEventTime());
    object.put("outOfRange", writer.outOfRange());
    object.put("withoutEventTime", writer.withoutEventTime());
    object.put("lateRecords", writer.lateRecords()).put("lateExact", writer.lateExact());
    put(object, "inputWatermark", writer.inputWatermark());
    put(object, "attestedAt", writer.attestedAt());
    return object;
  }

  private static ObjectNode late(LateCommit commit, long records) {
    ObjectNode object = MAPPER.createObjectNode();
    putId(object, "snapshotId", commit.snapshotId());
    object.put("writer", commit.writer());
    put(object, "committedAt", commit.committedAt());
    put(object, "watermark", commit.watermark());
    object.put("records", records).put("exact", commit.exact());
    put(object, "earliest", commit.earliest());
    ObjectNode hours = object.putObject("recordsByHour");
    commit.lateByHour().forEach((hour, count) -> hours.put(hour.toString(), count));
    object.put("widthMs", commit.width().toMillis());
    return object;
  }

  private static void addForeign(ObjectNode object, Iterable<ForeignLate> foreign) {
    ArrayNode appends = object.putArray("foreignLate");
    for (ForeignLate append : foreign) {
      ObjectNode each = appends.addObject();
      putId(each, "snapshotId", append.snapshotId());
      each.put("files", append.files()).put("maxRecords", append.maxRecords());
      each.put("suspected", append.suspected());
    }
  }

  private static void put(ObjectNode object, String name, @Nullable Instant instant) {
    object.put(name, instant == null ? null : instant.toString());
  }

  private static void putId(ObjectNode object, String name, @Nullable Long id) {
    object.put(name, id == null ? null : Long.toString(id));
  }
}
