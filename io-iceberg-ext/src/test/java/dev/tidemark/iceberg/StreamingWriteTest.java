package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static dev.tidemark.iceberg.Warehouse.PLACED;
import static dev.tidemark.iceberg.Warehouse.order;
import static dev.tidemark.iceberg.WriteMetrics.counter;
import static dev.tidemark.iceberg.WriteMetrics.gauge;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.action.AdvanceNotice;
import dev.tidemark.finalization.LateAlert;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class StreamingWriteTest {
  private static final Duration CHECK = Duration.millis(200);
  private static final FinalizationOptions LAST_COMMIT =
      FinalizationOptions.defaults()
          .withPolicy(Policies.minOfMins(Lookback.of(1, Duration.ZERO)))
          .withLateDataListeners();
  private static final BlockingQueue<LateAlert> ALERTS = new LinkedBlockingQueue<>();
  private static final BlockingQueue<AdvanceNotice> NOTICES = new LinkedBlockingQueue<>();

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = Pipelines.onOneThread();

  private final Gate gate = new Gate();

  @Before
  public void forgetAlerts() {
    ALERTS.clear();
    NOTICES.clear();
  }

  @Test
  public void streamIsCommittedWhileItRuns() {
    Row first = order(1, "2024-05-01T10:30:00Z", "eu");
    Row second = order(2, "2024-05-01T11:30:00Z", "us");
    Row third = order(3, "2024-05-01T12:30:00Z", "us");

    IcebergWriteResult written =
        stream(checks(stream().addElements(first), Gate.row()), second, third)
            .apply(write("hour(placed)"));
    PAssert.that(
            written
                .commits()
                .apply(MapElements.into(TypeDescriptors.longs()).via(TableCommit::rows)))
        .containsInAnyOrder(1L, 2L);
    PAssert.that(written.failed()).empty();
    PAssert.that(written.advances()).empty();
    PipelineResult result = pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(first, second, third));
    assertThat(
        warehouse.snapshots(ORDERS_NAME).stream()
            .map(snapshot -> snapshot.summary().get("tidemark.committed"))
            .toList()
            .get(0),
        is("1"));
    assertThat(counter(result, "commits"), is(2L));
    assertThat(counter(result, "committedRows"), is(3L));
    assertThat(counter(result, "replayedCommits"), is(0L));
  }

  @Test
  public void lateBatchIsReportedByHourAndTheWatermarkHolds() throws Exception {
    IcebergWriteResult written =
        stream(
                checks(
                    stream()
                        .addElements(
                            order(1, "2024-05-01T10:30:00Z", "eu"),
                            order(2, "2024-05-01T11:45:00Z", "eu")),
                    Gate.row()),
                order(3, "2024-05-01T09:15:00Z", "eu"),
                order(4, "2024-05-01T09:59:59.999Z", "eu"),
                order(5, "2024-05-01T08:00:00Z", "eu"),
                order(6, "2024-05-01T10:00:00Z", "eu"))
            .apply(
                write()
                    .withEventTime(PLACED)
                    .withFinalization(
                        LAST_COMMIT.withLateDataListeners(alert -> ALERTS.add(alert))));
    PAssert.that(
            written
                .advances()
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(advance -> advance.before() + " to " + advance.finalizedUntil())))
        .containsInAnyOrder("null to 2024-05-01T10:00:00.000Z");
    PAssert.thatSingleton(written.late())
        .satisfies(
            late -> {
              assertThat(late.table(), is(ORDERS_NAME));
              assertThat(late.writer(), is(Warehouse.WRITER));
              assertThat(late.watermark(), is(Instant.parse("2024-05-01T10:00:00Z")));
              assertThat(late.width(), is(Duration.standardHours(1)));
              assertThat(
                  late.recordsByHour().toString(),
                  is("{2024-05-01T08:00:00.000Z=1, 2024-05-01T09:00:00.000Z=2}"));
              assertThat(
                  late.reopened().toString(),
                  is("[2024-05-01T08:00:00.000Z, 2024-05-01T09:00:00.000Z]"));
              assertThat(late.records(), is(3L));
              assertThat(late.exact(), is(true));
              return null;
            });
    PipelineResult result = pipeline.run();

    assertThat(property("tidemark.finalized-until"), is("2024-05-01T10:00:00Z"));
    assertThat(counter(result, "lateRecords"), is(3L));
    assertThat(counter(result, "advances"), is(1L));
    assertThat(counter(result, "failedAdvances"), is(0L));
    assertThat(
        gauge(result, "watermarkMillis"), is(Instant.parse("2024-05-01T10:00:00Z").getMillis()));
    assertThat(
        Stream.of(ALERTS.poll(30, SECONDS), ALERTS.poll(30, SECONDS))
            .map(alert -> alert.hourMillis() + " " + alert.records())
            .toList(),
        containsInAnyOrder(
            Instant.parse("2024-05-01T08:00:00Z").getMillis() + " 1",
            Instant.parse("2024-05-01T09:00:00Z").getMillis() + " 2"));
  }

  @Test
  public void listenersHoldUpNothingAndHearOfTheNewestWatermark() throws Exception {
    stream(
            checks(stream().addElements(order(1, "2024-05-01T10:30:00Z", "eu")), Gate.row()),
            order(2, "2024-05-01T13:30:00Z", "eu"))
        .apply(
            write()
                .withEventTime(PLACED)
                .withFinalization(
                    LAST_COMMIT.withAdvanceListeners(
                        (notice, table) -> new CountDownLatch(1).await(),
                        (notice, table) -> {
                          if (!notice.tableUuid().equals(table.get().uuid().toString())) {
                            throw new AssertionError("another table");
                          }
                          NOTICES.add(notice);
                        })));
    PipelineResult result = pipeline.run();

    assertThat(counter(result, "advances"), is(2L));
    AdvanceNotice notice = NOTICES.poll(30, SECONDS);
    // The second advance may have taken the place of the first.
    AdvanceNotice newest =
        notice.finalizedUntil().equals(Instant.parse("2024-05-01T10:00:00Z"))
            ? NOTICES.poll(30, SECONDS)
            : notice;
    assertThat(newest.table(), is(ORDERS_NAME));
    assertThat(newest.branch(), is("main"));
    assertThat(newest.finalizedUntil(), is(Instant.parse("2024-05-01T13:00:00Z")));
    assertThat(newest.finalizedSince(), is(Instant.parse("2024-05-01T10:00:00Z")));
    assertThat(newest.afterStart(), is(false));
    assertThat(
        Long.toString(newest.snapshotId()), is(property("tidemark.finalized-until-snapshot-id")));
  }

  @Test
  public void watermarkThatIsThereAtTheStartIsToldOnce() throws Exception {
    stream(stream(), order(1, "2024-05-01T10:30:00Z", "eu"))
        .apply(write().withEventTime(PLACED).withFinalization(LAST_COMMIT));
    pipeline.run();
    TestPipeline next = Pipelines.onOneThread().enableAbandonedNodeEnforcement(false);
    next.apply(
            Create.of(
                    order(2, "2024-05-01T08:30:00Z", "eu"), order(3, "2024-05-01T08:31:00Z", "eu"))
                .withRowSchema(Warehouse.ORDER))
        .apply(
            warehouse
                .write()
                .to(Warehouse.ORDERS)
                .withEventTime(PLACED)
                .withFinalization(
                    LAST_COMMIT.withAdvanceListeners((notice, table) -> NOTICES.add(notice))));
    next.run().waitUntilFinish();

    AdvanceNotice notice = NOTICES.poll(30, SECONDS);
    assertThat(notice.afterStart(), is(true));
    assertThat(notice.before(), is(nullValue()));
    assertThat(notice.finalizedUntil(), is(Instant.parse("2024-05-01T10:00:00Z")));
    assertThat(NOTICES.poll(), is(nullValue()));
  }

  @Test
  public void watermarkFollowsTheCommits() {
    IcebergWriteResult written =
        stream(
                checks(stream().addElements(order(1, "2024-05-01T10:30:00Z", "eu")), Gate.row()),
                order(2, "2024-05-01T13:30:00Z", "eu"))
            .apply(write().withEventTime(PLACED).withFinalization(LAST_COMMIT));
    PAssert.that(
            written
                .advances()
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(advance -> advance.before() + " to " + advance.finalizedUntil())))
        .containsInAnyOrder(
            "null to 2024-05-01T10:00:00.000Z",
            "2024-05-01T10:00:00.000Z to 2024-05-01T13:00:00.000Z");
    PAssert.that(written.late()).empty();
    pipeline.run();

    assertThat(property("tidemark.finalized-until"), is("2024-05-01T13:00:00Z"));
  }

  @Test
  public void nullAndOutOfRangeEventTimesAreCountedApart() {
    IcebergWriteResult written =
        stream(
                checks(stream().addElements(order(1, "2024-05-01T10:30:00Z", "eu")), Gate.row()),
                order(2, null, "eu"),
                order(3, "0970-01-01T00:00:00Z", "eu"),
                order(4, "2970-01-01T00:00:00Z", "eu"))
            .apply(
                write()
                    .withEventTime(PLACED.withRange(Duration.standardDays(36_500), Duration.ZERO))
                    .withFinalization(LAST_COMMIT));
    PAssert.that(
            written.late().apply(MapElements.into(TypeDescriptors.longs()).via(LateData::records)))
        .containsInAnyOrder(1L);
    PipelineResult result = pipeline.run();

    assertThat(counter(result, "nullEventTimes"), is(1L));
    assertThat(counter(result, "pastEventTimes"), is(1L));
    assertThat(counter(result, "futureEventTimes"), is(1L));
    assertThat(property("tidemark.finalized-until"), is("2024-05-01T10:00:00Z"));
  }

  @Test
  public void inputWatermarkMovesAnIdleTable() {
    TestStream.Builder<Row> stream =
        checks(stream().addElements(order(1, "2024-05-01T10:30:00Z", "eu")), Gate.row())
            .advanceWatermarkTo(Instant.parse("2024-05-01T15:20:00Z"));
    for (int i = 0; i < 3; i++) {
      stream = checks(stream.advanceProcessingTime(Duration.standardSeconds(11)));
    }
    IcebergWriteResult written =
        pipeline
            .apply(stream.advanceWatermarkToInfinity())
            .apply(gate)
            .apply(
                write()
                    .withEventTime(PLACED)
                    .withFinalization(
                        LAST_COMMIT.withPolicy(
                            Policies.inputWatermark(Duration.standardHours(1)))));
    PAssert.that(
            written
                .advances()
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(advance -> advance.finalizedUntil().toString())))
        .containsInAnyOrder("2024-05-01T14:00:00.000Z");
    pipeline.run();

    assertThat(property("tidemark.finalized-until"), is("2024-05-01T14:00:00Z"));
    assertThat(warehouse.orders(ORDERS_NAME), hasSize(1));
  }

  @Test
  public void tablesOfAStreamAreCommittedOnTheirOwn() {
    PCollection<Row> rows =
        pipeline
            .apply(
                stream()
                    .addElements(order(1, null, "eu"), order(2, null, "us"), order(3, null, "eu"))
                    .advanceWatermarkToInfinity())
            .apply(gate);

    IcebergWriteResult written =
        rows.apply(
            warehouse.write().to(row -> "db." + row.getString("region")).withCommitConcurrency(2));
    PAssert.that(
            written
                .commits()
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(commit -> commit.table() + " " + commit.rows()))
                .setCoder(StringUtf8Coder.of()))
        .containsInAnyOrder("db.eu 2", "db.us 1");
    pipeline.run();

    assertThat(warehouse.orders("db.us"), contains(order(2, null, "us")));
    assertThat(warehouse.orders("db.eu"), hasSize(2));
  }

  private WriteRows write(String... partitions) {
    return warehouse.write(partitions).to(ORDERS).withCommitHook(gate.hook());
  }

  private String property(String key) {
    return warehouse.table(ORDERS_NAME).properties().get(key);
  }

  /** The processing time of a test stream starts long ago, where no attestation is fresh. */
  private static TestStream.Builder<Row> stream() {
    return TestStream.create(ORDER)
        .advanceProcessingTime(
            Duration.millis(
                Instant.now().getMillis() - BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis()));
  }

  private PCollection<Row> stream(TestStream.Builder<Row> start, Row row, Row... more) {
    return pipeline
        .apply(checks(start.addElements(row, more)).advanceWatermarkToInfinity())
        .apply(gate);
  }

  /** Lets what came be committed; waits for it at a gate, if one is given. */
  private static TestStream.Builder<Row> checks(TestStream.Builder<Row> stream, Row... gates) {
    TestStream.Builder<Row> checked = stream;
    for (int i = 0; i < 5; i++) {
      checked = checked.advanceProcessingTime(CHECK);
    }
    for (Row each : gates) {
      checked = checked.addElements(each);
      for (int i = 0; i < 10; i++) {
        checked = checked.advanceProcessingTime(CHECK);
      }
    }
    return checked;
  }
}
