package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static dev.tidemark.iceberg.Warehouse.PLACED;
import static dev.tidemark.iceberg.Warehouse.order;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.HasTableOperations;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** A write that goes by a clock of the user's. */
@RunWith(JUnit4.class)
public class WriteClockTest {
  private static final Duration CHECK = Duration.millis(200);
  private static final FinalizationOptions LAST_COMMIT =
      FinalizationOptions.defaults()
          .withPolicy(Policies.minOfMins(Lookback.of(1, Duration.ZERO)))
          .withLateDataListeners();

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = Pipelines.onOneThread();

  private final Gate gate = new Gate();

  @Test
  public void watermarkDoesNotPassTheClock() {
    pipeline
        .apply(Create.of(order(1, "2024-05-01T13:30:00Z", "eu")).withRowSchema(ORDER))
        .apply(write("2024-05-01T11:20:00Z").withFinalization(LAST_COMMIT));
    pipeline.run();

    assertThat(finalizedUntil(), is("2024-05-01T11:00:00Z"));
  }

  @Test
  public void commitsAreDatedByTheClock() {
    pipeline
        .apply(Create.of(order(1, "2024-05-01T13:30:00Z", "eu")).withRowSchema(ORDER))
        .apply(write("2024-05-01T14:20:00Z").withFinalization(LAST_COMMIT));
    pipeline.run();

    String since = warehouse.table(ORDERS_NAME).properties().get("tidemark.finalized-since");
    assertThat(since, is("2024-05-01T13:00:00Z"));
    assertThat(
        evidence().window(Warehouse.WRITER).newest().committedAtMillis(),
        is(Instant.parse("2024-05-01T14:20:00Z").toEpochMilli()));
  }

  /** The runner's processing time is long ago here: by it no sign of life would be fresh. */
  @Test
  public void signsOfLifeAreDatedByTheClock() {
    TestStream.Builder<Row> stream =
        checks(TestStream.create(ORDER).addElements(order(1, "2024-05-01T10:30:00Z", "eu")));
    stream =
        checks(stream.addElements(Gate.row()))
            .advanceWatermarkTo(org.joda.time.Instant.parse("2024-05-01T15:20:00Z"));
    for (int i = 0; i < 3; i++) {
      stream = checks(stream.advanceProcessingTime(Duration.standardSeconds(11)));
    }
    pipeline
        .apply(stream.advanceWatermarkToInfinity())
        .apply(gate)
        .apply(
            write("2024-05-01T16:10:00Z")
                .withCommitHook(gate.hook())
                .withFinalization(
                    LAST_COMMIT.withPolicy(Policies.inputWatermark(Duration.standardHours(1)))));
    pipeline.run();

    assertThat(finalizedUntil(), is("2024-05-01T14:00:00Z"));
  }

  private WriteRows write(String now) {
    return warehouse
        .write()
        .to(ORDERS)
        .withEventTime(PLACED)
        .withClock(Clock.fixed(Instant.parse(now), ZoneOffset.UTC));
  }

  private String finalizedUntil() {
    return warehouse.table(ORDERS_NAME).properties().get("tidemark.finalized-until");
  }

  private StoredEvidence evidence() {
    HasTableOperations table = (HasTableOperations) warehouse.table(ORDERS_NAME);
    return StoredEvidence.of(table.operations().current(), TidemarkKeys.MAIN);
  }

  private static <T> TestStream.Builder<T> checks(TestStream.Builder<T> stream) {
    TestStream.Builder<T> checked = stream;
    for (int i = 0; i < 10; i++) {
      checked = checked.advanceProcessingTime(CHECK);
    }
    return checked;
  }
}
