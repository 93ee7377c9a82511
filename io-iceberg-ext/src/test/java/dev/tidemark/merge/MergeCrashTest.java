package dev.tidemark.merge;

import static dev.tidemark.merge.MergeFixture.CHANGES;
import static dev.tidemark.merge.MergeFixture.HOUR;
import static dev.tidemark.merge.MergeFixture.spec;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.CatalogKind;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.FaultyAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** A run ends at any point; the next one does what is left, and no more. */
@RunWith(Parameterized.class)
public class MergeCrashTest {
  private static final String TAG = "tidemark-consumed-shop.orders";

  /** Not an exception, so that nothing on the way handles it. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Parameters(name = "{0}")
  public static CatalogKind[] kinds() {
    return CatalogKind.values();
  }

  @Rule public final MergeFixture tables;

  public MergeCrashTest(CatalogKind kind) {
    this.tables = new MergeFixture(kind);
  }

  private void crash(MergeProbe.Step at) {
    assertThrows(
        Crash.class,
        () ->
            tables.merge(
                spec().withThreads(1),
                step -> {
                  if (step == at) {
                    throw new Crash();
                  }
                }));
  }

  private List<Snapshot> merges() {
    List<Snapshot> merges = new ArrayList<>();
    for (Snapshot snapshot : tables.base().snapshots()) {
      if (snapshot.summary().containsKey("tidemark.merged")) {
        merges.add(snapshot);
      }
    }
    return merges;
  }

  @Test
  public void firstMergeSurvivesACrashAtEachPoint() {
    for (MergeProbe.Step step : MergeProbe.Step.values()) {
      tables.createTables(2);
      tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "eu", 20));
      tables.finalizeUntil(CHANGES, HOUR);
      crash(step);
      tables.append(tables.change("+U", 1L, "us", 11));
      tables.expire(CHANGES);
      MergeResult result = tables.merge(spec());
      assertThat(
          step.name(),
          tables.rows(),
          equalTo(Map.of(1L, List.of("us", 11), 2L, List.of("eu", 20))));
      assertThat(step.name(), result.finalizedUntilMillis(), is(HOUR));
      assertTag(step);
      drop();
    }
  }

  @Test
  public void laterMergeSurvivesACrashAtEachPoint() {
    for (MergeProbe.Step step : MergeProbe.Step.values()) {
      tables.createTables(2);
      tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "eu", 20));
      tables.merge(spec());
      tables.append(tables.change("+U", 1L, "us", 11), tables.change("-D", 2L, null, null));
      tables.finalizeUntil(CHANGES, HOUR);
      crash(step);
      MergeResult result = tables.merge(spec());
      assertThat(step.name(), tables.rows(), equalTo(Map.of(1L, List.of("us", 11))));
      assertThat(step.name(), result.finalizedUntilMillis(), is(HOUR));
      assertThat(step.name(), merges(), hasSize(2));
      boolean committed = step.compareTo(MergeProbe.Step.COMMITTED) >= 0;
      assertThat(
          step.name(),
          result.status(),
          is(committed ? MergeResult.Status.NOTHING : MergeResult.Status.MERGED));
      assertTag(step);
      drop();
    }
  }

  @Test
  public void rangeIsNotLostIfTheConsumedSnapshotExpiresBeforeItsTag() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "eu", 20));
    tables.merge(spec());
    tables.append(tables.change("+U", 1L, "us", 11));
    crash(MergeProbe.Step.COMMITTED);
    tables.append(tables.change("+U", 1L, "asia", 12));
    tables.append(tables.change("-D", 2L, null, null));
    tables.expire(CHANGES);
    tables.merge(spec());
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("asia", 12))));
  }

  @Test
  public void lostAnswerIsLookedForAndNotCommittedTwice() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    FaultyAccess access =
        new FaultyAccess(tables.catalog())
            .then(
                FaultyAccess.failAfter(
                    new CommitStateUnknownException(new RuntimeException("timed out"))));
    MergeResult result = tables.merge(spec(), access, MergeProbe.NONE);
    assertThat(result.status(), is(MergeResult.Status.MERGED));
    assertThat(result.replans(), is(0));
    assertThat(ImmutableList.copyOf(tables.base().snapshots()), hasSize(1));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 10))));
  }

  @Test
  public void requestThatNeverArrivedIsSentAgain() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    FaultyAccess access =
        new FaultyAccess(tables.catalog())
            .then(
                FaultyAccess.failBefore(
                    new CommitStateUnknownException(new RuntimeException("timed out"))));
    assertThat(
        tables.merge(spec(), access, MergeProbe.NONE).status(), is(MergeResult.Status.MERGED));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 10))));
  }

  @Test
  public void filesThatMayBeCommittedAreKept() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    FaultyAccess access = new FaultyAccess(tables.catalog());
    RuntimeException failure = new CommitStateUnknownException(new RuntimeException("timed out"));
    // The request is held up; so is every further attempt.
    access.then(access.late(failure));
    for (int i = 0; i < 10; i++) {
      access.then(FaultyAccess.failBefore(failure));
    }
    CommitException unknown =
        assertThrows(CommitException.class, () -> tables.merge(spec(), access, MergeProbe.NONE));
    assertThat(unknown.kind(), is(CommitException.Kind.UNKNOWN_OUTCOME));
    assertThat(access.land(), hasSize(0));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 10))));
    assertThat(tables.merge(spec()).status(), is(MergeResult.Status.NOTHING));
  }

  private void assertTag(MergeProbe.Step step) {
    assertThat(
        step.name(),
        tables.changes().refs().get(TAG).snapshotId(),
        is(tables.changes().currentSnapshot().snapshotId()));
  }

  private void drop() {
    tables.catalog().dropTable(MergeFixture.BASE, true);
    tables.catalog().dropTable(CHANGES, true);
  }
}
