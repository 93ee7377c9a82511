package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardState;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.candidates.testing.InMemoryShardImages;
import dev.tidemark.candidates.testing.InMemoryShardState;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.state.ValueState;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Fails and takes back the steps by which a shard is exported and takes over an image. */
@RunWith(JUnit4.class)
public class ShardMoverTest {
  private static final byte[] KEY = {1};

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private Path directory;
  private final InMemoryShardState exported = InMemoryShardState.ordered();

  /** A cell of the runner's state. */
  private static final class Cell implements ValueState<String> {
    @Nullable String value;

    @Override
    public void clear() {
      value = null;
    }

    @Override
    public void write(String input) {
      value = input;
    }

    @Override
    public @Nullable String read() {
      return value;
    }

    @Override
    public ValueState<String> readLater() {
      return this;
    }
  }

  /** Images whose writing fails after some records. */
  private static final class FailingProvider implements CandidateStoreProvider {
    private final int records;

    FailingProvider(int records) {
      this.records = records;
    }

    @Override
    public boolean inMemory() {
      return true;
    }

    @Override
    public CandidateStore open(CandidateStoreOptions options) {
      return InMemoryCandidateStore.create();
    }

    @Override
    public ShardImages images() {
      ShardImages images = new InMemoryShardImages();
      return new ShardImages() {
        @Override
        public Records readFrom(int shard, ShardState state) {
          return images.readFrom(shard, state);
        }

        @Override
        public Records readFrom(InputStream in) throws IOException {
          return images.readFrom(in);
        }

        @Override
        public Sink writeTo(int shard, ShardState state) {
          return failing(images.writeTo(shard, state));
        }

        @Override
        public Sink writeTo(OutputStream out) throws IOException {
          return failing(images.writeTo(out));
        }
      };
    }

    private ShardImages.Sink failing(ShardImages.Sink sink) {
      return new ShardImages.Sink() {
        private int left = records;

        @Override
        public void put(byte[] key, byte[] value) throws IOException {
          if (left-- == 0) {
            throw new IOException("injected");
          }
          sink.put(key, value);
        }

        @Override
        public void close() throws IOException {
          sink.close();
        }
      };
    }
  }

  private CandidateSettings settings(CandidateStoreProvider provider, StateMoves moves) {
    return CandidateSettings.builder()
        .semantics(UpsertSemantics.of(UpsertStrategy.MAP))
        .shards(1)
        .moves(moves)
        .provider(provider)
        .build();
  }

  private ShardMover exporter(CandidateStoreProvider provider) {
    return ShardMover.of(settings(provider, StateMoves.NONE.withTo(directory.toString())));
  }

  private ShardMover importer(CandidateStoreProvider provider) {
    return ShardMover.of(
        settings(provider, StateMoves.NONE.withFrom(directory.toString())).resolved());
  }

  private static CandidateStoreProvider provider() {
    return new InMemoryProvider();
  }

  @Before
  public void prepare() throws IOException {
    directory = temp.newFolder().toPath();
    add(exported, "a");
    add(exported, "b");
  }

  private void add(ShardState state, String payload) {
    CandidateWorker worker = CandidateWorker.open(settings(provider(), StateMoves.NONE));
    KeyedChanges.Builder builder = KeyedChanges.builder();
    builder.add(ChangeKind.INSERT, KEY, null, payload.getBytes(UTF_8), true, new byte[0]);
    worker.process(0, state, builder.build());
    worker.close();
  }

  private void export() throws IOException {
    ShardExport export = exporter(provider()).export(0, exported);
    StateDirectory.of(directory.toString())
        .writeManifest(StateManifest.of("MAP", 0, "", ImmutableList.of(export)));
  }

  private static List<String> records(ShardState state) throws IOException {
    ShardImages.Records records = new InMemoryShardImages().readFrom(0, state);
    List<String> all = new ArrayList<>();
    while (records.next()) {
      all.add(
          HexFormat.of().formatHex(records.key())
              + "="
              + HexFormat.of().formatHex(records.value()));
    }
    return all;
  }

