package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.START;
import static dev.tidemark.commit.CommitFixture.TABLE;
import static dev.tidemark.commit.CommitFixture.WRITER;
import static dev.tidemark.commit.CommitFixture.paths;
import static dev.tidemark.commit.CommitFixture.request;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;
import static org.junit.Assume.assumeThat;

import dev.tidemark.commit.CommitException.Kind;
import dev.tidemark.commit.CommitOutcome.Status;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Tables and runners that moved back, went away, or meet somebody else. */
@RunWith(Parameterized.class)
public final class RewindTest {
  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public RewindTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  private CommitException refused(CommitRequest request) {
    return assertThrows(CommitException.class, () -> fixture.protocol().commit(request, List.of()));
  }

  @Test
  public void otherFilesUnderAKnownSequenceAreARewind() {
    CommitOutcome first = fixture.commit(fixture.result(1));
    CommitOutcome second = fixture.commit(fixture.result(2));
    fixture.commit(fixture.result(3));

    CommitException given = refused(request(fixture.result(2)));

    assertThat(given.kind(), is(Kind.REWOUND));
    assertThat(given.permanent(), is(true));
    assertThat(given.park(), is(false));
    assertThat(
        given.getMessage(),
        allOf(
            containsString("table db.events"),
            containsString("writer eu"),
            containsString("sequence 2"),
            containsString("up to sequence 3"),
            containsString("in snapshot " + second.snapshotId()),
            containsString("Roll the table back to snapshot " + first.snapshotId()),
            containsString("PARK"),
            containsString("ACCEPT")));
    assertThat(fixture.livePaths(), hasSize(3));
  }

  @Test
  public void theRemedyWorksWhereTheRunnerRestartsFromThatCheckpoint() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    CommitOutcome first = fixture.commit(one);
    fixture.commit(two);
    fixture.commit(fixture.result(3));
    WriterResult twoAgain = fixture.result(2);
    WriterResult threeAgain = fixture.result(3);
    assertThat(refused(request(twoAgain)).kind(), is(Kind.REWOUND));

