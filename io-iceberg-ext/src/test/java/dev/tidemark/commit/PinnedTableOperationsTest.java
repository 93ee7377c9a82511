package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.TABLE;
import static dev.tidemark.commit.CommitFixture.request;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import java.io.File;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * What becomes of the manifests of an attempt that did not succeed, and how long is waited after
 * it.
 */
@RunWith(Parameterized.class)
public final class PinnedTableOperationsTest {
  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public PinnedTableOperationsTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  private int avroFiles() {
    File[] files =
        new File(URI.create("file:" + path(fixture.table().location()) + "/metadata"))
            .listFiles((folder, name) -> name.endsWith(".avro"));
    return files == null ? 0 : files.length;
  }

  private static String path(String location) {
    return location.replaceFirst("^file:/*", "/");
  }

  /**
   * One commit that loses against another one, and then wins; returns how many manifests that
   * leaves.
   */
  private int afterConflict(FaultyAccess.Fault fault) {
    FaultyAccess faults = fixture.faults().then(fault);
    fixture.protocol(faults).commit(request(fixture.result(1)), List.of());
    return avroFiles();
  }

  @Test
  public void provenConflictIsCleanedUpOnlyWhereRequestsAreNotResent() {
    int left =
        afterConflict(
            FaultyAccess.after(
                () -> fixture.table().newAppend().appendFile(fixture.file(1)).commit()));

    // Two snapshots have a manifest list and a manifest each; the lost attempt had the same.
    assertThat(left, is(fixture.kind() == CatalogKind.REST ? 6 : 4));
  }

  @Test
  public void conflictWithACauseIsNotCleanedUp() {
    int left =
        afterConflict(
            FaultyAccess.failBefore(
                new CommitFailedException(new IllegalStateException("rename"), "rename failed")));

    assertThat(left, is(4));
  }

  @Test
  public void waitsGrowWithinTheTablesBounds() {
    fixture
        .table()
        .updateProperties()
        .set("commit.retry.num-retries", "6")
        .set("commit.retry.min-wait-ms", "100")
        .set("commit.retry.max-wait-ms", "1000")
        .commit();
    FaultyAccess faults = fixture.faults();
    for (int i = 0; i < 7; i++) {
      faults.then(FaultyAccess.failBefore(new CommitFailedException("no")));
    }
    List<Long> waits = new ArrayList<>();
    CommitProtocol protocol = new CommitProtocol(faults, fixture.clock(), waits::add);

    assertThrows(
        CommitException.class, () -> protocol.commit(request(fixture.result(1)), List.of()));

    long[] bounds = {100, 200, 400, 800, 1_000, 1_000};
    assertThat(waits.size(), is(bounds.length));
    for (int i = 0; i < bounds.length; i++) {
      assertThat(waits.get(i), greaterThan(bounds[i] / 2 - 1));
      assertThat(bounds[i] + 1, greaterThan(waits.get(i)));
    }
  }

  @Test
  public void interruptionBetweenAttemptsIsReported() {
    FaultyAccess faults =
        fixture.faults().then(FaultyAccess.failBefore(new CommitFailedException("no")));
    CommitProtocol protocol =
        new CommitProtocol(
            faults,
            fixture.clock(),
            millis -> {
              throw new InterruptedException();
            });

    CommitException given =
        assertThrows(
            CommitException.class, () -> protocol.commit(request(fixture.result(1)), List.of()));

    assertThat(given.kind(), is(CommitException.Kind.INTERRUPTED));
    assertThat(Thread.interrupted(), is(true));
  }

  @Test
  public void totalTimeBoundsTheAttempts() {
    fixture.table().updateProperties().set("commit.retry.total-timeout-ms", "1000").commit();
    FaultyAccess faults = fixture.faults();
    for (int i = 0; i < 3; i++) {
      faults.then(FaultyAccess.failBefore(new CommitFailedException("no")));
    }
    long start = fixture.clock().millis();
    CommitProtocol protocol =
        new CommitProtocol(
            faults, fixture.clock(), millis -> fixture.setNow(fixture.clock().millis() + 600));

    assertThrows(
        CommitException.class, () -> protocol.commit(request(fixture.result(1)), List.of()));

    assertThat(fixture.clock().millis() - start, is(1_200L));
    assertThat(fixture.catalog().tableExists(TABLE), is(true));
  }

  @Test
  public void catalogThatCannotBeReadIsTriedAgain() {
    int[] loads = {0};
    TableAccess real = TableAccess.of(fixture.catalog());
    TableAccess flaky =
        table -> {
          if (loads[0]++ == 0) {
            throw new IllegalStateException("connection refused");
          }
          return real.operations(table);
        };

    fixture.protocol(flaky).commit(request(fixture.result(1)), List.of());

    assertThat(loads[0], is(2));
  }
}
