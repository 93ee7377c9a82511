package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.HOUR;
import static dev.tidemark.commit.CommitFixture.START;
import static dev.tidemark.commit.CommitFixture.TABLE;
import static dev.tidemark.commit.CommitFixture.WRITER;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.AdvanceOutcome.Status;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** The watermark on real catalogs. */
@RunWith(Parameterized.class)
public final class AdvanceProtocolTest {
  private static final Lookback TWO = Lookback.of(2, Duration.ZERO);

  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public AdvanceProtocolTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  private static AdvanceRequest request() {
    return AdvanceRequest.of(WRITER, Policies.minOfMins(TWO));
  }

  private AdvanceOutcome advance() {
    return fixture.advances().advance(TABLE, request());
  }

  private void commit(String writer, long sequence, long... eventTimes) {
    CommitRequest request =
        CommitRequest.of(TABLE, writer, List.of(fixture.result(sequence, eventTimes)))
            .withLookback(TWO);
    fixture.protocol().commit(request, List.of());
  }

  /** Two commits of event times around the start, five hours before now. */
  private void commitTwo() {
    fixture.setNow(START + 5 * HOUR);
    commit(WRITER, 1, START + 1, START + HOUR);
    commit(WRITER, 2, START + 2 * HOUR);
  }

  private String expectedFence() {
    return fixture.kind() == CatalogKind.REST ? "snapshot" : "metadata";
  }

  @Test
  public void watermarkIsWrittenWithAllThatDerivesFromIt() {
    commitTwo();
    long head = fixture.head().snapshotId();

    AdvanceOutcome outcome = advance();

    assertThat(outcome.status(), is(Status.MOVED));
    assertThat(outcome.beforeMillis(), is(nullValue()));
    assertThat(outcome.afterMillis(), is(START));
    Map<String, String> properties = fixture.properties();
    assertThat(properties, hasEntry("tidemark.finalized-until", "2024-05-01T10:00:00Z"));
    assertThat(properties, hasEntry("tidemark.finalized-until-ms", Long.toString(START)));
    assertThat(properties, hasEntry("tidemark.finalized-until-snapshot-id", Long.toString(head)));
    assertThat(properties, hasEntry("tidemark.finalized-until-table-uuid", fixture.uuid()));
    assertThat(properties, hasEntry("tidemark.policy", "minOfMins(2, PT0S)"));
    assertThat(properties, hasEntry("tidemark.fence", expectedFence()));
  }

  @Test
  public void nothingIsWrittenWhereNothingMoves() {
    commitTwo();
    advance();
    int versions = fixture.versions().size();

    AdvanceOutcome again = advance();

    assertThat(again.status(), is(Status.UNCHANGED));
    assertThat(again.afterMillis(), is(START));
    assertThat(fixture.versions(), hasSize(versions));
  }

  @Test
  public void watermarkNeverMovesBack() {
    commitTwo();
    commit(WRITER, 3, START + 3 * HOUR);
    advance();
    commit(WRITER, 4, START - 3 * HOUR);
    commit(WRITER, 5, START - 3 * HOUR);

    AdvanceOutcome outcome = advance();

    assertThat(outcome.status(), is(Status.UNCHANGED));
    assertThat(fixture.properties(), hasEntry("tidemark.finalized-until", "2024-05-01T12:00:00Z"));
  }

  @Test
  public void tooLittleEvidenceWaits() {
    commit(WRITER, 1, START);

    AdvanceOutcome outcome = advance();

    assertThat(outcome.status(), is(Status.WAITING));
    assertThat(fixture.properties(), not(hasKey("tidemark.finalized-until")));
  }

  @Test
  public void requiredWritersHoldEachOther() {
    commitTwo();
    AdvanceRequest both = request().withRequiredWriters(Set.of("eu", "us"));
    AdvanceOutcome waiting = fixture.advances().advance(TABLE, both);
    commit("us", 1, START - 2 * HOUR);
    commit("us", 2, START);

    AdvanceOutcome moved = fixture.advances().advance(TABLE, both);

    assertThat(waiting.status(), is(Status.WAITING));
    assertThat(moved.afterMillis(), is(START - 2 * HOUR));
    assertThat(fixture.properties(), hasEntry("tidemark.writers", "eu,us"));
  }

  @Test
  public void listOfTheTableCountsBeforeTheRequest() {
    commitTwo();
    fixture.table().updateProperties().set("tidemark.writers", "eu, us").commit();

    assertThat(advance().status(), is(Status.WAITING));
  }

