package dev.tidemark.examples.benchmarks.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class OrderLogTest {
  private static final int KEYS = 50;
  private static final int MIXED = 2_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  public void rowsAreWhatEventsComeTo() {
    OrderLog log = new OrderLog(KEYS, KEYS + MIXED);
    Map<Long, JsonNode> rows = new HashMap<>();
    write(log, (key, value, millis) -> apply(json(key).get("order_id").asLong(), value, rows));

    Expected expected = log.expected();
    assertThat(rows, aMapWithSize((int) expected.rows()));
    assertThat(
        rows.values().stream().mapToLong(row -> row.get("version").asLong()).sum(),
        is(expected.versions()));
    for (int key = 0; key < KEYS; key++) {
      OrderRow row = log.row(key);
      JsonNode told = rows.get((long) key);
      assertThat(
          told == null ? null : told.get("version").asLong(),
          is(row == null ? null : row.version()));
    }
  }

  @Test
  public void beforeImagesAreTheRowsThatWereThere() {
    OrderLog log = new OrderLog(KEYS, KEYS + MIXED);
    Map<Long, JsonNode> rows = new HashMap<>();
    long[] changes = new long[1];
    write(
        log,
        (key, value, millis) -> {
          long id = json(key).get("order_id").asLong();
          if (value != null) {
            JsonNode event = json(value);
            JsonNode before = rows.get(id);
            assertThat(event.get("before").isNull(), is(before == null));
            if (before != null) {
              assertThat(event.get("before"), is(before));
              changes[0]++;
            }
            changes[0] += event.get("after").isNull() ? 0 : 1;
          }
          apply(id, value, rows);
        });
    assertThat(changes[0], is(log.expected().changes()));
  }

  @Test
  public void deletesHaveTombstonesAndEachKindOccurs() {
    OrderLog log = new OrderLog(KEYS, KEYS + MIXED);
    Map<String, Integer> kinds = new HashMap<>();
    write(
        log,
        (key, value, millis) ->
            kinds.merge(
                value == null ? "tombstone" : json(value).get("op").asText(), 1, Integer::sum));
    assertThat(kinds.get("tombstone"), is(kinds.get("d")));
    assertThat(kinds.get("d"), greaterThan(MIXED / 20));
    assertThat(kinds.get("c"), greaterThan(KEYS));
    assertThat(kinds.get("u"), greaterThan(MIXED / 2));
    assertThat(
        (long) kinds.get("c") + kinds.get("u") + kinds.get("d"), is(log.expected().events()));
  }

  @Test
  public void logsAreEqual() {
    assertThat(texts(), is(texts()));
  }

  @Test
  public void rowOfAnotherVersionIsNotEqual() throws IOException {
    OrderRow row = new OrderRow(7, 12);
    StringBuilder text = new StringBuilder();
    row.appendTo(text);
    JsonNode told = JSON.readTree(text.toString());
    JsonNode values =
        JSON.createArrayNode()
            .add(told.get("order_id"))
            .add(told.get("customer"))
            .add(told.get("status"))
            .add(told.get("quantity"))
            .add(told.get("price"))
            .add(new BigDecimal(told.get("total").asText()))
            .add("2024-12-24 00:26:47.000")
            .add(told.get("note"))
            .add(told.get("version"));
    assertThat(told.get("placed").asLong(), is(1_735_000_007_000L));
    assertThat(row.equalsRow(values), is(true));
    assertThat(new OrderRow(7, 13).equalsRow(values), is(false));
  }

  private static void write(OrderLog log, OrderLog.Records records) {
    log.insertAll(records);
    log.mixed(MIXED, records);
  }

  private static void apply(long key, byte[] value, Map<Long, JsonNode> rows) {
    JsonNode after = value == null ? null : json(value).get("after");
    if (after == null || after.isNull()) {
      rows.remove(key);
    } else {
      rows.put(key, after);
    }
  }

  private static List<String> texts() {
    List<String> texts = new ArrayList<>();
    write(
        new OrderLog(KEYS, KEYS + MIXED),
        (key, value, millis) ->
            texts.add(
                millis + new String(key, UTF_8) + (value == null ? "" : new String(value, UTF_8))));
    return texts;
  }

  private static JsonNode json(byte[] text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
