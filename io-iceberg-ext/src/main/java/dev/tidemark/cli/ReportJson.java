package dev.tidemark.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.report.CommitSpan;
import dev.tidemark.report.DelayClass;
import dev.tidemark.report.FinalTime;
import dev.tidemark.report.LateCount;
import dev.tidemark.report.ReportedHour;
import dev.tidemark.report.TableReport;
import dev.tidemark.report.WatermarkHold;
import dev.tidemark.report.WatermarkStep;
import dev.tidemark.report.WriterTotals;
import dev.tidemark.sensor.FinalizationReport;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A report as JSON. */
final class ReportJson {
  private ReportJson() {}

  static ObjectNode of(TableReport report) {
    ObjectNode object = object();
    table(object, report.table());
    put(object, "madeAt", report.madeAt());
    put(object, "from", report.span().from());
    put(object, "until", report.span().until());
    object.put("cut", report.cut());
    texts(object, "notices", report.notices());
    late(object, "late", report.late());
    object.put("unplacedRecords", report.unplacedRecords());
    object.put("hoursLeftOut", report.hoursLeftOut());
    ArrayNode commits = object.putArray("commits");
    report.commits().forEach(commit -> commits.add(commit(commit)));
    steps(object, "moves", report.moves());
    ArrayNode holds = object.putArray("holds");
    report.holds().forEach(hold -> holds.add(hold(hold)));
    ArrayNode delays = object.putArray("delays");
    report.delays().forEach(delay -> delays.add(delay(delay)));
    ArrayNode hours = object.putArray("hours");
    report.hours().forEach(hour -> hours.add(hour(hour)));
    ArrayNode writers = object.putArray("writers");
    report.writers().forEach(writer -> writers.add(writer(writer)));
    return object;
  }

  static void table(ObjectNode object, FinalizationReport table) {
    object.put("table", table.table()).put("tableUuid", table.tableUuid());
    object.put("branch", table.branch()).put("snapshotState", table.snapshotState().name());
    put(object, "finalizedUntil", table.finalizedUntil());
    put(object, "finalizedSince", table.finalizedSince());
    object.put("policy", table.policy()).put("pausedReason", table.pausedReason());
  }

  static ObjectNode commit(CommitSpan commit) {
    ObjectNode object = object();
    object.put("snapshotId", Long.toString(commit.snapshotId())).put("writer", commit.writer());
    put(object, "committedAt", commit.at());
    object.put("records", commit.records());
    put(object, "minEventTime", commit.min());
    put(object, "q050", commit.low());
    put(object, "q950", commit.high());
    put(object, "maxEventTime", commit.max());
    put(object, "watermarkMet", commit.met());
    late(object, "late", commit.late());
    return object.put("rolledBack", commit.lost());
  }

  static void steps(ObjectNode object, String name, Iterable<WatermarkStep> moves) {
    ArrayNode array = object.putArray(name);
    for (WatermarkStep move : moves) {
      ObjectNode step = array.addObject();
      put(step, "at", move.at());
      put(step, "watermark", move.watermark());
    }
  }

  static void finalTime(ObjectNode object, String name, FinalTime time) {
    ObjectNode node = object.putObject(name);
    put(node, "at", time.exact());
    put(node, "notBefore", time.notBefore());
    put(node, "notAfter", time.notAfter());
  }

  /** When an hour became final, for people. */
  static String text(FinalTime time) {
    Instant exact = time.exact();
    if (exact != null) {
      return exact.toString();
    } else if (time.open()) {
      return time.notBefore() == null ? "open" : "open or >= " + time.notBefore();
    }
    return time.notBefore() == null
        ? "<= " + time.notAfter()
        : time.notBefore() + " to " + time.notAfter();
  }

  static void late(ObjectNode object, String name, LateCount late) {
    object
        .putObject(name)
        .put("least", late.least())
        .put("most", late.most())
        .put("exact", late.exact());
  }

  static void texts(ObjectNode object, String name, Iterable<String> texts) {
    ArrayNode array = object.putArray(name);
    texts.forEach(array::add);
  }

  static void put(ObjectNode object, String name, @Nullable Instant at) {
    object.put(name, at == null ? null : at.toString());
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ObjectNode hold(WatermarkHold hold) {
    ObjectNode object = object();
    put(object, "from", hold.from());
    put(object, "until", hold.until());
    object.put("lengthMs", hold.length().toMillis());
    put(object, "watermark", hold.watermark());
    return object.put("reason", hold.reason()).put("goesOn", hold.goesOn());
  }

  /** Bounds that are none are null. */
  private static ObjectNode delay(DelayClass delay) {
    ObjectNode object = object();
    boolean first = delay.fromHours() == Long.MIN_VALUE;
    boolean last = delay.belowHours() == Long.MAX_VALUE;
    object.put("fromHours", first ? null : Long.valueOf(delay.fromHours()));
    object.put("belowHours", last ? null : Long.valueOf(delay.belowHours()));
    return object.put("records", delay.records()).put("late", delay.late());
  }

  private static ObjectNode hour(ReportedHour hour) {
    ObjectNode object = object();
    put(object, "start", hour.start());
    object.put("state", hour.state().name());
    object.put("records", hour.records()).put("late", hour.late());
    object.put("mayBeLate", hour.mayBeLate());
    finalTime(object, "final", hour.finalAt());
    return object;
  }

  private static ObjectNode writer(WriterTotals writer) {
    ObjectNode object = object();
    object.put("writer", writer.writer()).put("required", writer.required());
    object.put("commits", writer.commits()).put("records", writer.records());
    object.put("lateCommits", writer.lateCommits());
    late(object, "late", writer.late());
    put(object, "newestCommit", writer.newest());
    return object;
  }
}
