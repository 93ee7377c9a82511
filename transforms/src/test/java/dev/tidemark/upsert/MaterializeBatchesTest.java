package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.Shards;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class MaterializeBatchesTest {
  private static final UpsertSemantics SEMANTICS =
      UpsertSemantics.of(UpsertStrategy.ADAPTIVE)
          .withUpsertKey()
          .withThresholds(9, 5)
          .withDescription("test");
  private static final MaterializeBatches BATCHES = MaterializeBatches.of(SEMANTICS, 8);

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static KeyedChanges changes(Object... kindsIdsAndPayloads) {
    KeyedChanges.Builder builder = KeyedChanges.builder();
    for (int i = 0; i < kindsIdsAndPayloads.length; i += 3) {
      builder.add(
          (ChangeKind) kindsIdsAndPayloads[i],
          bytes("key"),
          bytes((String) kindsIdsAndPayloads[i + 1]),
          bytes((String) kindsIdsAndPayloads[i + 2]),
          true,
          bytes("context" + i));
    }
    return builder.build();
  }

  private PCollection<KV<Integer, KeyedChanges>> feed(int shard, KeyedChanges changes) {
    return pipeline.apply(
        TestStream.create(KvCoder.of(VarIntCoder.of(), KeyedChangesCoder.of()))
            .addElements(KV.of(shard, changes))
            .advanceWatermarkToInfinity());
  }

  @Test
  public void batchSaysWhatEachChangeEmits() {
    PCollection<MaterializedBatch> batches =
        feed(
                3,
                changes(
                    ChangeKind.INSERT,
                    "1",
                    "a",
                    ChangeKind.INSERT,
                    "2",
                    "b",
                    ChangeKind.DELETE,
                    "2",
                    "b",
                    ChangeKind.DELETE,
                    "3",
                    "c",
                    ChangeKind.DELETE,
                    "1",
                    "a, at last"))
            .apply(BATCHES);
    PAssert.thatSingleton(batches)
        .satisfies(
            batch -> {
              assertThat(batch.changes().size(), is(5));
              assertThat(emitted(batch), is("+I own, +U own, +U a, -, -D own"));
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  private static String emitted(MaterializedBatch batch) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < batch.changes().size(); i++) {
      ChangeKind kind = batch.kind(i);
      byte @Nullable [] retained = batch.retained(i);
      text.append(i == 0 ? "" : ", ");
      if (kind == null) {
        text.append('-');
      } else {
        text.append(kind.symbol())
            .append(retained == null ? " own" : " " + new String(retained, UTF_8));
      }
    }
    return text.toString();
  }

  @Test
  public void shardThatIsNoneFails() {
    feed(8, changes(ChangeKind.INSERT, "1", "a")).apply(BATCHES);
    Pipeline.PipelineExecutionException e =
        assertThrows(Pipeline.PipelineExecutionException.class, pipeline::run);
    assertThat(e.getMessage(), containsString("Invalid shard: 8 (must be >= 0 and < 8)"));
  }

  /** Values of MurmurHash3's reference implementation; state depends on them. */
  @Test
  public void shardOfAKeyNeverChanges() {
    assertThat(Shards.hash(bytes(""), 0, 0), is(0));
    assertThat(Shards.hash(bytes("hello"), 0, 5), is(0x248bfa47));
    assertThat(
        MaterializeBatches.shardOf(bytes("hello, world"), 1_000),
        is(Integer.remainderUnsigned(0x149bbb7f, 1_000)));
  }

  @Test
  public void descriptionHoldsTheNumberOfShards() {
    assertThat(BATCHES.settings().semantics(true).description(), is("8 shards; test"));
  }

  @Test
  public void thresholdsAreThoseGiven() {
    UpsertSemantics semantics = BATCHES.settings().semantics(true);
    assertThat(semantics.high(), is(9));
    assertThat(semantics.low(), is(5));
  }

  @Test
  public void thresholdsOfUpsertsAreThoseOfTheStoreUnlessGiven() {
    CandidateSettings settings =
        BATCHES.settings().toBuilder().thresholdsOfStore(true).nanOfStore(true).build();
    assertThat(settings.semantics(true).high(), is(400));
    assertThat(settings.semantics(true).low(), is(300));
    assertThat(settings.semantics(false).high(), is(50));
    assertThat(settings.semantics(false).low(), is(40));
  }

  @Test
  public void nanIsComparedAsFlinkDoesOnSuchAStore() {
    CandidateSettings settings =
        BATCHES.settings().toBuilder()
            .semantics(SEMANTICS.withFloatUpsertKey(false))
            .nanOfStore(true)
            .build();
    assertThat(settings.semantics(true).nanNeverEqual(), is(true));
    assertThat(settings.semantics(false).nanNeverEqual(), is(false));
  }

  @Test
  public void displayDataHasEachOption() {
    DisplayData data =
        DisplayData.from(
            MaterializeBatches.of(
                    SEMANTICS
                        .withTtlMillis(7)
                        .withSoftBound(2)
                        .withHardBound(3, UpsertSemantics.HardBound.FAIL),
                    8)
                .withStoreMemory(1 << 20)
                .withStoreDirectory("/tmp/candidates"));
    assertThat(
        data.items().stream()
            .map(item -> item.getKey() + "=" + item.getValue())
            .sorted()
            .toList()
            .toString(),
        is(
            "[hardBound=3, shards=8, softBound=2, storeDirectory=/tmp/candidates, storeMemory=1048576,"
                + " strategy=ADAPTIVE, thresholdHigh=9, thresholdLow=5, timeToLiveMillis=7]"));
  }
}
