package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import dev.tidemark.change.DebeziumFixtures.Format;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Replays recorded events of one workload, shuffled, and compares with what the source held at the
 * end.
 */
@RunWith(JUnit4.class)
public class ParseDebeziumReplayTest {
  private static final long SEED = 20241130;

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void eventsGiveTheSourcesTables() {
    assertTablesAreRebuilt(Format.PRECISE);
  }

  @Test
  public void eventsInEnvelopesGiveTheSourcesTablesWithDerivedSchemas() {
    assertTablesAreRebuilt(Format.ENVELOPED);
  }

  @Test
  public void eventsWithTextDecimalsAndMillisGiveTheSourcesTables() {
    assertTablesAreRebuilt(Format.TEXT_AND_MILLIS);
  }

  @Test
  public void flattenedEventsGiveTheSourcesTables() {
    assertTablesAreRebuilt(Format.FLATTENED);
  }

  @Test
  public void everyRecordIsCountedByItsOutcome() {
    records(Format.PRECISE).apply(ParseDebezium.forTables(DebeziumFixtures.tables(Format.PRECISE)));
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();

    Map<String, Long> expected = new HashMap<>();
    for (JsonNode event : DebeziumFixtures.events(Format.PRECISE)) {
      JsonNode value = event.path("value");
      String outcome =
          value.isNull()
              ? "tombstones"
              : switch (value.path("op").asText()) {
                case "r" -> "reads";
                case "c" -> "creates";
                case "u" -> "updates";
                case "d" -> "deletes";
                case "t" -> "truncates";
                case "m" -> "logicalMessages";
                default -> "transactionMarkers";
              };
      expected.merge(outcome, 1L, Long::sum);
      if (event.path("headers").has("__debezium.oldkey")) {
        expected.merge("keyChanges", 1L, Long::sum);
      }
      if (value.path("op").asText().equals("d") && !fullImages(event.path("topic").asText())) {
        expected.merge("keyOnlyDeletes", 1L, Long::sum);
      }
      if (value.toString().contains("__debezium_unavailable_value")) {
        expected.merge("unavailableValues", 1L, Long::sum);
      }
      if (event.path("topic").asText().endsWith(".orders")) {
        for (String image : List.of("before", "after")) {
          if (value.path(image).isObject() && !value.path(image).has("coupon")) {
            expected.merge("defaultedColumns", 1L, Long::sum);
          }
        }
      }
    }
    assertThat(counters(result), equalTo(expected));
  }

  private static boolean fullImages(String topic) {
    return topic.endsWith(".orders") || topic.endsWith(".audit_nokey");
  }

  private void assertTablesAreRebuilt(Format format) {
    ParseDebeziumResult result =
        records(format)
            .apply(
                ParseDebezium.forTables(DebeziumFixtures.tables(format))
                    .withMetadata(ChangeMetadata.POSITION, ChangeMetadata.SOURCE_TIME));
    PAssert.that(result.failed()).empty();
    for (String table : DebeziumFixtures.KEYED_TABLES) {
      PAssert.that(result.changes(format.topic(table)))
          .satisfies(
              changes -> {
                assertRebuilt(format, table, changes);
                return null;
              });
    }
    PAssert.that(result.changes(format.topic("audit_nokey")))
        .satisfies(
            changes -> {
              assertAuditRebuilt(format, changes);
              return null;
            });
    List<Long> truncates = truncateLsns(format);
    PAssert.that(result.truncates())
        .satisfies(
            rows -> {
              assertThat(
                  ImmutableList.copyOf(Iterables.transform(rows, row -> row.getInt64("lsn"))),
                  equalTo(truncates));
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  /** By the stored column: what a reader of a table of changes has. */
  private static void assertRebuilt(Format format, String table, Iterable<Change> changes) {
    DebeziumTable declared = DebeziumFixtures.table(format, table);
    ImmutableSet<String> key = declared.key();
    Schema schema = declared.declaredSchema();
    Map<Object, Map<String, Object>> folded =
        TableContents.fold(
            withoutMetadata(changes, declared.rowSchema()),
            Comparator.comparing(Change::position),
            key);
    Map<Object, Map<String, Object>> truth =
        TableContents.byKey(TableContents.truth(table, schema, format), key);
    assertThat(truth.size(), greaterThan(0));
    assertThat(folded, equalTo(truth));
  }

  private static void assertAuditRebuilt(Format format, Iterable<Change> changes) {
    List<Change> sorted = new ArrayList<>();
    changes.forEach(sorted::add);
    sorted.sort(Comparator.comparing(Change::position));
    List<Long> truncates = truncateLsns(format);
    Schema schema = DebeziumFixtures.audit();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Change change : withoutMetadata(sorted, schema)) {
      if (!truncates.isEmpty() && change.position().lsn() > truncates.get(0)) {
        rows.clear();
        truncates = List.of();
      }
      Map<String, Object> row = TableContents.values(change.row());
      if (change.kind().adds()) {
        rows.add(row);
      } else {
        assertThat(change.imageComplete(), is(true));
        assertThat(rows.remove(row), is(true));
      }
    }
    List<Map<String, Object>> truth = TableContents.truth("audit_nokey", schema, format);
    if (format == Format.FLATTENED) {
      // The flattening drops truncates: rows from before stay.
      assertThat(rows.containsAll(truth), is(true));
    } else {
      assertThat(ImmutableMultiset.copyOf(rows), equalTo(ImmutableMultiset.copyOf(truth)));
    }
  }

  /** Changes whose rows are cut to the table's own columns. */
  private static List<Change> withoutMetadata(Iterable<Change> changes, Schema schema) {
    List<Change> cut = new ArrayList<>();
    for (Change change : changes) {
      List<Object> values = change.row().getValues().subList(0, schema.getFieldCount());
      cut.add(
          Change.of(change.kind(), Row.withSchema(schema).addValues(values).build())
              .withPosition(change.position())
              .withUnknownColumns(change.unknownColumns()));
      assertThat(change.row().getInt64("_position"), equalTo(change.position().packed()));
    }
    return cut;
  }

  private static List<Long> truncateLsns(Format format) {
    List<Long> lsns = new ArrayList<>();
    for (JsonNode event : DebeziumFixtures.events(format)) {
      JsonNode value = event.path("value");
      JsonNode payload = format == Format.ENVELOPED ? value.path("payload") : value;
      if (payload.path("op").asText().equals("t")) {
        lsns.add(payload.path("source").path("lsn").longValue());
      }
    }
    return lsns;
  }

  private PCollection<DebeziumRecord> records(Format format) {
    List<DebeziumRecord> records = new ArrayList<>(DebeziumFixtures.records(format));
    Collections.shuffle(records, new Random(SEED));
    return pipeline.apply(Create.of(records));
  }

  private static Map<String, Long> counters(PipelineResult result) {
    Map<String, Long> counters = new HashMap<>();
    for (MetricResult<Long> counter :
        result
            .metrics()
            .queryMetrics(
                MetricsFilter.builder()
                    .addNameFilter(MetricNameFilter.inNamespace(ParseDebezium.class))
                    .build())
            .getCounters()) {
      counters.put(counter.getName().getName(), counter.getCommitted());
    }
    return counters;
  }
}
