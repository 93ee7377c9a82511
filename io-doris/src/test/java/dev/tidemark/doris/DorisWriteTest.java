package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchCoder;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.doris.emulator.TransactionState;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Instant;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Writes of each kind of element, bounded and streaming, end in the right table. */
@RunWith(JUnit4.class)
public class DorisWriteTest {
  @Rule public final transient TestPipeline pipeline = TestPipeline.fromOptions(oneThread());

  private Shop shop;

  private static PipelineOptions oneThread() {
    return PipelineOptionsFactory.fromArgs("--targetParallelism=1").create();
  }

  @Before
  public void open() {
    shop = Shop.open();
  }

  @After
  public void close() {
    assertThat(shop.doris.violations(), empty());
    shop.close();
    assertThat(ArrowAllocators.outstandingBytes(), is(0L));
  }

  private static PCollection<Long> rowsOf(DorisWriteResult result) {
    return result
        .loads()
        .apply(MapElements.into(TypeDescriptors.longs()).via(DorisLoad::rows))
        .apply(Sum.longsGlobally());
  }

  @Test
  public void boundedRowsAreUpserted() {
    DorisWriteResult result =
        pipeline
            .apply(
                Create.of(Shop.order(1, "a", 10), Shop.order(2, null, 20), Shop.order(3, "c", 30))
                    .withRowSchema(Shop.SCHEMA))
            .apply(shop.write());
    PAssert.thatSingleton(rowsOf(result)).isEqualTo(3L);
    PAssert.that(result.failed()).empty();
    pipeline.run();
    assertThat(shop.orders(), is(Map.of(1L, "a 10", 2L, "null 20", 3L, "c 30")));
  }

  private TestStream<Change> changes(Change... changes) {
    TestStream.Builder<Change> stream = TestStream.create(ChangeCoder.of(Shop.SCHEMA));
    long millis = 0;
    for (Change change : changes) {
      stream = stream.addElements(TimestampedValue.of(change, Instant.ofEpochMilli(millis++)));
    }
    return stream.advanceWatermarkToInfinity();
  }

  private void streamOfChangesEndsAsItsLastChanges(DeliveryMode mode) {
    DorisWriteResult result =
        pipeline
            .apply(
                changes(
                    Shop.upsert(1, "a", 1),
                    Shop.upsert(2, "b", 2),
                    Change.of(ChangeKind.UPDATE_BEFORE, Shop.order(2, "b", 2)),
                    Shop.upsert(2, "b2", 3),
                    Shop.upsert(3, "c", 4),
                    Shop.delete(1)))
            .apply(shop.write().withDelivery(mode).withShards(2));
    PAssert.that(result.failed()).empty();
    pipeline.run();
    assertThat(shop.orders(), is(Map.of(2L, "b2 3", 3L, "c 4")));
    assertThat(shop.openTransactions(), empty());
  }

  @Test
  public void streamOfChangesEndsAsItsLastChangesByLabels() {
    streamOfChangesEndsAsItsLastChanges(DeliveryMode.LABELS);
  }

  @Test
  public void streamOfChangesEndsAsItsLastChangesInTwoPhases() {
    streamOfChangesEndsAsItsLastChanges(DeliveryMode.TWO_PHASE_COMMIT);
    assertThat(
        shop.transactions(TransactionState.VISIBLE).stream().allMatch(info -> info.twoPhase()),
        is(true));
  }

  @Test
  public void batchesOfChangesAreForwarded() {
    pipeline
        .apply(
            Create.of(
                    batch(Shop.upsert(1, "a", 1), Shop.upsert(2, "b", 2), Shop.upsert(3, "c", 3)),
                    batch(Shop.upsert(4, "d", 4)))
                .withCoder(ChangeBatchCoder.of()))
        .apply(shop.write().withShards(1));
    pipeline.run();
    assertThat(shop.orders(), is(Map.of(1L, "a 1", 2L, "b 2", 3L, "c 3", 4L, "d 4")));
    assertThat(shop.transactions(TransactionState.VISIBLE), hasSize(1));
  }

  @Test
  public void batchWithDeletesAndRepeatedKeysIsCutByShard() {
    pipeline
        .apply(
            Create.of(
                    batch(
                        Shop.upsert(1, "a", 1),
                        Shop.upsert(2, "b", 2),
                        Shop.upsert(3, "c", 3),
                        Change.of(ChangeKind.UPDATE_BEFORE, Shop.order(3, "c", 3)),
                        Shop.upsert(3, "c2", 4),
                        Shop.delete(1)))
                .withCoder(ChangeBatchCoder.of()))
        .apply(shop.write().withShards(3));
    pipeline.run();
    assertThat(shop.orders(), is(Map.of(2L, "b 2", 3L, "c2 4")));
  }

  private static ChangeBatch batch(Change... changes) {
    return Batches.of(Shop.SCHEMA, changes);
  }

  @Test
  public void rowsGoToTheTablesThatTheyName() {
    shop.doris.createTable(
        "CREATE TABLE shop.small (id BIGINT NOT NULL, name VARCHAR(40), amount INT NOT NULL)"
            + " UNIQUE KEY(id)");
    DorisTable small = DorisTable.of("shop", "small").withKey("id");
    DorisTable missing = DorisTable.of("shop", "missing").withKey("id");
    DorisWriteResult result =
        pipeline
            .apply(
                Create.of(Shop.order(1, "a", 1), Shop.order(2, "b", 200), Shop.order(3, "x", -1))
                    .withRowSchema(Shop.SCHEMA))
            .apply(
                shop.write()
                    .to(
                        (Row row) ->
                            row.getInt32("amount") < 0
                                ? missing
                                : row.getInt32("amount") < 100 ? small : Shop.ORDERS));
    PAssert.that(
            result
                .failed()
                .apply(
                    MapElements.into(TypeDescriptors.booleans())
                        .via(bad -> bad.getFailure().getDescription().contains("shop.missing"))))
        .containsInAnyOrder(true);
    pipeline.run();
    assertThat(shop.orders(), is(Map.of(2L, "b 200")));
    assertThat(shop.doris.rows("shop", "small"), hasSize(1));
  }
}