  @Test
  public void attestationIsStoredWhereAnotherWriterDependsOnIt() {
    AdvanceRequest lone = request().withAttestation(Attestation.of(START, START));
    AdvanceRequest both = lone.withRequiredWriters(Set.of("eu", "us"));
    int versions = fixture.versions().size();

    boolean attestedAlone = fixture.advances().advance(TABLE, lone).attested();
    boolean attested = fixture.advances().advance(TABLE, both).attested();
    boolean tooSoon =
        fixture
            .advances()
            .advance(TABLE, both.withAttestation(Attestation.of(START, START + 1)))
            .attested();
    boolean due =
        fixture
            .advances()
            .advance(TABLE, both.withAttestation(Attestation.of(START + 2, START + 60_000)))
            .attested();

    assertThat(
        List.of(attestedAlone, attested, tooSoon, due), is(List.of(false, true, false, true)));
    assertThat(
        fixture.properties(),
        hasEntry("tidemark.attested.eu", "a1:" + (START + 2) + ":" + (START + 60_000)));
    // A fence of its own comes first where metadata is not compared as a whole.
    int extra = fixture.kind() == CatalogKind.REST ? 1 : 0;
    assertThat(fixture.versions(), hasSize(versions + 2 + extra));
  }

  @Test
  public void idleTableAdvancesByAttestedWatermark() {
    commitTwo();
    fixture.setNow(START + 10 * HOUR);
    AdvanceRequest request =
        request()
            .withIdle(IdleHandling.inputWatermark(Duration.standardMinutes(10)))
            .withAttestation(Attestation.of(START + 9 * HOUR, START + 10 * HOUR));

    AdvanceOutcome outcome = fixture.advances().advance(TABLE, request);

    assertThat(outcome.afterMillis(), is(START + 9 * HOUR));
  }

  private AdvanceOutcome withIdleUs(IdleHandling idle) {
    AdvanceRequest us =
        AdvanceRequest.of("us", Policies.minOfMins(TWO))
            .withRequiredWriters(Set.of("eu", "us"))
            .withAttestEveryMillis(0)
            .withAttestation(Attestation.of(START + 9 * HOUR, START + 10 * HOUR));
    fixture.advances().advance(TABLE, us);
    return fixture
        .advances()
        .advance(
            TABLE,
            request().withRequiredWriters(Set.of("eu", "us")).withWriterIdle(Map.of("us", idle)));
  }

  /** Writer eu goes on; us fell silent eight hours ago, and is alive. */
  private void oneFallsSilent() {
    commitTwo();
    fixture.setNow(START + 2 * HOUR);
    commit("us", 1, START + HOUR);
    commit("us", 2, START + HOUR);
    fixture.setNow(START + 10 * HOUR);
    commit(WRITER, 3, START + 8 * HOUR);
    commit(WRITER, 4, START + 8 * HOUR);
  }

  @Test
  public void idleWriterHoldsTheWatermarkWhereItIsToBeWaitedFor() {
    oneFallsSilent();

    assertThat(withIdleUs(IdleHandling.waiting()).afterMillis(), is(START + HOUR));
  }

  @Test
  public void idleWriterGoesWithTheInputWatermarkItAttests() {
    oneFallsSilent();

    AdvanceOutcome outcome = withIdleUs(IdleHandling.inputWatermark(Duration.standardMinutes(30)));

    assertThat(outcome.afterMillis(), is(START + 8 * HOUR));
  }

  @Test
  public void idleWriterGoesWithTheClock() {
    oneFallsSilent();

    AdvanceOutcome outcome = withIdleUs(IdleHandling.wallClock(Duration.standardHours(3)));

    assertThat(outcome.afterMillis(), is(START + 7 * HOUR));
  }

  @Test
  public void handlingOfOneIdleWriterIsNotThatOfOthers() {
    oneFallsSilent();

    AdvanceOutcome outcome =
        fixture
            .advances()
            .advance(
                TABLE,
                request()
                    .withRequiredWriters(Set.of("eu", "us"))
                    .withIdle(IdleHandling.waiting())
                    .withWriterIdle(
                        Map.of("eu", IdleHandling.wallClock(Duration.standardHours(1)))));

    assertThat(outcome.afterMillis(), is(START + HOUR));
  }

  @Test
  public void retiredWriterHoldsNothing() {
    oneFallsSilent();
    withIdleUs(IdleHandling.waiting());
    fixture.table().updateProperties().set("tidemark.writers", "eu").commit();

    AdvanceOutcome outcome =
        fixture.advances().advance(TABLE, request().withRequiredWriters(Set.of("eu", "us")));

    assertThat(outcome.afterMillis(), is(START + 8 * HOUR));
  }

