package dev.tidemark.peers;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.UpsertMaterializer;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.testing.InMemoryShardState;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.upsert.KeyEncoding;
import dev.tidemark.upsert.RowEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Tidemark's materializer, fed in batches of random size over a few shards. Batches are abandoned
 * now and then and done again, as failed bundles are.
 */
final class TidemarkUnderTest implements AutoCloseable {
  private static final byte[] NO_CONTEXT = new byte[0];
  private static final int MAX_SHARDS = 3;
  private static final int MAX_SWEEP_BYTES = 4096;

  private final Supplier<CandidateStore> stores;
  private final Coverage coverage;
  private final Random random;
  private final Schema schema;
  private final RowEncoding rows;
  private final KeyEncoding sinkKeys;
  private final @Nullable KeyEncoding upsertKeys;
  private final UpsertSemantics semantics;
  private final List<Shard> shards = new ArrayList<>();
  private CandidateStore store;
  private UpsertMaterializer materializer;
  private long millis;

  private TidemarkUnderTest(
      Setting setting, Supplier<CandidateStore> stores, long seed, Coverage coverage) {
    this.coverage = coverage;
    this.stores = stores;
    this.random = new Random(seed);
    this.schema = schema(setting);
    this.rows = RowEncoding.of(schema);
    this.sinkKeys = KeyEncoding.ofSinkKey(schema, names(setting.sinkKey()));
    this.upsertKeys =
        setting.hasUpsertKey() ? KeyEncoding.ofUpsertKey(schema, names(setting.upsertKey())) : null;
    this.semantics = semantics(setting);
    for (int i = 1 + random.nextInt(MAX_SHARDS); i > 0; i--) {
      shards.add(new Shard(shards.size(), InMemoryShardState.shuffled(random.nextLong())));
    }
    this.store = stores.get();
    this.materializer = UpsertMaterializer.of(semantics);
  }

  /** What becomes of each event, by position. */
  static List<Outcome> run(Scenario scenario, Supplier<CandidateStore> stores, Coverage coverage) {
    try (TidemarkUnderTest materializer =
        new TidemarkUnderTest(scenario.setting(), stores, scenario.seed(), coverage)) {
      return materializer.run(scenario.events());
    }
  }

  @Override
  public void close() {
    coverage.add(materializer.statistics(), store.statistics());
    store.close();
  }

  private List<Outcome> run(List<Event> events) {
    Outcome[] outcomes = new Outcome[events.size()];
    Arrays.fill(outcomes, Outcome.NOTHING);
    int left = batchSize();
    for (int i = 0; i < outcomes.length; i++) {
      Event event = events.get(i);
      if (event instanceof Event.Change change) {
        add(i, change);
        if (--left > 0) {
          continue;
        }
        left = batchSize();
      }
      flush(outcomes);
      if (event instanceof Event.Time time) {
        millis = time.millis();
      } else if (event instanceof Event.Restore) {
        close();
        store = stores.get();
        materializer = UpsertMaterializer.of(semantics);
      }
    }
    flush(outcomes);
    return Arrays.asList(outcomes);
  }

  private int batchSize() {
    return random.nextBoolean() ? 1 + random.nextInt(8) : 1 + random.nextInt(200);
  }

  private void add(int position, Event.Change change) {
    Row row = Row.withSchema(schema).attachValues(change.row().toList());
    byte[] key = sinkKeys.encode(row);
    Shard shard = shards.get(Math.floorMod(Arrays.hashCode(key), shards.size()));
    shard.positions.add(position);
    shard.pending.add(change);
    shard.builder.add(
        change.kind(),
        key,
        upsertKeys == null ? null : upsertKeys.encode(row),
        rows.encode(row),
        true,
        NO_CONTEXT);
  }

  private void flush(Outcome[] outcomes) {
    for (Shard shard : shards) {
      if (shard.builder.size() > 0) {
        process(shard, outcomes);
      }
    }
  }

  private void process(Shard shard, Outcome[] outcomes) {
    KeyedChanges changes = shard.builder.build();
    if (random.nextInt(20) == 0) {
      InMemoryShardState.Snapshot snapshot = shard.state.snapshot();
      materializer.process(store.begin(shard.number, shard.state), changes, millis);
      shard.state.restore(snapshot);
    }
    ShardRecords records = store.begin(shard.number, shard.state);
    if (random.nextInt(10) == 0) {
      materializer.sweep(records, millis, 1 + random.nextInt(MAX_SWEEP_BYTES));
    }
    Emissions emissions = materializer.process(records, changes, millis);
    for (int i = 0; i < changes.size(); i++) {
      outcomes[shard.positions.get(i)] = outcome(emissions, i, shard.pending.get(i).row());
    }
    records.commit();
    shard.positions.clear();
    shard.pending.clear();
  }

  private Outcome outcome(Emissions emissions, int index, Cells incoming) {
    ChangeKind kind = emissions.kind(index);
    if (kind == null) {
      return Outcome.NOTHING;
    }
    byte[] retained = emissions.retained(index);
    return Outcome.emitted(
        kind, retained == null ? incoming : Cells.of(rows.decode(retained).getValues().toArray()));
  }

  private static UpsertSemantics semantics(Setting setting) {
    UpsertSemantics semantics =
        UpsertSemantics.of(setting.strategy())
            .withThresholds(
                setting.effectiveThresholds().high(), setting.effectiveThresholds().low())
            .withTtlMillis(setting.ttlMillis());
    if (setting.hasFloatUpsertKey()) {
      return semantics.withFloatUpsertKey(setting.backend() == Setting.Backend.HEAP);
    }
    return setting.hasUpsertKey() ? semantics.withUpsertKey() : semantics;
  }

  private static Schema schema(Setting setting) {
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < setting.columns().size(); i++) {
      schema.addField(Field.nullable(name(i), fieldType(setting.columns().get(i))));
    }
    return schema.build();
  }

  private static FieldType fieldType(ColumnType type) {
    return switch (type) {
      case INT -> FieldType.INT32;
      case BIGINT -> FieldType.INT64;
      case DOUBLE -> FieldType.DOUBLE;
      case STRING -> FieldType.STRING;
    };
  }

  private static List<String> names(List<Integer> columns) {
    return columns.stream().map(TidemarkUnderTest::name).toList();
  }

  private static String name(int column) {
    return "c" + column;
  }

  /** The changes of a shard that wait for their batch. */
  private static final class Shard {
    private final int number;
    private final InMemoryShardState state;
    private final KeyedChanges.Builder builder = KeyedChanges.builder();
    private final List<Integer> positions = new ArrayList<>();
    private final List<Event.Change> pending = new ArrayList<>();

    private Shard(int number, InMemoryShardState state) {
      this.number = number;
      this.state = state;
    }
  }
}
