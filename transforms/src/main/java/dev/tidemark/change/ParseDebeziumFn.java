package dev.tidemark.change;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.change.DebeziumEvent.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;

/** Parses records and sends each table's changes to the table's output. */
final class ParseDebeziumFn extends DoFn<DebeziumRecord, Change> {
  private static final String HEARTBEAT_PREFIX = "__debezium-heartbeat";
  private static final String OLD_KEY_HEADER = "__debezium.oldkey";

  static final TupleTag<BadRecord> FAILED = new TupleTag<>("failed");
  static final TupleTag<Row> TRUNCATES = new TupleTag<>("truncates");

  private final ImmutableMap<DebeziumTable, TupleTag<Change>> outputs;
  private final ImmutableMap<ChangeMetadata, String> metadata;
  private final String unavailableValue;
  private final boolean ignoresOtherTopics;
  private final ParseDebeziumMetrics metrics = new ParseDebeziumMetrics();

  private transient EventReader reader;
  private transient Map<String, Target> targets;

  private record Target(TableParser parser, TupleTag<Change> output) {}

  ParseDebeziumFn(
      ImmutableMap<DebeziumTable, TupleTag<Change>> outputs,
      ImmutableMap<ChangeMetadata, String> metadata,
      String unavailableValue,
      boolean ignoresOtherTopics) {
    this.outputs = outputs;
    this.metadata = metadata;
    this.unavailableValue = unavailableValue;
    this.ignoresOtherTopics = ignoresOtherTopics;
  }

  @Setup
  public void setup() {
    UnavailableValue unavailable = new UnavailableValue(unavailableValue);
    reader = new EventReader();
    targets = new HashMap<>();
    outputs.forEach(
        (table, output) ->
            targets.put(
                table.topic(),
                new Target(
                    new TableParser(table, metadata, unavailable, reader, metrics), output)));
  }

  @ProcessElement
  public void process(@Element DebeziumRecord record, MultiOutputReceiver out) {
    try {
      parse(record, out);
    } catch (UnparsableChangeException e) {
      metrics.failedRecord();
      out.get(FAILED).output(badRecord(record, e.getMessage()));
    }
  }

  private void parse(DebeziumRecord record, MultiOutputReceiver out)
      throws UnparsableChangeException {
    Target target = targets.get(record.topic());
    if (target == null && record.topic().startsWith(HEARTBEAT_PREFIX)) {
      metrics.heartbeat();
      return;
    }
    DebeziumEvent event;
    try {
      event = reader.readValue(record.valueBytes());
    } catch (UnparsableChangeException e) {
      if (target == null && ignoresOtherTopics) {
        metrics.otherTopic();
        return;
      }
      throw e;
    }
    if (!event.operation().isOfTable()) {
      metrics.event(event.operation());
      return;
    }
    if (target != null) {
      change(record, event, target, out);
    } else if (ignoresOtherTopics) {
      metrics.otherTopic();
    } else {
      throw new UnparsableChangeException(
          "no table is declared for the topic. Declare it, or set ignoringOtherTopics()");
    }
  }

  private void change(
      DebeziumRecord record, DebeziumEvent event, Target target, MultiOutputReceiver out)
      throws UnparsableChangeException {
    if (event.operation() == Operation.TRUNCATE) {
      truncate(record, event, target.parser().truncates(), out);
      return;
    }
    List<Change> changes = target.parser().parse(record, event);
    metrics.event(event.operation());
    if (record.headers().containsKey(OLD_KEY_HEADER)) {
      metrics.keyChange();
    }
    changes.forEach(out.get(target.output())::output);
  }

  private void truncate(
      DebeziumRecord record, DebeziumEvent event, Truncates policy, MultiOutputReceiver out)
      throws UnparsableChangeException {
    if (policy == Truncates.FAIL) {
      throw new UnparsableChangeException(
          "the table was truncated, which no change of a row tells. Set withTruncates(...)");
    }
    if (policy == Truncates.REPORT) {
      Long lsn = event.lsn();
      if (lsn == null) {
        throw new UnparsableChangeException("the truncate does not tell its log position");
      }
      out.get(TRUNCATES)
          .output(
              Row.withSchema(ParseDebezium.TRUNCATE_SCHEMA)
                  .addValues(record.topic(), lsn, ChangeMetadata.sourceTime(event))
                  .build());
    }
    metrics.event(event.operation());
  }

  /** The reason names topic, column and types; the record itself can be decoded and sent again. */
  private static BadRecord badRecord(DebeziumRecord record, String reason) {
    return BadRecord.builder()
        .setRecord(
            BadRecord.Record.builder()
                .setHumanReadableJsonRecord(
                    JsonNodeFactory.instance.objectNode().put("topic", record.topic()).toString())
                .addCoderAndEncodedRecord(DebeziumRecordCoder.of(), record)
                .build())
        .setFailure(
            BadRecord.Failure.builder()
                .setDescription(
                    String.format("Cannot parse change of %s: %s", record.topic(), reason))
                .build())
        .build();
  }
}
