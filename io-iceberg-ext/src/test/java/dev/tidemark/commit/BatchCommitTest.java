package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.START;
import static dev.tidemark.commit.CommitFixture.paths;
import static dev.tidemark.commit.CommitFixture.request;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.CommitOutcome.Status;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Batches: the first attempt wins, and nothing else of them stays unaccounted for. */
@RunWith(Parameterized.class)
public final class BatchCommitTest {
  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public BatchCommitTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  private CommitOutcome batch(String run, String window, WriterResult... results) {
    return fixture.protocol().commitBatch(request(results), run, window, List.of());
  }

  @Test
  public void firstAttemptWinsAndLaterFilesAreOrphans() {
    WriterResult first = fixture.result(1, START);
    WriterResult retry = fixture.result(1, START);
    CommitOutcome won = batch("r1", "all", first);

    CommitOutcome lost = batch("r1", "all", retry);

    assertThat(won.status(), is(Status.COMMITTED));
    assertThat(fixture.head().summary(), hasEntry("tidemark.committed", "batch:r1:all"));
    assertThat(lost.status(), is(Status.ALREADY_COMMITTED));
    assertThat(lost.snapshotId(), is(won.snapshotId()));
    assertThat(lost.orphanFiles(), is(paths(retry)));
    assertThat(lost.facts(), is(won.facts().withoutSketch()));
    assertThat(fixture.livePaths(), is(paths(first)));
  }

  @Test
  public void liveFileIsNeverCalledAnOrphan() {
    DataFile kept = fixture.file(1);
    DataFile redone = fixture.file(1);
    WriterResult first =
        WriterResult.of(1, fixture.uuid(), ImmutableList.of(kept, fixture.file(1)));
    WriterResult retry = WriterResult.of(1, fixture.uuid(), ImmutableList.of(kept, redone));
    batch("r1", "all", first);

    CommitOutcome lost = batch("r1", "all", retry);

    assertThat(lost.orphanFiles(), contains(redone.location()));
  }

  @Test
  public void sameAttemptAgainHasNoOrphans() {
    WriterResult first = fixture.result(1);
    batch("r1", "all", first);

    CommitOutcome again = batch("r1", "all", first);

    assertThat(again.status(), is(Status.ALREADY_COMMITTED));
    assertThat(again.orphanFiles(), is(empty()));
    assertThat(again.orphansUnknown(), is(false));
  }

  @Test
  public void expiryLeavesOrphansUnknown() {
    batch("r1", "all", fixture.result(1));
    fixture.table().newAppend().appendFile(fixture.file(1)).commit();
    fixture.expireAll();

    CommitOutcome lost = batch("r1", "all", fixture.result(1));

    assertThat(lost.status(), is(Status.ALREADY_COMMITTED));
    assertThat(lost.orphanFiles(), is(empty()));
    assertThat(lost.orphansUnknown(), is(true));
  }

  @Test
  public void windowsAndRunsAreApart() {
    batch("r1", "w1", fixture.result(1));
    batch("r1", "w2", fixture.result(1));
    batch("r2", "w1", fixture.result(1));

    assertThat(fixture.livePaths(), hasSize(3));
    assertThat(batch("r1", "w1", fixture.result(1)).status(), is(Status.ALREADY_COMMITTED));
  }

  @Test
  public void batchesAndStreamOfOneWriterDoNotMeet() {
    fixture.commit(fixture.result(1));
    batch("r1", "all", fixture.result(1));

    assertThat(fixture.commit(fixture.result(2)).status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), hasSize(3));
  }

  @Test
  public void lostAcknowledgementIsRecognised() {
    WriterResult first = fixture.result(1);
    FaultyAccess faults =
        fixture
            .faults()
            .then(
                FaultyAccess.failAfter(
                    new CommitStateUnknownException(new IllegalStateException("lost"))));

    CommitOutcome outcome =
        fixture.protocol(faults).commitBatch(request(first), "r1", "all", List.of());

    assertThat(outcome.status(), is(Status.COMMITTED));
    assertThat(outcome.orphanFiles(), is(empty()));
    assertThat(fixture.livePaths(), is(paths(first)));
  }

  @Test
  public void rolledBackBatchIsCommittedAgain() {
    fixture.table().newAppend().appendFile(fixture.file(1)).commit();
    long before = fixture.head().snapshotId();
    batch("r1", "all", fixture.result(1));
    fixture.rollbackTo(before);
    WriterResult retry = fixture.result(1);

    assertThat(batch("r1", "all", retry).status(), is(Status.COMMITTED));
    assertThat(fixture.livePaths(), hasSize(2));
  }

  @Test
  public void removedPropertiesAreMadeUpForBySummaries() {
    WriterResult first = fixture.result(1);
    batch("r1", "all", first);
    fixture.table().updateProperties().remove("tidemark.committed-batch.eu.0").commit();

    assertThat(batch("r1", "all", fixture.result(1)).status(), is(Status.ALREADY_COMMITTED));
    assertThat(fixture.livePaths(), containsInAnyOrder(paths(first).toArray()));
  }

  @Test
  public void oldRunsAreForgottenAfterAMonth() {
    batch("r1", "all", fixture.result(1));
    fixture.setNow(START + BatchRecord.KEPT_MILLIS + 1);
    batch("r2", "all", fixture.result(1));

    BatchRecord record =
        BatchRecord.fromText(
            BatchRecord.chunks(TidemarkKeys.main(), "eu").read(fixture.properties()));

    assertThat(record.entries().keySet(), contains("batch:r2:all"));
  }

  @Test
  public void invalidNamesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> batch("r 1", "all", fixture.result(1)));
    assertThrows(IllegalArgumentException.class, () -> batch("r1", "a\nb", fixture.result(1)));
  }
}
