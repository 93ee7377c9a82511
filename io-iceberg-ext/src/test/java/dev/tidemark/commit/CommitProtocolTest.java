package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.HOUR;
import static dev.tidemark.commit.CommitFixture.START;
import static dev.tidemark.commit.CommitFixture.TABLE;
import static dev.tidemark.commit.CommitFixture.WRITER;
import static dev.tidemark.commit.CommitFixture.paths;
import static dev.tidemark.commit.CommitFixture.request;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.CommitOutcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.ServiceUnavailableException;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Commits on real catalogs: what is in the table, and what is said about it. */
@RunWith(Parameterized.class)
public final class CommitProtocolTest {
  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public CommitProtocolTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  private static RuntimeException unknown() {
    return new CommitStateUnknownException(new IllegalStateException("answer lost"));
  }

  @Test
  public void filesSummaryAndRecordLandInOneVersion() {
    WriterResult one = fixture.result(1, START, START + HOUR);
    WriterResult two = fixture.result(2, START + 1);
    int before = fixture.versions().size();

    CommitOutcome outcome = fixture.commit(one, two);

    assertThat(fixture.versions(), hasSize(before + 1));
    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(outcome.snapshotId(), is(fixture.head().snapshotId()));
    assertThat(outcome.files(), is(2));
    assertThat(outcome.rows(), is(3L));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two).toArray()));
    Map<String, String> summary = fixture.head().summary();
    assertThat(summary, hasEntry("tidemark.writer", WRITER));
    assertThat(summary, hasEntry("tidemark.committed", "1-2"));
    assertThat(summary, hasEntry("tidemark.event-time.count", "3"));
    assertThat(summary, hasEntry("tidemark.event-time.min", Long.toString(START)));
    assertThat(summary, hasEntry("tidemark.event-time.max", Long.toString(START + HOUR)));
    assertThat(summary, hasEntry("tidemark.event-time.out-of-range", "0"));
    assertThat(fixture.properties().get("tidemark.committed.eu.0"), containsString("c1:"));
    assertThat(fixture.properties().get("tidemark.window.eu"), containsString("w1:"));
    assertThat(fixture.properties(), hasEntry("tidemark.finalized-since", "2024-05-01T10:00:00Z"));
    assertThat(outcome.facts().snapshotId(), is(outcome.snapshotId()));
  }

  @Test
  public void repeatedRequestReturnsItsSnapshotAndFacts() {
    WriterResult one = fixture.result(1, START);
    CommitOutcome first = fixture.commit(one);
    fixture.table().newAppend().appendFile(fixture.file(1)).commit();

    CommitOutcome again = fixture.commit(one);

    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(again.snapshotId(), is(first.snapshotId()));
    assertThat(again.facts(), is(first.facts().withoutSketch()));
    assertThat(again.commits().get(0).replayed(), is(true));
    assertThat(fixture.livePaths(), hasSize(2));
  }

  @Test
  public void replayInOtherGroupsCommitsOnlyWhatIsMissing() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    WriterResult three = fixture.result(3);
    CommitOutcome first = fixture.commit(one);
    CommitOutcome second = fixture.commit(two);

    CommitOutcome outcome = fixture.commit(one, two, three);

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(
        outcome.commits().stream().map(LandedCommit::snapshotId).toList(),
        contains(first.snapshotId(), second.snapshotId(), fixture.head().snapshotId()));
    assertThat(outcome.commits().get(2).sequences(), contains(3L));
    assertThat(outcome.rows(), is(10L));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two, three).toArray()));
  }

  @Test
  public void nothingToCommitTouchesNothing() {
    int before = fixture.versions().size();

    assertThat(fixture.commit().status(), is(Status.NOTHING));
    assertThat(fixture.versions(), hasSize(before));
  }

  @Test
  public void lostAcknowledgementIsRecognised() {
    WriterResult one = fixture.result(1, START);
    FaultyAccess faults = fixture.faults().then(FaultyAccess.failAfter(unknown()));

    CommitOutcome outcome = fixture.protocol(faults).commit(request(one), List.of());

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(outcome.snapshotId(), is(fixture.head().snapshotId()));
    assertThat(outcome.rows(), is(1L));
    assertThat(outcome.commits().get(0).replayed(), is(false));
    assertThat(outcome.attempts(), is(1));
    assertThat(outcome.unknownOutcomes(), is(1));
    assertThat(fixture.livePaths(), is(paths(one)));
    assertThat(faults.commits(), is(1));
  }

  @Test
  public void sqlFailureOfUnknownOutcomeIsRecognised() {
    WriterResult one = fixture.result(1);
    FaultyAccess faults =
        fixture
            .faults()
            .then(FaultyAccess.failAfter(new UncheckedSQLException("connection is gone")));

    fixture.protocol(faults).commit(request(one), List.of());

    assertThat(fixture.livePaths(), is(paths(one)));
  }

  @Test
  public void successAnsweredAsConflictKeepsItsManifests() {
    WriterResult one = fixture.result(1);
    FaultyAccess faults =
        fixture
            .faults()
            .then(FaultyAccess.failAfter(new CommitFailedException("the resent request lost")));

    CommitOutcome outcome = fixture.protocol(faults).commit(request(one), List.of());

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), is(paths(one)));
    assertThat(faults.commits(), is(1));
  }

  @Test
  public void successAnsweredAsCleanableFailureKeepsItsManifests() {
    WriterResult one = fixture.result(1);
    FaultyAccess faults =
        fixture.faults().then(FaultyAccess.failAfter(new ServiceUnavailableException("try later")));

    fixture.protocol(faults).commit(request(one), List.of());

    assertThat(fixture.livePaths(), is(paths(one)));
  }

  @Test
  public void lostRequestIsSentAgain() {
    WriterResult one = fixture.result(1);
    FaultyAccess faults =
        fixture
            .faults()
            .then(FaultyAccess.failBefore(unknown()))
            .then(FaultyAccess.failBefore(new ServiceUnavailableException("try later")));

    CommitOutcome outcome = fixture.protocol(faults).commit(request(one), List.of());

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(faults.commits(), is(3));
    assertThat(fixture.livePaths(), is(paths(one)));
  }

  @Test
  public void attemptThatLandsAfterItsRetryIsRefusedByTheCatalog() {
    WriterResult one = fixture.result(1);
    FaultyAccess faults = fixture.faults();
    faults.then(faults.late(unknown()));

    fixture.protocol(faults).commit(request(one), List.of());

    assertThat(faults.land(), hasSize(1));
    assertThat(fixture.livePaths(), is(paths(one)));
  }

  @Test
  public void attemptThatLandsBeforeItsRetryWins() {
    WriterResult one = fixture.result(1);
    FaultyAccess faults = fixture.faults();
    faults.then(faults.late(unknown())).then(FaultyAccess.after(() -> faults.land()));

    CommitOutcome outcome = fixture.protocol(faults).commit(request(one), List.of());

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(outcome.snapshotId(), is(fixture.head().snapshotId()));
    assertThat(fixture.livePaths(), is(paths(one)));
  }

  @Test
  public void attemptThatLandsBetweenRequestsIsRecognised() {
    WriterResult one = fixture.result(1);
    fixture.table().updateProperties().set("commit.retry.num-retries", "0").commit();
    FaultyAccess faults = fixture.faults();
    faults.then(faults.late(unknown()));

    CommitException given =
        assertThrows(
            CommitException.class, () -> fixture.protocol(faults).commit(request(one), List.of()));
    assertThat(faults.land(), is(empty()));
    CommitOutcome outcome = fixture.commit(one);

    assertThat(given.kind(), is(CommitException.Kind.UNKNOWN_OUTCOME));
    assertThat(given.permanent(), is(false));
    assertThat(outcome.status(), is(Status.ALREADY_COMMITTED));
    assertThat(fixture.livePaths(), is(paths(one)));
  }

  @Test
  public void conflictingAppendIsCommittedBehind() {
    WriterResult one = fixture.result(1);
    DataFile foreign = fixture.file(1);
    FaultyAccess faults =
        fixture
            .faults()
            .then(
                FaultyAccess.after(() -> fixture.table().newAppend().appendFile(foreign).commit()));

    CommitOutcome outcome = fixture.protocol(faults).commit(request(one), List.of());

    assertThat(outcome.snapshotId(), is(fixture.head().snapshotId()));
    assertThat(faults.commits(), is(2));
    assertThat(
        fixture.livePaths(), containsInAnyOrder(foreign.location(), one.files().get(0).location()));
  }

  @Test
  public void conflictingCompactionKeepsResultsRecognised() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    fixture.commit(one);
    DataFile compacted = fixture.file(10);
    FaultyAccess faults =
        fixture
            .faults()
            .then(
                FaultyAccess.after(
                    () ->
                        fixture
                            .table()
                            .newRewrite()
                            .deleteFile(one.files().get(0))
                            .addFile(compacted)
                            .commit()));

    fixture.protocol(faults).commit(request(one, two), List.of());

    assertThat(
        fixture.livePaths(),
        containsInAnyOrder(compacted.location(), two.files().get(0).location()));
  }

  @Test
  public void exhaustedRetriesAreAConflictThatMayBeRepeated() {
    fixture.table().updateProperties().set("commit.retry.num-retries", "1").commit();
    Runnable foreign = () -> fixture.table().newAppend().appendFile(fixture.file(1)).commit();
    FaultyAccess faults =
        fixture.faults().then(FaultyAccess.after(foreign)).then(FaultyAccess.after(foreign));
    WriterResult one = fixture.result(1);

    CommitException given =
        assertThrows(
            CommitException.class, () -> fixture.protocol(faults).commit(request(one), List.of()));

    assertThat(given.kind(), is(CommitException.Kind.CONFLICT));
    assertThat(given.category(), is(CommitException.Category.EXTERNAL));
    assertThat(fixture.commit(one).status(), is(Status.COMMITTED));
  }

  @Test
  public void expiryOfAllSnapshotsForgetsNothing() {
    WriterResult one = fixture.result(1, START);
    WriterResult two = fixture.result(2, START);
    CommitOutcome first = fixture.commit(one);
    fixture.commit(two);
    fixture.table().newAppend().appendFile(fixture.file(1)).commit();
    fixture.expireAll();

    CommitOutcome again = fixture.commit(one, two);

    assertThat(fixture.metadata().snapshots(), hasSize(1));
    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(again.commits().get(0).snapshotId(), is(first.snapshotId()));
    assertThat(again.commits().get(0).facts(), is(first.facts().withoutSketch()));
    assertThat(fixture.livePaths(), hasSize(3));
  }

  @Test
  public void taggedSnapshotOfAnExpiredChainIsNotTakenForRolledBack() {
    WriterResult one = fixture.result(1);
    CommitOutcome first = fixture.commit(one);
    fixture.table().manageSnapshots().createTag("keep", first.snapshotId()).commit();
    fixture.commit(fixture.result(2));
    fixture.commit(fixture.result(3));
    fixture.expireAll();

    CommitOutcome again = fixture.commit(one);

    assertThat(fixture.metadata().snapshot(first.snapshotId()), is(notNullValue()));
    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(fixture.livePaths(), hasSize(3));
  }

  @Test
  public void foreignSnapshotsAtTheHeadAreSkipped() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    fixture.commit(one);
    fixture.table().newAppend().commit();
    DataFile foreign = fixture.file(1);
    fixture.table().newAppend().appendFile(foreign).commit();
    fixture.table().newDelete().deleteFile(foreign).commit();
    fixture.table().rewriteManifests().clusterBy(file -> 1).commit();

    CommitOutcome outcome = fixture.commit(one, two);

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two).toArray()));
  }

  @Test
  public void thousandResultsFitOneCommitAndSpanChunks() {
    String uuid = fixture.uuid();
    String location = fixture.table().location();
    List<WriterResult> results = new ArrayList<>();
    for (long sequence = 1; sequence <= 1_000; sequence++) {
      DataFile file =
          DataFiles.builder(PartitionSpec.unpartitioned())
              .withPath(location + "/data/" + sequence + ".parquet")
              .withFileSizeInBytes(1)
              .withRecordCount(1)
              .build();
      results.add(WriterResult.of(sequence, uuid, ImmutableList.of(file)));
    }
    CommitRequest request = CommitRequest.of(TABLE, WRITER, results);

    fixture.protocol().commit(request, List.of());
    CommitOutcome again = fixture.protocol().commit(request, List.of());

    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(fixture.livePaths(), hasSize(1_000));
    assertThat(fixture.properties().get("tidemark.committed.eu.2"), is(notNullValue()));
    fixture.properties().values().forEach(value -> assertThat(value.length(), lessThan(4_000)));
    fixture
        .protocol()
        .commit(CommitRequest.of(TABLE, WRITER, List.of(fixture.result(1_001))), List.of());
    assertThat(fixture.properties().get("tidemark.committed.eu.1"), is(nullValue()));
  }

  @Test
  public void resultsOfSeveralSpecsLandTogether() {
    fixture.table().updateSpec().addField("region").commit();
    PartitionSpec regions = fixture.table().spec();
    DataFile partitioned =
        DataFiles.builder(regions)
            .withPath(fixture.table().location() + "/data/p.parquet")
            .withFileSizeInBytes(1)
            .withRecordCount(1)
            .withPartitionPath("region=eu")
            .build();
    DataFile plain = fixture.file(fixture.table().specs().get(0), 1);
    WriterResult result = WriterResult.of(1, fixture.uuid(), ImmutableList.of(partitioned, plain));

    fixture.commit(result);

    assertThat(fixture.livePaths(), containsInAnyOrder(paths(result).toArray()));
  }

  @Test
  public void fileOfAnUnknownSpecIsRefusedForGood() {
    PartitionSpec foreign =
        PartitionSpec.builderFor(CommitFixture.SCHEMA).withSpecId(7).identity("region").build();
    DataFile file =
        DataFiles.builder(foreign)
            .withPath("s3://elsewhere/p.parquet")
            .withFileSizeInBytes(1)
            .withRecordCount(1)
            .withPartitionPath("region=eu")
            .build();
    WriterResult result = WriterResult.of(1, fixture.uuid(), ImmutableList.of(file));

    CommitException given = assertThrows(CommitException.class, () -> fixture.commit(result));

    assertThat(given.kind(), is(CommitException.Kind.INVALID_FILES));
    assertThat(given.permanent(), is(true));
  }

  @Test
  public void tableWithStagedWritesIsRefused() {
    fixture.table().updateProperties().set("write.wap.enabled", "true").commit();

    CommitException given =
        assertThrows(CommitException.class, () -> fixture.commit(fixture.result(1)));

    assertThat(given.kind(), is(CommitException.Kind.STAGED));
  }

  @Test
  public void branchKeepsItsOwnRecord() {
    WriterResult one = fixture.result(1, START);
    fixture.commit(one);
    WriterResult other = fixture.result(1, START);

    CommitOutcome outcome =
        fixture.protocol().commit(request(other).withBranch("audit"), List.of());

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), is(paths(one)));
    assertThat(fixture.metadata().ref("audit").snapshotId(), is(outcome.snapshotId()));
    assertThat(fixture.properties().get("tidemark.audit.committed.eu.0"), containsString("c1:"));
    assertThat(
        fixture.metadata().snapshot(outcome.snapshotId()).summary(),
        hasEntry("tidemark.audit.writer", WRITER));
  }

  @Test
  public void writersDoNotMeet() {
    fixture.commit(fixture.result(1));
    CommitRequest other = CommitRequest.of(TABLE, "us", List.of(fixture.result(1)));

    assertThat(fixture.protocol().commit(other, List.of()).status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), hasSize(2));
  }

  @Test
  public void refusedPropertiesLeaveRowsAndReplaysRight() {
    WriterResult one = fixture.result(1, START);
    WriterResult two = fixture.result(2, START);
    FaultyAccess faults = fixture.faults();
    for (int i = 0; i < 2; i++) {
      faults.then(FaultyAccess.failBefore(new ForbiddenException("no properties")));
      faults.then((operations, base, metadata) -> operations.commit(base, metadata));
    }

    CommitOutcome first = fixture.protocol(faults).commit(request(one), List.of());
    CommitOutcome second = fixture.protocol(faults).commit(request(one, two), List.of());
    CommitOutcome again = fixture.commit(one, two);

    assertThat(first.propertiesRefused(), is(true));
    assertThat(second.propertiesRefused(), is(true));
    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(
        again.commits().stream().map(LandedCommit::snapshotId).toList(),
        contains(first.snapshotId(), second.snapshotId()));
    assertThat(TidemarkKeys.owned(fixture.properties()).entrySet(), is(empty()));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two).toArray()));
    assertThat(again.facts().minMillis(), is(START));
  }

  @Test
  public void refusedCommitIsForbidden() {
    FaultyAccess faults =
        fixture
            .faults()
            .then(FaultyAccess.failBefore(new ForbiddenException("no")))
            .then(FaultyAccess.failBefore(new ForbiddenException("no")));

    CommitException given =
        assertThrows(
            CommitException.class,
            () -> fixture.protocol(faults).commit(request(fixture.result(1)), List.of()));

    assertThat(given.kind(), is(CommitException.Kind.FORBIDDEN));
  }

  @Test
  public void hookAddsToTheSummaryOfEveryAttempt() {
    List<String> calls = new ArrayList<>();
    CommitHook hook =
        new CommitHook() {
          @Override
          public void beforeCommit(CommitContext context) {
            calls.add("before " + context.commitId());
            context.putSummary("shop.audit", "ok");
            if (calls.size() == 1) {
              fixture.table().newAppend().appendFile(fixture.file(1)).commit();
            }
          }

          @Override
          public void afterCommit(CommitContext context) {
            calls.add("after " + (context.snapshotId() == fixture.head().snapshotId()));
          }
        };

    fixture.protocol().commit(request(fixture.result(1)), List.of(hook));

    assertThat(calls, contains("before eu/1", "before eu/1", "after true"));
    assertThat(fixture.head().summary(), hasEntry("shop.audit", "ok"));
  }

  @Test
  public void hookAbortsTheCommit() {
    WriterResult one = fixture.result(1);
    CommitHook refusing =
        context -> {
          throw new java.io.IOException("not today");
        };

    CommitException given =
        assertThrows(
            CommitException.class,
            () -> fixture.protocol().commit(request(one), List.of(refusing)));

    assertThat(given.kind(), is(CommitException.Kind.HOOK_FAILED));
    assertThat(given.permanent(), is(false));
    assertThat(fixture.head(), is(nullValue()));
    assertThat(fixture.commit(one).status(), is(Status.COMMITTED));
  }

  @Test
  public void failureAfterTheCommitIsReportedAndRepeated() {
    WriterResult one = fixture.result(1);
    CommitHook failing =
        new CommitHook() {
          @Override
          public void beforeCommit(CommitContext context) {}

          @Override
          public void afterCommit(CommitContext context) throws Exception {
            throw new java.io.IOException("pager is down");
          }
        };

    CommitOutcome first = fixture.protocol().commit(request(one), List.of(failing));
    CommitOutcome again = fixture.protocol().commit(request(one), List.of(failing));

    assertThat(first.status(), is(Status.COMMITTED));
    assertThat(first.hookFailures(), hasSize(1));
    assertThat(again.hookFailures(), hasSize(1));
  }

  @Test
  public void hookCannotChangeTheTableItIsShown() {
    CommitHook changing = context -> context.table().updateProperties().set("a", "b").commit();

    CommitException given =
        assertThrows(
            CommitException.class,
            () -> fixture.protocol().commit(request(fixture.result(1)), List.of(changing)));

    assertThat(given.getCause().getMessage(), containsString("Change it outside of the hook"));
  }

  @Test
  public void reservedSummaryKeysAreRefusedEarly() {
    for (String key :
        Set.of(
            "added-records", "tidemark.writer", "wap.id", "partitions.x", "operation", "flink.x")) {
      CommitHook hook = context -> context.putSummary(key, "1");
      CommitException given =
          assertThrows(
              key,
              CommitException.class,
              () -> fixture.protocol().commit(request(fixture.result(1)), List.of(hook)));
      assertThat(given.getCause().getMessage(), containsString("Invalid summary key: " + key));
    }
    assertThat(fixture.head(), is(nullValue()));
  }

  @Test
  public void accumulatorsReadAsSummaryEntriesOfWhatIsCommitted() {
    WriterResult one = fixture.result(1).withAccumulators(Map.of("kinds", 3L));
    WriterResult two = fixture.result(2).withAccumulators(Map.of("kinds", 4L));
    fixture.commit(one);
    AccumulatorEntries sum =
        results ->
            Map.of(
                "kinds.insert",
                Long.toString(
                    results.stream().mapToLong(r -> (Long) r.accumulators().get("kinds")).sum()));

    fixture.protocol().commit(request(one, two).withAccumulatorEntries(sum), List.of());

    assertThat(fixture.head().summary(), hasEntry("tidemark.acc.kinds.insert", "4"));
  }

  @Test
  public void factsAboveTheLimitAreDroppedAndCounted() {
    long[] times = LongStream.range(0, 500).map(i -> START + i * 977_311L).toArray();
    WriterResult one = fixture.result(1, times);

    CommitOutcome outcome =
        fixture.protocol().commit(request(one).withFactsLimitBytes(256), List.of());

    Map<String, String> summary = fixture.head().summary();
    assertThat(outcome.droppedFacts() > 0, is(true));
    assertThat(summary.containsKey("tidemark.event-time.sketch"), is(false));
    assertThat(summary, hasEntry("tidemark.event-time.count", "500"));
    assertThat(summary, hasEntry("tidemark.event-time.min", Long.toString(START)));
  }

  @Test
  public void summaryAloneGivesFactsBack() {
    WriterResult one = fixture.result(1, START, START + 5);
    CommitOutcome outcome = fixture.commit(one);
    Snapshot snapshot = fixture.metadata().snapshot(outcome.snapshotId());

    assertThat(
        FactsSummary.decode(TidemarkKeys.main(), WRITER, snapshot).sketch(),
        is(outcome.facts().sketch()));
  }

  @Test
  public void commitBelowTheWatermarkIsReportedLate() {
    fixture
        .table()
        .updateProperties()
        .set("tidemark.finalized-until", "2024-05-01T12:00:00Z")
        .commit();
    WriterResult late = fixture.result(1, START + 1, START + HOUR, START + 2 * HOUR);

    CommitOutcome outcome = fixture.commit(late);
    fixture
        .table()
        .updateProperties()
        .set("tidemark.finalized-until", "2024-05-01T20:00:00Z")
        .commit();
    CommitOutcome again = fixture.commit(late);

    assertThat(outcome.storedWatermarkBefore(), is(START + 2 * HOUR));
    assertThat(outcome.lateness().lateByHour(), equalTo(Map.of(START, 1L, START + HOUR, 1L)));
    assertThat(again.lateness().lateByHour(), equalTo(outcome.lateness().lateByHour()));
  }

  @Test
  public void commitWithoutFactsStopsThePolicyRatherThanLookingComplete() {
    fixture.commit(fixture.result(1, START));
    fixture.commit(fixture.result(2));

    String text = WindowProperty.chunks(TidemarkKeys.main(), WRITER).read(fixture.properties());

    assertThat(dev.tidemark.finalization.WriterWindow.fromText(text).newest().isKnown(), is(false));
  }

  @Test
  public void takenOverTableClaimsNothingUpToTheFirstCommit() {
    fixture.table().newAppend().appendFile(fixture.file(5)).commit();

    fixture.commit(fixture.result(1, START - 24 * HOUR, START + 1));

    assertThat(fixture.properties(), hasEntry("tidemark.finalized-since", "2024-05-01T11:00:00Z"));
  }

  @Test
  public void recordOfResultsStaysSmallAboveTheFloor() {
    for (int i = 1; i <= 20; i++) {
      fixture
          .protocol()
          .commit(CommitRequest.of(TABLE, WRITER, List.of(fixture.result(i))), List.of());
    }

    CommittedRecord record =
        CommittedRecord.fromText(
            CommittedRecord.chunks(TidemarkKeys.main(), WRITER).read(fixture.properties()));

    assertThat(record.entries().keySet(), contains(20L));
    assertThat(record.anchor().sequence(), is(19L));
  }

  @Test
  public void recordOverflowFailsTheCommit() {
    String uuid = fixture.uuid();
    List<WriterResult> results = new ArrayList<>();
    for (long sequence = 1; sequence <= 25_000; sequence++) {
      results.add(WriterResult.of(sequence, uuid, ImmutableList.of()));
    }

    CommitException given =
        assertThrows(
            CommitException.class,
            () -> fixture.protocol().commit(CommitRequest.of(TABLE, WRITER, results), List.of()));

    assertThat(given.kind(), is(CommitException.Kind.RECORD_OVERFLOW));
    assertThat(fixture.head(), is(nullValue()));
  }

  @Test
  public void damagedRecordStopsTheWriter() {
    fixture.commit(fixture.result(1));
    fixture.table().updateProperties().set("tidemark.committed.eu.0", "1;c1:AAAAAAAA").commit();

    CommitException given =
        assertThrows(CommitException.class, () -> fixture.commit(fixture.result(2)));

    assertThat(given.kind(), is(CommitException.Kind.RECORD_UNREADABLE));
  }

  @Test
  public void metadataSizeIsReported() {
    CommitOutcome outcome = fixture.commit(fixture.result(1));

    assertThat(outcome.metadataBytes(), is(not(-1L)));
    assertThat(outcome.metadataTooLarge(), is(false));
    assertThat(
        outcome.toBuilder()
            .setMetadataBytes(CommitOutcome.METADATA_WARN_BYTES + 1)
            .build()
            .metadataTooLarge(),
        is(true));
  }
}
