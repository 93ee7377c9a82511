package dev.tidemark.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.EventTimeRange;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationException;
import dev.tidemark.sensor.FinalizationStatus;
import dev.tidemark.sensor.Finalizations;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.catalog.TableIdentifier;

/** Asks for the ranges of the tables, prints the answers, and turns them into an exit code. */
final class Answers {
  /** A question about one table. */
  record Question(Finalization finalization, EventTimeRange range) {}

  private final TableVerb verb;
  private final RangeOptions options;
  private final List<ObjectNode> objects = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private final List<FinalizationStatus> statuses = new ArrayList<>();
  private int code = ExitCodes.FINALIZED;
  private boolean timedOut;

  Answers(TableVerb verb, RangeOptions options) {
    this.verb = verb;
    this.options = options;
  }

  /** The question about a table; whatever is wrong with it is wrong usage. */
  Question question(TableIdentifier table) {
    try {
      Finalization finalization = verb.finalization(table);
      EventTimeRange range = options.range(finalization);
      return new Question(finalization.withSignal(options.signal()), range);
    } catch (IllegalArgumentException e) {
      throw verb.usage(String.valueOf(e.getMessage()), e);
    }
  }

  ImmutableList<Question> questions() {
    return verb.table().identifiers(verb.commandLine()).stream()
        .map(this::question)
        .collect(ImmutableList.toImmutableList());
  }

  /** The time was up before all were settled. */
  void timedOut() {
    timedOut = true;
  }

  void add(Question question, FinalizationStatus status) {
    boolean unsettled = timedOut && !status.isSettled();
    ObjectNode json = Json.status(verb.table().branch(), status);
    json.put("timedOut", unsettled);
    StringBuilder text = new StringBuilder(status.state().name());
    text.append(' ').append(status.table()).append(' ').append(status.range());
    text.append(": ").append(status.reason()).append('.');
    if (status.isFinalized() && status.snapshotId() != null) {
      text.append(
          " Read snapshot %d (VERSION AS OF %d)."
              .formatted(status.snapshotId(), status.snapshotId()));
    }
    if (status.caveat() != null) {
      text.append("%nCaveat of signal %s: %s.".formatted(status.signal(), status.caveat()));
    }
    int its = code(status, unsettled);
    if (options.failOnLate() && status.isFinalized()) {
      LateData late = LateData.of(question.finalization(), status.range());
      Json.addLate(json, late);
      text.append(late.text());
      its = late.isEmpty() ? its : ExitCodes.LATE;
    }
    statuses.add(status);
    answered(its, json, text.toString());
  }

  /** A table that has no answer, beside others that may have one. */
  void add(TableIdentifier table, FinalizationException failure) {
    String why = Errors.line(verb.table().scrub(String.valueOf(failure.getMessage())));
    ObjectNode json = Json.object();
    json.put("table", table.toString()).put("branch", verb.table().branch()).put("error", why);
    answered(ExitCodes.ERROR, json, "ERROR " + table + ": " + why);
  }

  /** Prints, one object where one table was asked about, and gives the exit code. */
  int give() {
    ObjectNode json = objects.get(0);
    if (verb.table().identifiers(verb.commandLine()).size() > 1) {
      json = Json.object();
      json.put("state", code == ExitCodes.ERROR ? "ERROR" : Finalizations.worst(statuses).name());
      json.put("timedOut", timedOut);
      ArrayNode tables = json.putArray("tables");
      objects.forEach(tables::add);
    }
    verb.print(json, String.join(System.lineSeparator(), texts));
    return code;
  }

  private void answered(int its, ObjectNode json, String text) {
    code = rank(its) > rank(code) ? its : code;
    objects.add(json);
    texts.add(text);
  }

  /** Which code counts where several tables differ. */
  private static int rank(int code) {
    return switch (code) {
      case ExitCodes.FINALIZED -> 0;
      case ExitCodes.LATE -> 1;
      case ExitCodes.TIMED_OUT -> 2;
      case ExitCodes.NOT_FINALIZED -> 3;
      default -> 4;
    };
  }

  private static int code(FinalizationStatus status, boolean timedOut) {
    if (status.isFinalized()) {
      return ExitCodes.FINALIZED;
    }
    return timedOut ? ExitCodes.TIMED_OUT : ExitCodes.NOT_FINALIZED;
  }
}
