package dev.tidemark.examples;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.examples.CrashChangelog.Outputs;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.upsert.MaterializeUpserts;
import dev.tidemark.upsert.UpsertTestUtils;
import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;

/**
 * Upserts on stores that crash, and a table behind them whose rows are part of the checkpoint, with
 * the number and a hash of the changes it was given. What the runner takes back it takes back here,
 * too, so that at the end each key must have got exactly the changes of an undisturbed run.
 */
final class CrashTable {
  static final int SHARDS = 8;

  private static final Map<Long, Outputs> ROWS = new ConcurrentHashMap<>();

  /** What the table had when the job began. */
  private static volatile Map<Long, Outputs> begun = Map.of();

  private CrashTable() {}

  /** Lists of candidates become long, and little of them fits into memory. */
  static MaterializeUpserts upserts(File stores) {
    return UpsertTestUtils.withStores(
        MaterializeUpserts.create()
            .withSinkKey("customer")
            .withUpsertKey("order")
            .withStrategy(UpsertStrategy.ADAPTIVE)
            .withThresholds(8, 5)
            .withShards(SHARDS)
            .withBatchAge(Duration.millis(40))
            .withStoreMemory(1 << 20)
            .withStoreDirectory(stores.toString()),
        new CrashingStores());
  }

  /** Upserts, and the table that takes what they emit. */
  static void write(PCollection<Change> changes, MaterializeUpserts upserts) {
    changes
        .apply("Upserts", upserts)
        .changes()
        .apply("Key", ParDo.of(new KeyFn()))
        .setCoder(KvCoder.of(VarLongCoder.of(), ChangeCoder.of(CrashChangelog.SCHEMA)))
        .apply("Table", ParDo.of(new TableFn()));
  }

  static void clear() {
    begin(Map.of());
    ROWS.clear();
  }

  /** Has the next job, which has no state of its own, go on with these rows. */
  static void begin(Map<Long, Outputs> rows) {
    begun = Map.copyOf(rows);
    ROWS.putAll(rows);
  }

  static Map<Long, Outputs> rows() {
    return Map.copyOf(ROWS);
  }

  static void assertAsUndisturbed(CrashChangelog log) {
    Map<Long, Outputs> expected = log.outputs();
    TreeMap<Long, String> differences = new TreeMap<>();
    expected.forEach(
        (key, outputs) -> {
          Outputs actual = ROWS.get(key);
          if (!outputs.equals(actual)) {
            differences.put(key, outputs + " but was " + actual);
          }
        });
    assertThat(differences.toString(), differences.size(), is(0));
    assertThat(ROWS.size(), is(expected.size()));
  }

  private static final class KeyFn extends DoFn<Change, KV<Long, Change>> {
    @ProcessElement
    public void process(@Element Change change, OutputReceiver<KV<Long, Change>> out) {
      out.output(KV.of(change.row().getInt64("customer"), change));
    }
  }

  private static final class TableFn extends DoFn<KV<Long, Change>, Void> {
    @StateId("outputs")
    private final StateSpec<ValueState<Outputs>> outputsSpec =
        StateSpecs.value(SerializableCoder.of(Outputs.class));

    @ProcessElement
    public void process(
        @Element KV<Long, Change> entry, @StateId("outputs") ValueState<Outputs> state) {
      Crashes.point("table");
      Outputs before = state.read();
      Change change = entry.getValue();
      Outputs after =
          (before == null ? begun.getOrDefault(entry.getKey(), Outputs.NONE) : before)
              .plus(change.kind(), change.row().getInt64("order"), change.row().getString("note"));
      state.write(after);
      ROWS.put(entry.getKey(), after);
    }
  }
}
