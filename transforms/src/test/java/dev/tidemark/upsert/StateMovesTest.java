package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.candidates.testing.InMemoryShardImages;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import dev.tidemark.change.LogPosition.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Exports the state of pipelines, re-shards it, and lets other pipelines go on with it. */
@RunWith(JUnit4.class)
public class StateMovesTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("customer")
          .addInt64Field("order")
          .addStringField("note")
          .build();

  private static final int BUNDLE = 15;

  /** Outputs of the pipeline that ran last, by the position of the change that caused them. */
  private static final Map<Long, String> OUTPUTS = new ConcurrentSkipListMap<>();

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private final List<Change> changes = new ArrayList<>();
  private Path exported;

  @Before
  public void prepare() throws IOException {
    exported = temp.newFolder("exported").toPath();
    Random random = new Random(4);
    List<Row> rows = new ArrayList<>();
    for (long i = 0; i < 240; i++) {
      boolean adds = rows.isEmpty() || random.nextInt(3) > 0;
      long customer = random.nextBoolean() ? 0 : random.nextInt(12);
      Row row = Row.withSchema(SCHEMA).addValues(customer, i, "note " + i).build();
      if (adds) {
        rows.add(row);
      } else {
        row = rows.remove(random.nextInt(rows.size()));
      }
      changes.add(
          Change.of(adds ? ChangeKind.INSERT : ChangeKind.DELETE, row)
              .withPosition(LogPosition.of(i + 1, Step.ADD, 0)));
    }
  }

  private static final class OutputFn extends DoFn<Change, Void> {
    @ProcessElement
    public void process(@Element Change change) {
      String before =
          OUTPUTS.put(
              change.position().lsn(), change.kind().symbol() + change.row().getString("note"));
      assertThat(String.valueOf(before), before == null, is(true));
    }
  }

  private static MaterializeUpserts upserts(int shards) {
    return MaterializeUpserts.create()
        .withSinkKey("customer")
        .withUpsertKey("order")
        .withThresholds(4, 2)
        .withShards(shards)
        .withStoreProvider(new InMemoryProvider());
  }

  /** Runs changes through a pipeline; its end is that of the input. */
  private PipelineResult run(int from, int to, MaterializeUpserts upserts) {
    OUTPUTS.clear();
    TestStream.Builder<Change> stream =
        TestStream.create(ChangeCoder.of(SCHEMA)).advanceWatermarkTo(Instant.EPOCH);
    for (int i = from; i < to; i += BUNDLE) {
      List<TimestampedValue<Change>> bundle = new ArrayList<>();
      for (int j = i; j < Math.min(to, i + BUNDLE); j++) {
        bundle.add(TimestampedValue.of(changes.get(j), Instant.ofEpochMilli(j)));
      }
      stream = stream.addElements(bundle.get(0), rest(bundle));
    }
    Pipeline pipeline = Pipeline.create();
    pipeline
        .apply(stream.advanceWatermarkToInfinity())
        .apply("Upserts", upserts)
        .changes()
        .apply("Output", ParDo.of(new OutputFn()));
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  @SuppressWarnings("unchecked") // arrays of generic types cannot be made otherwise
  private static TimestampedValue<Change>[] rest(List<TimestampedValue<Change>> bundle) {
    return (TimestampedValue<Change>[])
        bundle.subList(1, bundle.size()).toArray(new TimestampedValue<?>[0]);
  }

  private static long counter(PipelineResult result, String name) {
    return Iterables.getOnlyElement(
            result
                .metrics()
                .queryMetrics(
                    MetricsFilter.builder()
                        .addNameFilter(MetricNameFilter.named(MaterializeUpserts.class, name))
                        .build())
                .getCounters())
        .getAttempted();
  }

  private Path reshard(Path from, int shards) throws IOException {
    Path to = temp.newFolder().toPath();
    UpsertStates.reshard(from.toString(), to.toString(), shards, new InMemoryShardImages());
    return to;
  }

  private void export(int shards) {
    run(0, 120, upserts(shards).withExport(exported.toString()));
  }

  private void assertGoesOn(MaterializeUpserts first, MaterializeUpserts second)
      throws IOException {
    run(0, 240, first);
    Map<Long, String> undisturbed = new TreeMap<>(OUTPUTS);
    PipelineResult result = run(0, 120, first.withExport(exported.toString()));
    assertThat(counter(result, "exportedShards"), is(8L));
    Map<Long, String> outputs = new TreeMap<>(OUTPUTS);
    for (int shards : new int[] {5, 13}) {
      Path resharded = reshard(exported, shards);
      result = run(120, 240, second.withShards(shards).withInitialState(resharded.toString()));
      assertThat(counter(result, "importedShards"), is((long) shards));
      Map<Long, String> all = new TreeMap<>(outputs);
      all.putAll(OUTPUTS);
      assertThat(all, is(undisturbed));
    }
  }

  @Test
  public void stateGoesOnInOtherShards() throws IOException {
    assertGoesOn(upserts(8), upserts(8));
  }

  @Test
  public void sortedStateGoesOnInOtherShards() throws IOException {
    MaterializeUpserts sorted = upserts(8).withOrderByPosition();
    assertGoesOn(sorted, sorted);
  }

  @Test
  public void stateGoesOnAcrossTwoExports() throws IOException {
    run(0, 240, upserts(3));
    Map<Long, String> undisturbed = new TreeMap<>(OUTPUTS);
    Path second = temp.newFolder().toPath();
    export(3);
    Map<Long, String> all = new TreeMap<>(OUTPUTS);
    run(120, 180, upserts(3).withInitialState(exported.toString()).withExport(second.toString()));
    all.putAll(OUTPUTS);
    run(180, 240, upserts(6).withInitialState(reshard(second, 6).toString()));
    all.putAll(OUTPUTS);

    assertThat(all, is(undisturbed));
  }

  @Test
  public void missingImageIsNeverAnEmptyShard() throws IOException {
    export(3);
    Files.delete(image(1));

    Exception e =
        assertThrows(
            Pipeline.PipelineExecutionException.class,
            () -> run(120, 121, upserts(3).withInitialState(exported.toString())));
    assertThat(e.getCause().getMessage(), containsString("Cannot read shard 1 of the export"));
    e = assertThrows(IllegalStateException.class, () -> reshard(exported, 2));
    assertThat(e.getMessage(), containsString("Cannot read shard 1 of the export"));
  }

  @Test
  public void imageOfAnotherShardIsRefused() throws IOException {
    export(2);
    Files.copy(image(0), image(1), StandardCopyOption.REPLACE_EXISTING);

    Exception e =
        assertThrows(
            Pipeline.PipelineExecutionException.class,
            () -> run(120, 121, upserts(2).withInitialState(exported.toString())));
    assertThat(e.getCause().getMessage(), containsString("it has a key of shard 0"));
    assertThrows(CorruptStateException.class, () -> reshard(exported, 3));
  }

  @Test
  public void imageWithRecordsOfAnotherNumberIsRefused() throws IOException {
    export(1);
    String json = Files.readString(exported.resolve("manifest.json"));
    Files.writeString(
        exported.resolve("manifest.json"),
        json.replaceAll("\"records\" : \\d+", "\"records\" : 1"));

    Exception e =
        assertThrows(
            Pipeline.PipelineExecutionException.class,
            () -> run(120, 121, upserts(1).withInitialState(exported.toString())));
    assertThat(e.getCause().getMessage(), containsString("and the manifest says 1"));
    assertThrows(IllegalStateException.class, () -> reshard(exported, 3));
  }

  private Path image(int shard) throws IOException {
    try (Stream<Path> files = Files.list(exported)) {
      return files
          .filter(file -> file.toString().contains(String.format("shard-%05d-", shard)))
          .findFirst()
          .orElseThrow();
    }
  }

  private void assertRefused(MaterializeUpserts upserts, String... texts) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> run(0, 1, upserts));
    for (String text : texts) {
      assertThat(e.getMessage(), containsString(text));
    }
  }

  @Test
  public void exportOfOtherSettingsIsRefusedByName() {
    export(2);
    String directory = exported.toString();
    assertRefused(
        upserts(3).withInitialState(directory),
        "it has 2 shards, and the transform has 3",
        "UpsertStates.reshard");
    assertRefused(
        upserts(2).withUpsertKey("order", "note").withInitialState(directory),
        "it belongs to [",
        "order");
    assertRefused(
        upserts(2).withStrategy(UpsertStrategy.MAP).withInitialState(directory),
        "was kept by strategy [ADAPTIVE], and the transform is now [MAP]");
    assertRefused(
        upserts(2).withTimeToLive(Duration.millis(5)).withInitialState(directory),
        "was kept with a time to live of (ms) [0], and the transform is now [5]");
  }

  @Test
  public void nothingIsExportedOverAnExport() {
    export(2);
    assertRefused(upserts(2).withExport(exported.toString()), "there is an export already");
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                UpsertStates.reshard(
                    exported.toString(), exported.toString(), 3, new InMemoryShardImages()));
    assertThat(e.getMessage(), containsString("there is an export already"));
  }

  @Test
  public void directoryWithoutManifestIsNoExport() {
    assertRefused(upserts(2).withInitialState(exported.toString()), "it has no manifest");
  }

  @Test
  public void insertOnlyHasNoStateToMove() {
    assertRefused(upserts(2).withInsertOnly().withExport(exported.toString()), "withInsertOnly()");
  }

  @Test
  public void reshardingThatFailsCanBeRepeatedInTheSameDirectory() throws IOException {
    export(2);
    Path to = temp.newFolder().toPath();
    byte[] whole = Files.readAllBytes(image(1));
    Files.write(image(1), Arrays.copyOf(whole, whole.length - 2));
    InMemoryShardImages images = new InMemoryShardImages();
    assertThrows(
        CorruptStateException.class,
        () -> UpsertStates.reshard(exported.toString(), to.toString(), 3, images));
    assertThat(Files.exists(to.resolve("manifest.json")), is(false));

    Files.write(image(1), whole);
    UpsertStates.reshard(exported.toString(), to.toString(), 3, images);
    assertThat(StateDirectory.of(to.toString()).readManifest().shards(), is(3));
  }

  private static final StateManifest MANIFEST =
      StateManifest.of(
          "MAP",
          5,
          "key \"a\nb\"",
          ImmutableList.of(ShardExport.of(0, "x.image", 7), ShardExport.of(1, "y.image", 0)));

  private static final String JSON =
      """
      {
        "version" : 1,
        "id" : "%s",
        "shards" : 2,
        "strategy" : "MAP",
        "timeToLiveMillis" : 5,
        "description" : "key \\"a\\nb\\"",
        "images" : [ {
          "file" : "x.image",
          "records" : 7
        }, {
          "file" : "y.image",
          "records" : 0
        } ]
      }"""
          .formatted(MANIFEST.id());

  @Test
  public void manifestIsThatOfVersionOne() {
    assertThat(new String(MANIFEST.toJson(), UTF_8), is(JSON));
    assertThat(StateManifest.parse("d", JSON.getBytes(UTF_8)), is(MANIFEST));
    assertThat(MANIFEST.id(), is("c372a3ab-aba3-3ee5-b419-3f0626c16d07"));
  }

  @Test
  public void manifestThatWasChangedIsRefused() {
    for (String[] change :
        new String[][] {
          {"\"version\" : 1", "\"version\" : 2"},
          {"\"shards\" : 2", "\"shards\" : 3"},
          {"\"shards\" : 2", "\"shards\" : \"2\""},
          {"x.image", "z.image"},
          {"x.image", "../x.image"},
          {"\"records\" : 7", "\"records\" : -7"},
          {"\"description\"", "\"text\""},
          {"} ]\n}", "}"}
        }) {
      String changed = JSON.replace(change[0], change[1]);
      Exception e =
          assertThrows(
              IllegalStateException.class, () -> StateManifest.parse("d", changed.getBytes(UTF_8)));
      assertThat(e.getMessage(), containsString("Cannot read the manifest in d: it"));
    }
  }

  @Test
  public void exportOfAShardIsEncodedAsInVersionOne() throws IOException {
    ShardExport export = ShardExport.of(300, "x", 5);
    byte[] bytes = CoderUtils.encodeToByteArray(ShardExport.CODER, export);
    assertThat(HexFormat.of().formatHex(bytes), is("01" + "ac02" + "0178" + "05"));
    assertThat(CoderUtils.decodeFromByteArray(ShardExport.CODER, bytes), is(export));
    bytes[0] = 2;
    assertThrows(
        CoderException.class, () -> CoderUtils.decodeFromByteArray(ShardExport.CODER, bytes));
  }
}
