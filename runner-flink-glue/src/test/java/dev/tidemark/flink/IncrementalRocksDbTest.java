package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.upsert.MaterializeUpserts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.Row;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.contrib.streaming.state.EmbeddedRocksDBStateBackend;
import org.apache.flink.contrib.streaming.state.RocksDBConfigurableOptions;
import org.apache.flink.contrib.streaming.state.RocksDBStateBackend;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.filesystem.FsStateBackend;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.RocksDB;

@RunWith(JUnit4.class)
public class IncrementalRocksDbTest {
  private static final Schema SCHEMA =
      Schema.builder().addInt64Field("id").addByteArrayField("body").build();
  private static final int KEYS = 2_000;
  private static final int BODY_BYTES = 2_000;
  private static final AtomicLong INSERTS = new AtomicLong();
  private static final AtomicLong UPDATES = new AtomicLong();

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private EmbeddedFlink flink;
  private final List<JobID> started = new ArrayList<>();

  @Before
  public void reset() throws Exception {
    Crashes.reset();
    IdSource.release();
    INSERTS.set(0);
    UPDATES.set(0);
    flink = EmbeddedFlink.start();
  }

  @After
  public void stop() {
    IdSource.release();
    flink.close();
  }

  private static StateBackend create(String... args) {
    return new IncrementalRocksDb()
        .createStateBackend(PipelineOptionsFactory.fromArgs(args).as(TidemarkFlinkOptions.class));
  }

