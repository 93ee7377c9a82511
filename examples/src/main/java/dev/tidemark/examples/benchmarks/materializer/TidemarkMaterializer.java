package dev.tidemark.examples.benchmarks.materializer;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.Emissions;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.UpsertMaterializer;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.upsert.KeyEncoding;
import dev.tidemark.upsert.RowEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Tidemark's materializer on its store on RocksDB.
 *
 * <p>Rows are prepared as bytes of key, upsert key and row. Measured are: to find the shard of each
 * and pack it into the batch of that shard, to process a batch when it has a thousand changes, and
 * to add its journal to the state, which is a list in memory here. Not measured, as with the
 * others: to bring rows into their binary form, and what becomes of the rows that are emitted.
 *
 * <p>With {@code rows} that is measured, too: changes are prepared as rows of Beam, and rows of
 * Beam are made of what is emitted. That is the work of the transform, without a pipeline.
 */
final class TidemarkMaterializer implements Contestant {
  private static final int SHARDS = 128;
  private static final int MAX_BATCH = 1_000;
  private static final int PAYLOAD = 2;
  private static final byte[] NOTHING = new byte[0];
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt32Field("key")
          .addInt64Field("upsert_key")
          .addStringField("payload")
          .addInt64Field("version")
          .build();

  private final int payloadLength;
  private final boolean withRows;
  private final RowEncoding rows = RowEncoding.of(SCHEMA);
  private final KeyEncoding sinkKeys = KeyEncoding.ofSinkKey(SCHEMA, List.of("key"));
  private final KeyEncoding upsertKeys = KeyEncoding.ofUpsertKey(SCHEMA, List.of("upsert_key"));
  private final CandidateStore store;
  private final UpsertMaterializer materializer =
      UpsertMaterializer.of(UpsertSemantics.of(UpsertStrategy.ADAPTIVE).withUpsertKey());
  private final HeldState[] states = new HeldState[SHARDS];
  private final KeyedChanges.Builder[] builders = new KeyedChanges.Builder[SHARDS];
  private final List<Prepared> prepared = new ArrayList<>();
  private long emitted;

  private TidemarkMaterializer(int payloadLength, boolean withRows, CandidateStore store) {
    this.payloadLength = payloadLength;
    this.withRows = withRows;
    this.store = store;
    for (int i = 0; i < SHARDS; i++) {
      states[i] = new HeldState();
      builders[i] = KeyedChanges.builder();
    }
  }

  /**
   * Runs one workload.
   *
   * @param args workload, length of payloads, factor of rows, memory in MiB, {@code bytes} or
   *     {@code rows}
   */
  public static void main(String[] args) throws Exception {
    int payloadLength = Integer.parseInt(args[1]);
    boolean withRows = args[4].equals("rows");
    CandidateStoreOptions options =
        CandidateStoreOptions.defaults().withMemoryBytes(Long.parseLong(args[3]) << 20);
    CandidateStoreProvider provider =
        ServiceLoader.load(CandidateStoreProvider.class).findFirst().orElseThrow();
    Measurement.run(
        Workload.ofLabel(args[0]),
        Double.parseDouble(args[2]),
        () -> new TidemarkMaterializer(payloadLength, withRows, provider.open(options)));
  }

  @Override
  public void prepare(RowChange change) {
    Row row =
        Row.withSchema(SCHEMA)
            .attachValues(
                change.key(),
                change.upsertKey(),
                change.payload(payloadLength),
                (long) change.version());
    prepared.add(withRows ? new Prepared(change.kind(), row) : encode(change.kind(), row));
  }

  private Prepared encode(ChangeKind kind, Row row) {
    return new Prepared(kind, sinkKeys.encode(row), upsertKeys.encode(row), rows.encode(row));
  }

  @Override
  public void process() {
    for (Prepared each : prepared) {
      Prepared row = each.row == null ? each : encode(each.kind, each.row);
      int shard = Math.floorMod(Arrays.hashCode(row.key), SHARDS);
      builders[shard].add(row.kind, row.key, row.upsertKey, row.payload, true, NOTHING);
      if (builders[shard].size() == MAX_BATCH) {
        process(shard);
      }
    }
    prepared.clear();
  }

  @Override
  public void finish() {
    for (int i = 0; i < SHARDS; i++) {
      if (builders[i].size() > 0) {
        process(i);
      }
    }
  }

  @Override
  public long emitted() {
    return emitted;
  }

  @Override
  public long stateBytes() {
    return Arrays.stream(states).mapToLong(HeldState::bytes).sum();
  }

  @Override
  public void close() {
    store.close();
  }

  private void process(int shard) {
    KeyedChanges changes = builders[shard].build();
    ShardRecords records = store.begin(shard, states[shard]);
    Emissions emissions = materializer.process(records, changes, 0);
    for (int i = 0; i < changes.size(); i++) {
      if (emissions.kind(i) != null) {
        emitted++;
        if (withRows) {
          // Looked at, or the compiler could leave out what makes it.
          Objects.requireNonNull(decode(changes, emissions.retained(i), i).getValue(PAYLOAD));
        }
      }
    }
    records.commit();
  }

  private Row decode(KeyedChanges changes, byte @Nullable [] retained, int index) {
    return retained == null
        ? rows.decode(changes.data(), changes.payloadOffset(index), changes.payloadLength(index))
        : rows.decode(retained);
  }

  private static final class Prepared {
    private final ChangeKind kind;

    /** Null if bytes are prepared. */
    private final @Nullable Row row;

    private final byte[] key;
    private final byte[] upsertKey;
    private final byte[] payload;

    private Prepared(ChangeKind kind, Row row) {
      this.kind = kind;
      this.row = row;
      this.key = NOTHING;
      this.upsertKey = NOTHING;
      this.payload = NOTHING;
    }

    private Prepared(ChangeKind kind, byte[] key, byte[] upsertKey, byte[] payload) {
      this.kind = kind;
      this.row = null;
      this.key = key;
      this.upsertKey = upsertKey;
      this.payload = payload;
    }
  }
}