  @Test
  public void tableThatWasCreatedAgainDoesNotAdvanceByWhatWasCommittedToTheOldOne() {
    AdvanceRequest idle =
        request()
            .withIdle(IdleHandling.inputWatermark(Duration.standardMinutes(10)))
            .withAttestation(Attestation.of(START + 9 * HOUR, START + 10 * HOUR))
            .withCommittedBefore();
    commitTwo();
    fixture.createTable(Map.of());
    fixture.setNow(START + 10 * HOUR);

    AdvanceOutcome before = fixture.advances().advance(TABLE, idle);
    commitTwo();
    fixture.setNow(START + 10 * HOUR);
    AdvanceOutcome after = fixture.advances().advance(TABLE, idle);

    assertThat(before.status(), is(Status.WAITING));
    assertThat(before.attested(), is(false));
    assertThat(after.afterMillis(), is(START + 9 * HOUR));
  }

  @Test
  public void commitAttestsItsInputWatermark() {
    fixture.setNow(START);
    fixture
        .protocol()
        .commit(
            CommitFixture.request(fixture.result(1, START)).withInputWatermarkMillis(START - 5),
            List.of());

    assertThat(
        fixture.properties(), hasEntry("tidemark.attested.eu", "a1:" + (START - 5) + ":" + START));
  }

  @Test
  public void pausedTableStays() {
    commitTwo();
    fixture.table().updateProperties().set("tidemark.paused", "backfill").commit();

    AdvanceOutcome outcome = advance();

    assertThat(outcome.status(), is(Status.WAITING));
    assertThat(outcome.reason(), is("Paused: backfill"));
    assertThat(fixture.properties(), not(hasKey("tidemark.finalized-until")));
  }

  @Test
  public void tableWithoutPropertyWritesFailsAndTakesRowsOn() {
    commitTwo();
    FaultyAccess faults = fixture.faults();
    for (int i = 0; i < 2; i++) {
      faults.then(FaultyAccess.failBefore(new ForbiddenException("no properties")));
    }

    AdvanceOutcome outcome = fixture.advances(faults).advance(TABLE, request());
    commit(WRITER, 3, START + 3 * HOUR);

    assertThat(outcome.status(), is(Status.FAILING));
    assertThat(outcome.afterMillis(), is(nullValue()));
    assertThat(outcome.reason(), containsString("Grant this principal the right"));
    assertThat(fixture.livePaths(), hasSize(3));
  }

  @Test
  public void lostAcknowledgementStillReportsTheMove() {
    commitTwo();
    FaultyAccess faults =
        fixture
            .faults()
            .then(
                FaultyAccess.failAfter(
                    new CommitStateUnknownException(new IllegalStateException("lost"))));

    AdvanceOutcome outcome = fixture.advances(faults).advance(TABLE, request());

    assertThat(outcome.status(), is(Status.MOVED));
    assertThat(outcome.beforeMillis(), is(nullValue()));
    assertThat(outcome.afterMillis(), is(START));
    assertThat(faults.commits(), is(1));
  }

  @Test
  public void writeThatLandsLateDoesNotUndoANewerOne() {
    commitTwo();
    FaultyAccess faults = fixture.faults();
    faults
        .then(faults.late(new CommitStateUnknownException(new IllegalStateException("lost"))))
        .then(
            FaultyAccess.after(
                () -> {
                  commit(WRITER, 3, START + 3 * HOUR);
                  commit(WRITER, 4, START + 3 * HOUR);
                  advance();
                }));

    fixture.advances(faults).advance(TABLE, request());
    List<RuntimeException> refused = faults.land();

    assertThat(refused, hasSize(1));
    assertThat(fixture.properties(), hasEntry("tidemark.finalized-until", "2024-05-01T13:00:00Z"));
  }

  @Test
  public void fenceGoesFromMetadataToSnapshotInACommitOfItsOwn() {
    commitTwo();
    fixture.table().updateProperties().set("tidemark.fence", "metadata").commit();
    FaultyAccess real = fixture.faults();
    TableAccess unsure =
        new TableAccess() {
          @Override
          public org.apache.iceberg.TableOperations operations(
              org.apache.iceberg.catalog.TableIdentifier table) {
            return real.operations(table);
          }

          @Override
          public boolean comparesWholeMetadata(org.apache.iceberg.TableOperations operations) {
            return false;
          }
        };
    int versions = fixture.versions().size();

    fixture.advances(unsure).advance(TABLE, request());

    assertThat(fixture.versions(), hasSize(versions + 2));
    Map<String, String> between = fixture.versions().get(versions).properties();
    assertThat(between, hasEntry("tidemark.fence", "snapshot"));
    assertThat(between, not(hasKey("tidemark.finalized-until")));
    assertThat(fixture.properties(), hasEntry("tidemark.fence", "snapshot"));
    assertThat(fixture.head().summary(), hasEntry("tidemark.advance", "2024-05-01T10:00:00Z"));
    commit(WRITER, 3, START + 3 * HOUR);
    assertThat(advance().status(), is(Status.MOVED));
    assertThat(fixture.head().summary(), hasKey("tidemark.advance"));
  }

