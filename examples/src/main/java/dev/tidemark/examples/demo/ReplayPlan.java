package dev.tidemark.examples.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.examples.cdc.EventLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * When each recorded event is delivered, and with which event time. Events keep their order and
 * their log positions; their source times are spread over some hours, two steps for each hour. Some
 * events of one early hour are delivered much later.
 */
final class ReplayPlan {
  static final int HOURS = 7;
  static final int LATE_HOUR = 1;
  private static final int STEPS = 2 * HOURS;
  private static final int LATE_FROM_STEP = 2 * LATE_HOUR + 1;
  private static final int LATE_AT_STEP = 10;
  private static final int LATE_EVERY = 4;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An event as it is delivered. */
  record Delivery(DebeziumRecord record, Instant eventTime, boolean late) {}

  private final ImmutableList<ImmutableList<Delivery>> steps;

  /** For each step, the oldest event time of what is delivered from there on. */
  private final ImmutableList<Instant> oldest;

  private ReplayPlan(ImmutableList<ImmutableList<Delivery>> steps) {
    this.steps = steps;
    Instant[] oldest = new Instant[steps.size()];
    Instant after = Instant.ofEpochMilli(Long.MAX_VALUE);
    for (int step = steps.size() - 1; step >= 0; step--) {
      for (Delivery delivery : steps.get(step)) {
        after = delivery.eventTime().isBefore(after) ? delivery.eventTime() : after;
      }
      oldest[step] = after;
    }
    this.oldest = ImmutableList.copyOf(oldest);
  }

  /** The plan whose first hour begins at the given time. */
  static ReplayPlan startingAt(Instant start) {
    List<String> lines = ShopFiles.lines("events");
    List<List<Delivery>> steps = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      steps.add(new ArrayList<>());
    }
    Duration perStep = Duration.standardMinutes(30);
    for (int i = 0; i < lines.size(); i++) {
      int step = (int) ((long) i * STEPS / lines.size());
      long within = (long) i * STEPS - (long) step * lines.size();
      Instant eventTime =
          start
              .plus(perStep.multipliedBy(step))
              .plus(Duration.millis(perStep.getMillis() * within / lines.size()));
      boolean late = step == LATE_FROM_STEP && i % LATE_EVERY == 0;
      steps
          .get(late ? LATE_AT_STEP : step)
          .add(new Delivery(record(lines.get(i), eventTime), eventTime, late));
    }
    return new ReplayPlan(
        steps.stream().map(ImmutableList::copyOf).collect(ImmutableList.toImmutableList()));
  }

  ImmutableList<ImmutableList<Delivery>> steps() {
    return steps;
  }

  /** Nothing that is delivered in this step or later is older. */
  Instant oldestFrom(int step) {
    return oldest.get(step);
  }

  /** Changes of a topic that are delivered late; tombstones are no changes. */
  static long heldBack(String topic) {
    return startingAt(Instant.EPOCH).steps().stream()
        .flatMap(List::stream)
        .filter(delivery -> delivery.late() && delivery.record().topic().equals(topic))
        .filter(delivery -> delivery.record().value() != null)
        .count();
  }

  private static DebeziumRecord record(String line, Instant eventTime) {
    try {
      JsonNode event = JSON.readTree(line);
      JsonNode value = event.get("value");
      if (value instanceof ObjectNode && value.get("source") instanceof ObjectNode source) {
        source.put("ts_ms", eventTime.getMillis());
        source.put("ts_us", eventTime.getMillis() * 1_000);
        source.put("ts_ns", eventTime.getMillis() * 1_000_000);
      }
      return EventLine.of(event).record();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read event: " + e.getMessage(), e);
    }
  }
}
