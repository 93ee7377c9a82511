package dev.tidemark.iceberg;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.io.BaseEncoding;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WriteCodersTest {
  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();
  private static final Coder<BundleResult> RESULTS = new BundleResultCoder();
  private static final Coder<TableCommit> COMMITS = new TableCommitCoder();
  private static final Coder<TableAdvance> ADVANCES = new TableAdvanceCoder();
  private static final Coder<LateData> LATE = new LateDataCoder();
  private static final Coder<BadRecord> FAILURES = BadRecord.getCoder(Pipeline.create());
  private static final Coder<TableEvent> EVENTS = new TableEventCoder(FAILURES);

  private static final long TEN = Instant.parse("2024-05-01T10:00:00Z").getMillis();
  private static final CommitFacts FACTS =
      CommitFacts.of(
          "eu",
          7,
          TEN + 5,
          EventTimeStats.of(EventTimeSketch.of(3_600_000, TEN, TEN + 1, TEN + 3_600_000))
              .withNullCount(2)
              .withPastCount(1),
          TEN - 1);
  private static final CommitFacts COUNTS =
      CommitFacts.of(
          "eu",
          7,
          300,
          EventTimeStats.empty(3_600_000)
              .withNullCount(1)
              .withUnparsableCount(2)
              .withPastCount(3)
              .withFutureCount(4),
          null);

  @Test
  public void bundleResultKeepsItsBytes() throws Exception {
    BundleResult result =
        BundleResult.of(
            "u",
            List.of(new byte[] {1, 2}, new byte[] {3}),
            300,
            null,
            ImmutableSortedMap.of("b", new byte[] {9}, "a", new byte[0]));

    assertGolden(
        RESULTS,
        result,
        "01" // version
            + "0175" // UUID
            + ("00000002" + "020102" + "0103") // files
            + "ac02" // rows
            + "00" // no event time
            + ("02" + "0161" + "00" + "0162" + "0109")); // accumulators
  }

  @Test
  public void bundleResultWithEventTimeKeepsItsBytes() throws Exception {
    BundleResult result =
        BundleResult.of(
            "u",
            List.of(),
            1,
            EventTimeStats.of(EventTimeSketch.of(3_600_000, TEN)).withNullCount(2),
            ImmutableSortedMap.of());

    assertGolden(
        RESULTS,
        result,
        "01"
            + "0175"
            + "00000000"
            + "01"
            + "01" // event time
            + ("0102000000" + "010f" + "01323c3c018084c6b9e66300010001") // of version 1
            + "00");
  }

  @Test
  public void commitKeepsItsBytes() throws Exception {
    assertGolden(
        COMMITS,
        commit(null, null),
        "01" // version
            + "04"
            + hex("db.t") // table
            + "2a" // snapshot
            + "01" // replayed
            + "ac02" // rows
            + "02" // files
            + "00" // no facts
            + "00" // no watermark
            + "80dddb01"); // granularity
  }

  @Test
  public void commitWithFactsKeepsItsBytes() throws Exception {
    String window =
        "w1:AmV1AQ0BDoqExrnmYwMBAAIACYDd2wEEBgEACgAyAPQDAbYH_9zbAd4HAAvst-Bu"
            + "~ets1:ATI8PAOAhMa55mOA3dsBAwABAQH_3NsBATFVWk4";
    assertGolden(
        COMMITS,
        commit(FACTS, TEN),
        "01"
            + "04"
            + hex("db.t")
            + "2a"
            + "01"
            + "ac02"
            + "02"
            + "01" // facts as a window
            + ("70" + hex(window))
            + "018082e39cf331" // watermark
            + "80dddb01");
  }

  @Test
  public void factsOfRowsWithoutEventTimeAreKept() throws Exception {
    assertGolden(
        COMMITS,
        commit(COUNTS, -1L),
        "01"
            + "04"
            + hex("db.t")
            + "2a"
            + "01"
            + "ac02"
            + "02"
            + "02" // facts as counts
            + ("02" + hex("eu")) // writer
            + "07" // snapshot
            + "ac02" // committed at
            + "01020304" // null, unparsable, past, future
            + "00" // no input watermark
            + ("01" + "ffffffffffffffffff01") // watermark
            + "80dddb01");
  }

  @Test
  public void latenessOfRowsBeforeTheSaneRangeSurvivesTheWayToTheReport() throws Exception {
    TableCommit decoded = CoderUtils.clone(COMMITS, commit(COUNTS, TEN));

    assertThat(decoded.lateness().pastCount(), is(3L));
  }

  @Test
  public void advanceKeepsItsBytes() throws Exception {
    assertGolden(
        ADVANCES,
        TableAdvance.of("t", null, Instant.ofEpochMilli(1), "r"),
        "01" + "0174" + "00" + "8000000000000001" + "0172");
    assertGolden(
        ADVANCES,
        TableAdvance.of("t", Instant.ofEpochMilli(0), Instant.ofEpochMilli(1), ""),
        "01" + "0174" + "018000000000000000" + "8000000000000001" + "00");
  }

  @Test
  public void lateDataKeepsItsBytes() throws Exception {
    assertGolden(
        LATE,
        LateData.of(
            "t",
            "w",
            42,
            Instant.ofEpochMilli(2),
            ImmutableSortedMap.of(Instant.ofEpochMilli(0), 300L, Instant.ofEpochMilli(1), 1L),
            Duration.standardHours(1),
            302,
            true),
        "01" // version
            + "0174" // table
            + "010177" // writer
            + "2a" // snapshot
            + "8000000000000002" // watermark
            + ("02" + "8000000000000000ac02" + "800000000000000101") // hours
            + "80dddb01" // width
            + "ae02" // records
            + "01"); // exact
    assertGolden(
        LATE,
        LateData.of(
            "t",
            null,
            42,
            Instant.ofEpochMilli(2),
            ImmutableSortedMap.of(),
            Duration.millis(1),
            3,
            false),
        "01" + "0174" + "00" + "2a" + "8000000000000002" + "00" + "01" + "03" + "00");
  }

  @Test
  public void eventsKeepTheirBytes() throws Exception {
    String commit = HEX.encode(CoderUtils.encodeToByteArray(COMMITS, commit(null, null)));
    assertGolden(EVENTS, TableEvent.commit(commit(null, null), null), "10" + commit + "00");
    assertGolden(
        EVENTS,
        TableEvent.commit(commit(null, null), Attestation.of(5L, 300)),
        "10" + commit + "01" + "0105" + "ac02");
    assertGolden(
        EVENTS,
        TableEvent.heartbeat("t", Attestation.of(null, 300)),
        "11" + "0174" + "00" + "ac02");
    assertGolden(
        EVENTS,
        TableEvent.tallies("t", Tallies.of(1, 2, 3, 4, 5, 6, 7, 300)),
        "13" + "0174" + "01020304050607ac02");
  }

  @Test
  public void failureEventSurvives() throws Exception {
    TableEvent event =
        TableEvent.failure(
            "t",
            FailedRecords.table("t\"x", "1 to 2", List.of("a\"b", "c\\d"), "gone"),
            Tallies.parked(2));

    TableEvent decoded = CoderUtils.clone(EVENTS, event);

    assertThat(decoded, is(event));
    assertThat(
        decoded.failure().getRecord().getHumanReadableJsonRecord(),
        is("{\"table\":\"t\\\"x\",\"results\":\"1 to 2\",\"files\":[\"a\\\"b\",\"c\\\\d\"]}"));
  }

  @Test
  public void valuesSurviveInsideOtherValues() throws Exception {
    CoderProperties.coderDecodeEncodeEqual(COMMITS, commit(FACTS, TEN));
    CoderProperties.coderDecodeEncodeEqual(COMMITS, commit(COUNTS, null));
    CoderProperties.coderDecodeEncodeEqual(
        ADVANCES, TableAdvance.of("t", null, Instant.ofEpochMilli(TEN), "why"));
    CoderProperties.coderDecodeEncodeEqual(
        EVENTS, TableEvent.commit(commit(FACTS, TEN), Attestation.of(TEN, TEN)));
    for (Coder<?> coder : List.of(RESULTS, COMMITS, ADVANCES, LATE, EVENTS)) {
      CoderProperties.coderSerializable(coder);
    }
  }

  @Test
  public void unknownVersionsAreRefused() {
    assertRefused(RESULTS, "0200", "unknown version 2");
    assertRefused(COMMITS, "0200", "unknown version 2");
    assertRefused(ADVANCES, "0200", "unknown version 2");
    assertRefused(LATE, "0200", "unknown version 2");
    assertRefused(EVENTS, "0200", "unknown kind 2");
    assertRefused(EVENTS, "", "unknown kind -1");
    assertRefused(
        COMMITS, "01" + "04" + hex("db.t") + "2a" + "01" + "01" + "01" + "03", "kind of facts 3");
  }

  private static TableCommit commit(@Nullable CommitFacts facts, @Nullable Long watermark) {
    return TableCommit.of("db.t", 42, true, 300, 2, facts, watermark, 3_600_000);
  }

  private static String hex(String text) {
    return HEX.encode(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Structural values, since results hold arrays. */
  private static <T> void assertGolden(Coder<T> coder, T value, String hex) throws Exception {
    assertThat(HEX.encode(CoderUtils.encodeToByteArray(coder, value)), is(hex));
    assertThat(
        coder.structuralValue(CoderUtils.decodeFromByteArray(coder, HEX.decode(hex))),
        is(coder.structuralValue(value)));
  }

  private static void assertRefused(Coder<?> coder, String hex, String message) {
    CoderException e =
        assertThrows(
            CoderException.class, () -> CoderUtils.decodeFromByteArray(coder, HEX.decode(hex)));
    assertThat(e.getMessage(), containsString(message));
  }
}