  @Test
  public void exportThatFailsAnywhereLeavesNoExportAndTheNextIsWhole() throws IOException {
    for (int failAfter = 0; failAfter < records(exported).size(); failAfter++) {
      ShardMover mover = exporter(new FailingProvider(failAfter));
      assertThrows(IOException.class, () -> mover.export(0, exported));
      assertThrows(
          IllegalArgumentException.class,
          () -> StateDirectory.of(directory.toString()).readManifest());
    }
    export();
    InMemoryShardState state = InMemoryShardState.ordered();
    importer(provider()).importIfNew(0, state, new Cell());

    assertThat(records(state), equalTo(records(exported)));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.count(), is(1L + records(exported).size() + 1));
    }
  }

  @Test
  public void importThatFailsAnywhereIsTakenBackAndRepeated() throws IOException {
    export();
    InMemoryShardState state = InMemoryShardState.ordered();
    Cell origin = new Cell();
    for (int failAfter = 0; failAfter < records(exported).size(); failAfter++) {
      InMemoryShardState.Snapshot before = state.snapshot();
      ShardMover mover = importer(new FailingProvider(failAfter));
      assertThrows(IOException.class, () -> mover.importIfNew(0, state, origin));
      assertThat(state.header() == null, is(true));
      assertThat(origin.read() == null, is(true));
      state.restore(before);
    }
    importer(provider()).importIfNew(0, state, origin);

    assertThat(records(state), equalTo(records(exported)));
  }

  @Test
  public void shardTakesItsImageOverOnceAndAgainAfterItWasTakenBack() throws IOException {
    export();
    InMemoryShardState state = InMemoryShardState.ordered();
    InMemoryShardState.Snapshot beginning = state.snapshot();
    Cell origin = new Cell();
    importer(provider()).importIfNew(0, state, origin);
    add(state, "c");
    List<String> grown = records(state);
    importer(provider()).importIfNew(0, state, origin);
    assertThat(records(state), equalTo(grown));

    state.restore(beginning);
    origin.clear();
    importer(provider()).importIfNew(0, state, origin);
    assertThat(records(state), equalTo(records(exported)));
  }

  @Test
  public void shardThatBeganOtherwiseIsRefused() throws IOException {
    export();
    InMemoryShardState state = InMemoryShardState.ordered();
    add(state, "c");
    ShardMover mover = importer(provider());

    Exception e =
        assertThrows(IllegalStateException.class, () -> mover.importIfNew(0, state, new Cell()));
    assertThat(e.getMessage(), containsString("Cannot begin shard 0"));
    assertThat(e.getMessage(), containsString("which began with nothing"));
    Cell other = new Cell();
    other.write("another");
    e = assertThrows(IllegalStateException.class, () -> mover.importIfNew(0, state, other));
    assertThat(e.getMessage(), containsString("which began with export another"));
  }

  @Test
  public void exportThatWasReplacedAfterThePipelineWasBuiltIsRefused() throws IOException {
    export();
    ShardMover mover = importer(provider());
    export();

    Exception e =
        assertThrows(
            IllegalStateException.class,
            () -> mover.importIfNew(0, InMemoryShardState.ordered(), new Cell()));
    assertThat(e.getMessage(), containsString("and was"));
  }

  @Test
  public void shardThatWasNeverUsedIsExportedAndTakenOver() throws IOException {
    ShardExport export = exporter(provider()).export(0, InMemoryShardState.ordered());
    StateDirectory.of(directory.toString())
        .writeManifest(StateManifest.of("MAP", 0, "", ImmutableList.of(export)));
    InMemoryShardState state = InMemoryShardState.ordered();
    importer(provider()).importIfNew(0, state, new Cell());

    assertThat(export.records(), is(0L));
    assertThat(state.header() == null, is(false));
    add(state, "a");
    assertThat(records(state).size(), is(3));
  }
}