  /** All ids add a row with incompressible bytes to one of the keys. */
  private static final class RowFn extends DoFn<Long, Change> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Change> out) {
      byte[] body = new byte[BODY_BYTES];
      new Random(id).nextBytes(body);
      out.output(
          Change.of(ChangeKind.INSERT, Row.withSchema(SCHEMA).addValues(id % KEYS, body).build()));
    }
  }

  private static final class CountFn extends DoFn<Change, Void> {
    @ProcessElement
    public void process(@Element Change change) {
      Crashes.point("emitted");
      (change.kind() == ChangeKind.INSERT ? INSERTS : UPDATES).incrementAndGet();
    }
  }

  private JobID run(TidemarkFlinkOptions options, long ids, long perSecond) throws Exception {
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Ids", Read.from(IdSource.of(ids, perSecond, false)))
        .apply("Rows", ParDo.of(new RowFn()))
        .setCoder(ChangeCoder.of(SCHEMA))
        .apply(
            "Upserts",
            MaterializeUpserts.create().withSinkKey("id").withUpsertKey("id").withShards(16))
        .changes()
        .apply("Count", ParDo.of(new CountFn()));
    JobID job = flink.submit(pipeline);
    started.add(job);
    return job;
  }

  @SuppressWarnings("deprecation") // the only option that takes an incremental backend
  private TidemarkFlinkOptions options() throws Exception {
    TidemarkFlinkOptions options = flink.options(2, 500);
    options.setStateBackendFactory(IncrementalRocksDb.class);
    options.setStateBackendStoragePath(temp.getRoot().toURI() + "checkpoints");
    options.setCandidateStoreMemoryMb(16);
    return options;
  }

  @Test
  public void checkpointsWriteWhatChangedAndRestoreAll() throws Exception {
    IdSource.holdBefore(KEYS);
    JobID job = run(options(), Long.MAX_VALUE, 4_000);
    flink.awaitCondition(job, () -> INSERTS.get() == KEYS, 60);
    flink.awaitCheckpoint(job);
    CompletedCheckpointStats idle = flink.awaitCheckpoint(job);
    System.out.printf(
        "rocksdb: %d bytes of state, %d written by a checkpoint without changes%n",
        idle.getStateSize(), idle.getCheckpointedSize());
    assertThat(flink.stateBackend(job), containsString("RocksDB"));
    assertThat(idle.getStateSize(), greaterThan((long) KEYS * BODY_BYTES));
    assertThat(idle.getCheckpointedSize(), lessThan(idle.getStateSize() / 4));

    Crashes.planNext("emitted");
    IdSource.holdBefore(KEYS + KEYS / 2);
    flink.awaitCondition(job, () -> Crashes.left() == 0 && UPDATES.get() >= KEYS / 2, 60);
    flink.awaitCheckpoint(job);
    String path = flink.awaitCheckpoint(job).getExternalPath();
    flink.cancel(job);
    assertThat("rows inserted again after the crash", INSERTS.get(), is((long) KEYS));

    TidemarkFlinkOptions again = options();
    again.setParallelism(3);
    again.setSavepointPath(path);
    UPDATES.set(0);
    IdSource.holdBefore(2 * KEYS);
    JobID restored = run(again, Long.MAX_VALUE, 4_000);
    flink.awaitCondition(restored, () -> UPDATES.get() >= KEYS / 2, 60);
    flink.cancel(restored);
    assertThat("rows inserted again after the restart", INSERTS.get(), is((long) KEYS));
  }

  @Test
  public void backendIsIncrementalWithoutAFolder() {
    EmbeddedRocksDBStateBackend backend = (EmbeddedRocksDBStateBackend) create();
    assertThat(backend.isIncrementalCheckpointsEnabled(), is(true));
    assertThat(backend.getRocksDBOptions(), instanceOf(ShardStateTuning.class));
  }

  @Test
  @SuppressWarnings("deprecation") // as in the factory
  public void folderOfTheOptionIsThatOfCheckpoints() {
    RocksDBStateBackend backend =
        (RocksDBStateBackend) create("--stateBackendStoragePath=file:///checkpoints");
    assertThat(backend.isIncrementalCheckpointsEnabled(), is(true));
    assertThat(backend.getRocksDBOptions(), instanceOf(ShardStateTuning.class));
    assertThat(
        ((FsStateBackend) backend.getCheckpointBackend()).getCheckpointPath().toString(),
        is("file:/checkpoints"));
  }

  @Test
  public void folderThatIsNoneIsNamed() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> create("--stateBackendStoragePath=checkpoints"));
    assertThat(
        e.getMessage(),
        containsString("Cannot keep checkpoints: option stateBackendStoragePath is checkpoints: "));
  }

  private static ColumnFamilyOptions tuned(Configuration cluster, List<AutoCloseable> toClose) {
    RocksDB.loadLibrary();
    ColumnFamilyOptions plain = new ColumnFamilyOptions();
    toClose.add(plain);
    return new ShardStateTuning().configure(cluster).createColumnOptions(plain, toClose);
  }

  private static void close(List<AutoCloseable> toClose) throws Exception {
    for (AutoCloseable each : toClose) {
      each.close();
    }
  }

  @Test
  public void filesAreTunedForLargeEntries() throws Exception {
    List<AutoCloseable> toClose = new ArrayList<>();
    ColumnFamilyOptions options = tuned(new Configuration(), toClose);
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    assertThat(table.blockSize(), is(ShardStateTuning.BLOCK_BYTES));
    assertThat(table.filterPolicy(), is(not(nullValue())));
    assertThat(options.levelCompactionDynamicLevelBytes(), is(true));
    close(toClose);
  }

  @Test
  public void configurationOfTheClusterGoesBefore() throws Exception {
    Configuration cluster = new Configuration();
    cluster.set(RocksDBConfigurableOptions.BLOCK_SIZE, MemorySize.ofMebiBytes(1));
    cluster.set(RocksDBConfigurableOptions.USE_BLOOM_FILTER, false);
    cluster.set(RocksDBConfigurableOptions.USE_DYNAMIC_LEVEL_SIZE, false);
    List<AutoCloseable> toClose = new ArrayList<>();
    ColumnFamilyOptions options = tuned(cluster, toClose);
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    assertThat(table.blockSize(), is(new BlockBasedTableConfig().blockSize()));
    assertThat(table.filterPolicy(), is(nullValue()));
    assertThat(options.levelCompactionDynamicLevelBytes(), is(false));
    close(toClose);
  }
}