  @Test
  public void metadataFenceAddsNoSnapshot() {
    org.junit.Assume.assumeThat(fixture.kind(), is(not(CatalogKind.REST)));
    commitTwo();
    long head = fixture.head().snapshotId();

    advance();

    assertThat(fixture.head().snapshotId(), is(head));
  }

  @Test
  public void watermarkOfACloneDoesNotCount() {
    commitTwo();
    advance();
    fixture.createTable(TidemarkKeys.owned(fixture.properties()));
    fixture.setNow(START + 5 * HOUR);
    commit(WRITER, 1, START - 5 * HOUR);
    commit(WRITER, 2, START - 5 * HOUR);

    AdvanceOutcome outcome = advance();

    assertThat(outcome.beforeMillis(), is(nullValue()));
    assertThat(outcome.afterMillis(), is(START - 5 * HOUR));
    assertThat(
        fixture.properties(), hasEntry("tidemark.finalized-until-table-uuid", fixture.uuid()));
  }

  @Test
  public void recreatedTableIsRefused() {
    AdvanceRequest request = request().withTableUuid(fixture.uuid());
    fixture.createTable(Map.of());

    CommitException given =
        assertThrows(CommitException.class, () -> fixture.advances().advance(TABLE, request));

    assertThat(given.kind(), is(CommitException.Kind.TABLE_RECREATED));
  }

  @Test
  public void damagedWatermarkIsNotOverwritten() {
    commitTwo();
    fixture.table().updateProperties().set("tidemark.finalized-until", "soon").commit();

    CommitException given = assertThrows(CommitException.class, this::advance);

    assertThat(given.kind(), is(CommitException.Kind.RECORD_UNREADABLE));
    assertThat(given.getMessage(), containsString("tidemark.finalized-until: soon"));
  }

  @Test
  public void damagedWindowWaits() {
    commitTwo();
    fixture.table().updateProperties().set("tidemark.window.eu", "1;w1:x").commit();

    assertThat(advance().status(), is(Status.WAITING));
  }

  @Test
  public void evidenceSurvivesExpiry() {
    commitTwo();
    fixture.expireAll();

    assertThat(advance().status(), is(Status.MOVED));
  }

  @Test
  public void branchHasItsOwnWatermark() {
    fixture.table().newAppend().commit();
    fixture.setNow(START + 5 * HOUR);
    for (int i = 1; i <= 2; i++) {
      fixture
          .protocol()
          .commit(
              CommitRequest.of(TABLE, WRITER, List.of(fixture.result(i, START)))
                  .withBranch("audit")
                  .withLookback(TWO),
              List.of());
    }

    AdvanceOutcome outcome = fixture.advances().advance(TABLE, request().withBranch("audit"));

    assertThat(outcome.status(), is(Status.MOVED));
    assertThat(
        fixture.properties(), hasEntry("tidemark.audit.finalized-until", "2024-05-01T10:00:00Z"));
    assertThat(fixture.properties(), not(hasKey("tidemark.finalized-until")));
  }

  private DataFile foreign(Long lowerMillis, long rows) {
    Map<Integer, ByteBuffer> bounds =
        lowerMillis == null
            ? Map.of()
            : Map.of(
                2, Conversions.toByteBuffer(Types.TimestampType.withZone(), lowerMillis * 1_000));
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(fixture.file(1).location())
        .withFileSizeInBytes(1)
        .withMetrics(new Metrics(rows, null, null, null, null, bounds, null))
        .build();
  }

  @Test
  public void foreignAppendsBelowTheWatermarkAreFlagged() {
    commitTwo();
    advance();
    fixture
        .table()
        .newAppend()
        .appendFile(foreign(START - 1, 3))
        .appendFile(foreign(START, 4))
        .commit();
    long below = fixture.head().snapshotId();
    fixture.table().newAppend().appendFile(foreign(START + 1, 5)).commit();
    fixture.table().newAppend().appendFile(foreign(null, 6)).commit();
    long unknown = fixture.head().snapshotId();
    AdvanceRequest request = request().withForeignAppends(EventTimeColumn.of("at"), null);

    AdvanceOutcome outcome = fixture.advances().advance(TABLE, request);
    AdvanceOutcome again =
        fixture
            .advances()
            .advance(
                TABLE,
                request.withForeignAppends(EventTimeColumn.of("at"), outcome.headSnapshotId()));

    assertThat(
        outcome.foreignBelow(),
        is(
            ImmutableList.of(
                ForeignAppend.of(unknown, 1, 6, null, true),
                ForeignAppend.of(below, 1, 3, START - 1, false))));
    assertThat(again.foreignBelow(), is(empty()));
  }
}