    fixture.rollbackTo(first.snapshotId());
    CommitOutcome outcome = fixture.commit(one, twoAgain);
    fixture.commit(threeAgain);

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, twoAgain, threeAgain).toArray()));
  }

  @Test
  public void theRemedyWorksWhereDigestsAreForgottenAndSnapshotsExpired() {
    WriterResult one = fixture.result(1);
    CommitOutcome first = fixture.commit(one);
    for (int i = 2; i <= 5; i++) {
      fixture
          .protocol()
          .commit(CommitRequest.of(TABLE, WRITER, List.of(fixture.result(i))), List.of());
    }
    fixture.rollbackTo(first.snapshotId());
    fixture.expireAll();
    WriterResult two = fixture.result(2);

    CommitOutcome outcome = fixture.commit(two);

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two).toArray()));
  }

  @Test
  public void resultThatWasRolledBackIsCommittedAgain() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2, START);
    CommitOutcome first = fixture.commit(one);
    CommitOutcome second = fixture.commit(two);
    fixture.rollbackTo(first.snapshotId());

    CommitOutcome again = fixture.commit(one, two);

    assertThat(again.status(), is(Status.COMMITTED));
    assertThat(again.snapshotId() == second.snapshotId(), is(false));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two).toArray()));
    assertThat(fixture.commit(one, two).status(), is(Status.ALREADY_COMMITTED));
  }

  @Test
  public void factsOfRolledBackCommitsLeaveTheWindow() {
    WriterResult one = fixture.result(1, START);
    CommitOutcome first = fixture.commit(one);
    fixture.commit(fixture.result(2, START + 1));
    fixture.rollbackTo(first.snapshotId());

    CommitOutcome again = fixture.commit(fixture.result(2, START + 2));

    WriterWindow window = WindowProperty.read(fixture.properties(), TidemarkKeys.main(), WRITER);
    assertThat(
        window.facts().stream().map(CommitFacts::snapshotId).toList(),
        contains(first.snapshotId(), again.snapshotId()));
  }

  @Test
  public void runningPipelineNoticesARollbackUnderneathIt() {
    CommitOutcome first = fixture.commit(fixture.result(1));
    fixture.commit(fixture.result(2));
    fixture.commit(fixture.result(3));
    fixture.rollbackTo(first.snapshotId());

    CommitException given = refused(request(fixture.result(4)));

    assertThat(given.kind(), is(Kind.ROLLED_BACK));
    assertThat(
        given.getMessage(),
        allOf(
            containsString("up to sequence 1 only"),
            containsString("head: snapshot " + first.snapshotId()),
            containsString("Restart the pipeline from the checkpoint")));
  }

  @Test
  public void rollbackBelowForgottenDigestsIsNoticed() {
    CommitOutcome first = fixture.commit(fixture.result(1));
    for (int i = 2; i <= 4; i++) {
      fixture
          .protocol()
          .commit(CommitRequest.of(TABLE, WRITER, List.of(fixture.result(i))), List.of());
    }
    fixture.rollbackTo(first.snapshotId());

    assertThat(
        refused(CommitRequest.of(TABLE, WRITER, List.of(fixture.result(4)))).kind(),
        is(Kind.ROLLED_BACK));
    assertThat(
        refused(CommitRequest.of(TABLE, WRITER, List.of(fixture.result(5)))).kind(),
        is(Kind.ROLLED_BACK));
  }

  @Test
  public void cherryPickedResultCountsAsHeld() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    CommitOutcome first = fixture.commit(one);
    CommitOutcome second = fixture.commit(two);
    fixture.rollbackTo(first.snapshotId());
    fixture.table().newAppend().appendFile(fixture.file(1)).commit();
    fixture.table().manageSnapshots().cherrypick(second.snapshotId()).commit();

    CommitOutcome again = fixture.commit(one, two);

    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(fixture.head().summary().containsKey("tidemark.writer"), is(false));
    assertThat(fixture.livePaths(), hasSize(3));
  }

  @Test
  public void holeLeftByACherryPickIsNoticedAndCanBeFilled() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    WriterResult three = fixture.result(3);
    CommitOutcome first = fixture.commit(one);
    fixture.commit(two);
    CommitOutcome third = fixture.commit(three);
    fixture.rollbackTo(first.snapshotId());
    fixture.table().newAppend().appendFile(fixture.file(1)).commit();
    fixture.table().manageSnapshots().cherrypick(third.snapshotId()).commit();

    CommitException given = refused(request(fixture.result(4)));
    fixture.commit(two);
    fixture.commit(fixture.result(4));

    assertThat(given.kind(), is(Kind.ROLLED_BACK));
    assertThat(given.getMessage(), containsString("up to sequence 1 only"));
    assertThat(fixture.livePaths(), hasSize(5));
    assertThat(fixture.livePaths().containsAll(paths(one, two, three)), is(true));
  }

  @Test
  public void holesAreFilledOneByOne() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    WriterResult three = fixture.result(3);
    CommitOutcome first = fixture.commit(one);
    fixture.commit(two);
    fixture.commit(three);
    CommitOutcome fourth = fixture.commit(fixture.result(4));
    fixture.rollbackTo(first.snapshotId());
    fixture.table().newAppend().appendFile(fixture.file(1)).commit();
    fixture.table().manageSnapshots().cherrypick(fourth.snapshotId()).commit();

    fixture.commit(two);
    CommitException given = refused(request(fixture.result(5)));
    fixture.commit(three);

    assertThat(given.getMessage(), containsString("up to sequence 2 only"));
    assertThat(fixture.commit(fixture.result(5)).status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), hasSize(6));
  }

  @Test
  public void secondLivePipelineWithOneWriterIdIsRefused() {
    WriterResult ours = fixture.result(1);
    fixture.commit(ours);

    CommitException given = refused(request(fixture.result(1)));

    assertThat(given.kind(), is(Kind.REWOUND));
    assertThat(given.getMessage(), containsString("a second pipeline runs under this writer id"));
    assertThat(fixture.commit(fixture.result(2)).status(), is(Status.COMMITTED));
  }

  @Test
  public void clonesOfOnePipelineMeetAtTheNextSequence() {
    WriterResult shared = fixture.result(1);
    fixture.commit(shared);
    WriterResult ours = fixture.result(2);
    fixture.commit(shared, ours);

    assertThat(refused(request(shared, fixture.result(2))).kind(), is(Kind.REWOUND));
  }

  @Test
  public void gapIsRefused() {
    fixture.commit(fixture.result(1));

    CommitException given = refused(request(fixture.result(3)));

    assertThat(given.kind(), is(Kind.RESULTS_MISSING));
    assertThat(given.getMessage(), containsString("up to sequence 1 only"));
  }

  @Test
  public void startBehindNothingIsRefused() {
    assertThat(refused(request(fixture.result(5))).kind(), is(Kind.RESULTS_MISSING));
  }

  @Test
  public void resultsOfADroppedTableAreRefused() {
    WriterResult old = fixture.result(1);
    String oldUuid = fixture.uuid();
    fixture.createTable(Map.of());

    CommitException given = refused(request(old));

    assertThat(given.kind(), is(Kind.TABLE_RECREATED));
    assertThat(
        given.getMessage(),
        allOf(containsString(oldUuid), containsString(fixture.uuid()), containsString("PARK")));
  }

  @Test
  public void laterResultsOfADroppedTableAreMissed() {
    fixture.commit(fixture.result(1));
    fixture.createTable(Map.of());

    assertThat(refused(request(fixture.result(2))).kind(), is(Kind.RESULTS_MISSING));
  }

  @Test
  public void missingTableIsPermanent() {
    WriterResult one = fixture.result(1);
    fixture.catalog().dropTable(TABLE, false);

    CommitException given = refused(request(one));

    assertThat(given.kind(), is(Kind.TABLE_MISSING));
    assertThat(given.permanent(), is(true));
  }

  @Test
  public void tableDroppedDuringTheCommitIsMissing() {
    assumeThat(
        "A Hadoop catalog compares version numbers only, so it cannot tell the tables apart",
        fixture.kind(),
        is(not(CatalogKind.HADOOP)));
    WriterResult one = fixture.result(1);
    FaultyAccess faults =
        fixture.faults().then(FaultyAccess.after(() -> fixture.catalog().dropTable(TABLE, false)));

    CommitException given =
        assertThrows(
            CommitException.class, () -> fixture.protocol(faults).commit(request(one), List.of()));

    assertThat(given.kind(), is(Kind.TABLE_MISSING));
  }

  @Test
  public void tableRecreatedDuringTheCommitIsNotWrittenTo() {
    assumeThat(
        "A Hadoop catalog compares version numbers only, so it cannot tell the tables apart",
        fixture.kind(),
        is(not(CatalogKind.HADOOP)));
    WriterResult one = fixture.result(1);
    FaultyAccess faults =
        fixture.faults().then(FaultyAccess.after(() -> fixture.createTable(Map.of())));

    CommitException given =
        assertThrows(
            CommitException.class, () -> fixture.protocol(faults).commit(request(one), List.of()));

    assertThat(given.kind(), is(Kind.TABLE_RECREATED));
    assertThat(fixture.livePaths(), hasSize(0));
  }

  @Test
  public void parkIsFailWithAMark() {
    fixture.commit(fixture.result(1));

    CommitException given = refused(request(fixture.result(1)).withOnRewind(RewindPolicy.PARK));

    assertThat(given.kind(), is(Kind.REWOUND));
    assertThat(given.park(), is(true));
  }

  @Test
  public void acceptedRewindGoesOnAndSaysSo() {
    WriterResult one = fixture.result(1);
    fixture.commit(one);
    fixture.commit(fixture.result(2));
    WriterResult twoAgain = fixture.result(2);
    CommitRequest request = request(one, twoAgain).withOnRewind(RewindPolicy.ACCEPT);

    CommitOutcome outcome = fixture.protocol().commit(request, List.of());

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(outcome.acceptedRewind(), is(true));
    assertThat(fixture.head().summary(), hasEntry("tidemark.rewind", "accepted"));
    assertThat(fixture.head().summary(), hasEntry("tidemark.committed", "2"));
    assertThat(fixture.livePaths(), hasSize(3));
    assertThat(fixture.commit(one, twoAgain).status(), is(Status.ALREADY_COMMITTED));
    assertThat(fixture.commit(fixture.result(3)).status(), is(Status.COMMITTED));
  }

  @Test
  public void acceptedGapGoesOn() {
    CommitRequest request = request(fixture.result(7)).withOnRewind(RewindPolicy.ACCEPT);

    assertThat(fixture.protocol().commit(request, List.of()).acceptedRewind(), is(true));
    assertThat(fixture.commit(fixture.result(8)).status(), is(Status.COMMITTED));
  }

  @Test
  public void acceptedRecreationLeavesOldFilesOut() {
    WriterResult old = fixture.result(1);
    fixture.createTable(Map.of());
    WriterResult fresh = fixture.result(2);
    CommitRequest request = request(old, fresh).withOnRewind(RewindPolicy.ACCEPT);

    CommitOutcome outcome = fixture.protocol().commit(request, List.of());

    assertThat(outcome.refusedFiles(), is(paths(old)));
    assertThat(fixture.livePaths(), is(paths(fresh)));
  }

  @Test
  public void removedPropertiesAreMadeUpForBySummariesAndFiles() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    fixture.commit(one);
    fixture.commit(two);
    fixture.table().updateProperties().remove("tidemark.committed.eu.0").commit();

    CommitOutcome again = fixture.commit(one, two);

    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(refused(request(fixture.result(2))).kind(), is(Kind.REWOUND));
    assertThat(fixture.commit(fixture.result(3)).status(), is(Status.COMMITTED));
  }

  @Test
  public void cloneDoesNotInheritTheRecord() {
    fixture.commit(fixture.result(1, START));
    Map<String, String> copied = TidemarkKeys.owned(fixture.properties());
    fixture.createTable(copied);
    WriterResult one = fixture.result(1, START);

    assertThat(fixture.commit(one).status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), is(paths(one)));
  }

  @Test
  public void olderMetadataAtTheHeadIsARewindOfTheTable() {
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    fixture.commit(one);
    TableMetadata older = fixture.metadata();
    fixture.commit(two);
    // What an operator does who restores an older metadata file: head and properties go back
    // together.
    TableOperations operations = fixture.operations();
    TableMetadata base = operations.refresh();
    operations.commit(
        base,
        TableMetadata.buildFrom(base)
            .setBranchSnapshot(older.currentSnapshot().snapshotId(), "main")
            .setProperties(TidemarkKeys.owned(older.properties()))
            .build());

    assertThat(refused(request(fixture.result(3))).kind(), is(Kind.RESULTS_MISSING));
    assertThat(fixture.commit(one, two).status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two).toArray()));
  }

  @Test
  public void oldFormatTablesAreJudgedByAncestry() {
    fixture.createTable(Map.of("format-version", "1"));
    WriterResult one = fixture.result(1);
    WriterResult two = fixture.result(2);
    CommitOutcome first = fixture.commit(one);
    fixture.commit(two);
    fixture.rollbackTo(first.snapshotId());

    assertThat(refused(request(fixture.result(3))).kind(), is(Kind.ROLLED_BACK));
    fixture.commit(one, two);
    fixture.expireAll();

    assertThat(fixture.commit(one, two).status(), is(Status.ALREADY_COMMITTED));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(one, two).toArray()));
  }
}
