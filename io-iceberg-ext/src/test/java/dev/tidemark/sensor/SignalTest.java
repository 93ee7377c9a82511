package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.sensor.FinalizationStatus.State;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What other writers say of a table. */
@RunWith(JUnit4.class)
public final class SignalTest {
  private static final EventTimeRange HOUR =
      EventTimeRange.of(
          Instant.parse("2026-01-01T10:00:00Z"), Instant.parse("2026-01-01T11:00:00Z"));

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private Finalization by(Signal signal) {
    return table.finalization().withSignal(signal);
  }

  /** A commit as Iceberg's sink for Kafka Connect makes it. */
  private long kafkaConnect(String key, String value) {
    Table loaded = table.table();
    AppendFiles append = loaded.newAppend().appendFile(table.file(1));
    append.set("kafka.connect.commit-id", "b1c2").set(key, value).commit();
    return loaded.currentSnapshot().snapshotId();
  }

  @Test
  public void kafkaConnectIsReadFromTheNewestSummaryThatHasIt() {
    assertThat(by(Signal.kafkaConnect()).finalizedUntil(), is(nullValue()));
    kafkaConnect("kafka.connect.valid-through-ts", "2026-01-01T12:00Z");
    kafkaConnect("kafka.connect.valid-through-ts", "2026-01-01T11:00+00:00");
    // A commit in which a partition had no record, and one of another writer.
    long head = table.foreignAppend();

    FinalizationStatus status = by(Signal.kafkaConnect()).status(HOUR);

    assertThat(status.state(), is(State.FINALIZED));
    assertThat(status.finalizedUntil(), is(Instant.parse("2026-01-01T11:00:00Z")));
    assertThat(status.snapshotId(), is(head));
    assertThat(status.signal(), is("kafka-connect"));
    assertThat(status.caveat(), containsString("can move back"));
    assertThat(status.verified(), is(false));
    assertThat(
        by(Signal.kafkaConnect()).isFinalized(HOUR.start(), HOUR.end().plusMillis(1)), is(false));
  }

  @Test
  public void olderReleasesOfKafkaConnectAreRead() {
    kafkaConnect(
        "kafka.connect.vtts", Long.toString(Instant.parse("2026-01-01T11:00:00Z").toEpochMilli()));

    assertThat(by(Signal.kafkaConnect()).status(HOUR).isFinalized(), is(true));
  }

  @Test
  public void gobblinIsTheEndOfTheNewestCompleteHour() {
    assertThat(by(Signal.gobblin()).status(HOUR).state(), is(State.NOT_YET));
    table.setProperty("completionWatermark", "-1");
    assertThat(by(Signal.gobblin()).finalizedUntil(), is(nullValue()));
    table.setProperty("completionWatermark", Long.toString(HOUR.end().toEpochMilli()));

    FinalizationStatus status = by(Signal.gobblin()).status(HOUR);

    assertThat(status.state(), is(State.FINALIZED));
    assertThat(status.finalizedUntil(), is(HOUR.end()));
    assertThat(status.caveat(), containsString("without being counted"));
  }

  @Test
  public void unreadableSignalsSaySo() {
    kafkaConnect("kafka.connect.valid-through-ts", "soon");
    table.setProperty("completionWatermark", "soon");

    for (Signal signal : List.of(Signal.kafkaConnect(), Signal.gobblin())) {
      FinalizationException failure =
          assertThrows(FinalizationException.class, () -> by(signal).status(HOUR));
      assertThat(failure.kind(), is(FinalizationException.Kind.UNREADABLE));
    }
  }

  private void mark(String path) throws IOException {
    FileIO io = ((HasTableOperations) table.table()).operations().io();
    try (OutputStream out = io.newOutputFile(path).create()) {
      out.write(1);
    }
  }

  @Test
  public void everyHourOfARangeNeedsItsMarker() throws IOException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Signal markers = Signal.markerFiles("done/{yyyy}/{MM}/{dd}/{HH}/_SUCCESS", ZoneOffset.UTC);
    EventTimeRange two =
        EventTimeRange.of(
            Instant.parse("2026-01-01T10:30:00Z"), Instant.parse("2026-01-01T11:30:00Z"));
    mark(table.table().location() + "/done/2026/01/01/10/_SUCCESS");

    FinalizationStatus missing = by(markers).status(two);
    mark(table.table().location() + "/done/2026/01/01/11/_SUCCESS");
    FinalizationStatus complete = by(markers).status(two);

    assertThat(missing.state(), is(State.NOT_YET));
    assertThat(missing.reason(), endsWith("/done/2026/01/01/11/_SUCCESS"));
    assertThat(complete.state(), is(State.FINALIZED));
    assertThat(complete.reason(), is("All of its 2 markers are there"));
    assertThat(by(markers).status(HOUR).reason(), is("Its marker is there"));
    assertThrows(
        IllegalArgumentException.class, () -> by(markers).status(EventTimeRange.until(HOUR.end())));
  }

  /** On the day when Berlin's clocks go forward there is no hour 02. */
  @Test
  public void hourThatTheZoneSkipsNeedsNoMarker() throws IOException {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    String folder = table.newFolder().toURI().toString();
    Signal markers = Signal.markerFiles(folder + "{yyyy}-{MM}-{dd}-{HH}", berlin);
    for (String hour : List.of("00", "01", "03")) {
      mark(folder + "2026-03-29-" + hour);
    }

    FinalizationStatus status =
        by(markers)
            .status(
                EventTimeRange.of(
                    java.time.LocalDateTime.parse("2026-03-29T00:00"),
                    java.time.LocalDateTime.parse("2026-03-29T04:00"),
                    berlin));

    assertThat(status.reason(), is("All of its 3 markers are there"));
  }

  @Test
  public void markersOfDaysAreForWholeDays() throws IOException {
    Signal markers = Signal.markerFiles("{yyyy}-{MM}-{dd}.done", ZoneOffset.UTC);
    mark(table.table().location() + "/2026-01-01.done");

    assertThat(by(markers).status(HOUR).isFinalized(), is(true));
    assertThat(
        by(markers).isFinalized(HOUR.start(), Instant.parse("2026-01-02T00:00:00.001Z")),
        is(false));
  }

  @Test
  public void waitGoesByASignal() throws InterruptedException {
    FinalizationStatus status =
        by(Signal.gobblin())
            .withSleeper(
                table.sleeper(
                    () ->
                        table.setProperty(
                            "completionWatermark", Long.toString(HOUR.end().toEpochMilli()))))
            .await(HOUR, Duration.ofHours(1), Duration.ofMinutes(1));

    assertThat(status.isFinalized(), is(true));
  }

  @Test
  public void signalsAreParsedByName() {
    for (String text : List.of("tidemark", "kafka-connect", "gobblin")) {
      assertThat(Signal.parse(text, ZoneOffset.UTC).name(), is(text));
    }
    assertThat(Signal.parse("marker:{yyyy}", ZoneOffset.UTC).name(), is("marker"));
    for (String text : List.of("", "netflix", "marker:", "marker:_SUCCESS", "marker:{yyyy}-{dd}")) {
      assertThrows(text, IllegalArgumentException.class, () -> Signal.parse(text, ZoneOffset.UTC));
    }
  }

  @Test
  public void missingBranchIsSaid() {
    FinalizationException failure =
        assertThrows(
            FinalizationException.class,
            () -> by(Signal.kafkaConnect()).branch("typo").status(HOUR));

    assertThat(failure.kind(), is(FinalizationException.Kind.BRANCH_MISSING));
  }
}
