package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import dev.tidemark.change.DebeziumFixtures.Format;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What the order of a key's changes is, on recorded events. */
@RunWith(JUnit4.class)
public class LogOrderTest {
  /** A change with what the record said of its time. */
  private record Timed(Change change, Instant sourceTime) {}

  @Test
  public void logPositionPicksTheChangeThatTheConnectorWroteLast() throws Exception {
    for (Format format : Format.values()) {
      for (List<Timed> changes : changesByKey(format).values()) {
        assertThat(lastByPosition(changes), equalTo(Iterables.getLast(changes)));
      }
    }
  }

  @Test
  public void packedPositionOrdersTheChangesOfAKeyStrictly() throws Exception {
    for (Format format : Format.values()) {
      for (List<Timed> changes : changesByKey(format).values()) {
        Set<Long> packed = new TreeSet<>();
        changes.forEach(timed -> packed.add(timed.change().position().packed()));
        List<Long> written = new ArrayList<>();
        changes.forEach(timed -> written.add(timed.change().position().packed()));
        assertThat(new ArrayList<>(packed), equalTo(written));
      }
    }
  }

  /**
   * The recorded events are known to have 869 keys; for 18 of them the largest {@code source.ts_ms}
   * (the later record among equals) is not on the last change.
   */
  @Test
  public void sourceTimePicksTheWrongLastChangeForSomeKeys() throws Exception {
    Map<Object, List<Timed>> keys = changesByKey(Format.PRECISE);
    List<Object> wrong = new ArrayList<>();
    keys.forEach(
        (key, changes) -> {
          Timed last = lastByTime(changes);
          if (!last.equals(lastByPosition(changes))) {
            wrong.add(key);
            // A snapshot read carries the time of the snapshot, which is after what is streamed.
            assertThat(last.change().position().step(), is(LogPosition.Step.SNAPSHOT_READ));
          }
        });
    assertThat(keys.size(), is(869));
    assertThat(wrong, hasSize(18));
  }

  @Test
  public void foldingBySourceTimeMissesTheSourcesTable() throws Exception {
    DebeziumTable table = DebeziumFixtures.table(Format.PRECISE, "customers");
    List<Timed> changes = changes(Format.PRECISE, "customers");
    Map<Change, Instant> times = new LinkedHashMap<>();
    changes.forEach(timed -> times.put(timed.change(), timed.sourceTime()));
    assertThat(
        TableContents.fold(times.keySet(), Comparator.comparing(times::get), table.key()),
        not(
            equalTo(
                TableContents.byKey(
                    TableContents.truth("customers", table.declaredSchema(), Format.PRECISE),
                    table.key()))));
  }

  /** Streaming may begin at the very LSN of the snapshot; the recorded events have such a key. */
  @Test
  public void snapshotReadGoesBeforeTheDeleteThatSharesItsLsn() throws Exception {
    List<List<Timed>> ties = new ArrayList<>();
    for (List<Timed> changes : changesByKey(Format.TEXT_AND_MILLIS).values()) {
      Set<Long> lsns = new HashSet<>();
      changes.forEach(timed -> lsns.add(timed.change().position().lsn()));
      if (changes.size() == 2
          && lsns.size() == 1
          && changes.get(0).change().position().step() == LogPosition.Step.SNAPSHOT_READ) {
        ties.add(changes);
      }
    }
    assertThat(ties, hasSize(1));
    Change read = ties.get(0).get(0).change();
    Change delete = ties.get(0).get(1).change();
    assertThat(delete.kind(), is(ChangeKind.DELETE));
    assertThat(read.position(), lessThan(delete.position()));
  }

  private static Timed lastByPosition(List<Timed> changes) {
    return changes.stream()
        .max(Comparator.comparing(timed -> timed.change().position()))
        .orElseThrow();
  }

  private static Timed lastByTime(List<Timed> changes) {
    Timed last = changes.get(0);
    for (Timed timed : changes) {
      if (timed.sourceTime().toEpochMilli() >= last.sourceTime().toEpochMilli()) {
        last = timed;
      }
    }
    return last;
  }

  /**
   * The changes of the keyed tables by table and key, in the order in which they were written; no
   * before halves.
   */
  private static Map<Object, List<Timed>> changesByKey(Format format) throws Exception {
    Map<Object, List<Timed>> keys = new LinkedHashMap<>();
    for (String name : DebeziumFixtures.KEYED_TABLES) {
      DebeziumTable table = DebeziumFixtures.table(format, name);
      for (Timed timed : changes(format, name)) {
        List<Object> key = new ArrayList<>(List.of(name));
        table.key().forEach(column -> key.add(timed.change().row().getValue(column)));
        keys.computeIfAbsent(key, unused -> new ArrayList<>()).add(timed);
      }
    }
    return keys;
  }

  private static List<Timed> changes(Format format, String name) throws Exception {
    EventReader reader = new EventReader();
    TableParser parser =
        new TableParser(
            DebeziumFixtures.table(format, name),
            ImmutableMap.of(),
            new UnavailableValue("__debezium_unavailable_value"),
            reader,
            new ParseDebeziumMetrics());
    List<Timed> changes = new ArrayList<>();
    for (DebeziumRecord record : DebeziumFixtures.records(format)) {
      DebeziumEvent event = reader.readValue(record.valueBytes());
      if (!record.topic().equals(format.topic(name)) || !event.operation().isOfTable()) {
        continue;
      }
      for (Change change : parser.parse(record, event)) {
        if (change.kind() != ChangeKind.UPDATE_BEFORE) {
          changes.add(new Timed(change, ChangeMetadata.sourceTime(event)));
        }
      }
    }
    return changes;
  }
}
