package dev.tidemark.commit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Names of keys, and values that are checked before anything is written. */
@RunWith(JUnit4.class)
public final class TidemarkKeysTest {
  private static DataFile file(String path) {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(path)
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(1)
        .withRecordCount(2)
        .build();
  }

  private static WriterResult result(long sequence, String... paths) {
    return WriterResult.of(
        sequence, "u", ImmutableList.copyOf(paths).stream().map(TidemarkKeysTest::file).toList());
  }

  @Test
  public void keysOfMainCarryNoBranch() {
    TidemarkKeys keys = TidemarkKeys.forBranch("main");

    assertThat(keys.finalizedUntil(), is("tidemark.finalized-until"));
    assertThat(keys.window("eu"), is("tidemark.window.eu"));
    assertThat(keys.source("changes", "snapshot-id"), is("tidemark.source.changes.snapshot-id"));
  }

  @Test
  public void keysOfABranchCarryItsName() {
    assertThat(
        TidemarkKeys.forBranch("audit/q1").finalizedUntil(),
        is("tidemark.audit/q1.finalized-until"));
  }

  @Test
  public void branchThatCouldBeTakenForAKeyIsRefused() {
    for (String branch : List.of("window", "a.window", "a..b", "", "a b", "event-time")) {
      assertThrows(branch, IllegalArgumentException.class, () -> TidemarkKeys.forBranch(branch));
    }
  }

  @Test
  public void writerIdsAreChecked() {
    for (String writer : List.of("", "a.b", "a b", "x".repeat(65))) {
      assertThrows(
          writer, IllegalArgumentException.class, () -> TidemarkKeys.checkWriterId(writer));
    }
    assertThat(TidemarkKeys.checkWriterId("eu-1_B"), is("eu-1_B"));
  }

  @Test
  public void requiredWritersAreRead() {
    TidemarkKeys keys = TidemarkKeys.main();

    assertThat(keys.requiredWriters(Map.of("tidemark.writers", "us, eu")), contains("eu", "us"));
    assertThat(keys.requiredWriters(Map.of()), is(empty()));
    assertThrows(
        IllegalArgumentException.class,
        () -> keys.requiredWriters(Map.of("tidemark.writers", "eu,")));
  }

  @Test
  public void digestDependsOnThePathsAlone() {
    assertThat(result(1, "a", "b").digest(), is(result(2, "b", "a").digest()));
    assertThat(result(1, "ab", "c").digest(), is(not(result(1, "a", "bc").digest())));
    // First eight bytes of SHA-256 of "a", 0.
    assertThat(result(1, "a").digest(), is(-6285999736695548L));
    assertThrows(IllegalArgumentException.class, () -> result(1, "a", "a"));
    assertThrows(IllegalArgumentException.class, () -> result(0, "a"));
  }

  @Test
  public void requestsAreChecked() {
    TableIdentifier table = TableIdentifier.of("t");
    CommitRequest request = CommitRequest.of(table, "eu", List.of(result(3, "a")));

    assertThat(request.replayFloor(), is(3L));
    assertThrows(
        IllegalArgumentException.class,
        () -> CommitRequest.of(table, "eu", List.of(result(1, "a"), result(3, "b"))));
    IllegalArgumentException twice =
        assertThrows(
            IllegalArgumentException.class,
            () -> CommitRequest.of(table, "eu", List.of(result(1, "a"), result(2, "a"))));
    assertThat(twice.getMessage(), containsString("1 files occur twice"));
    assertThrows(IllegalArgumentException.class, () -> request.withReplayFloor(4));
    assertThrows(IllegalArgumentException.class, () -> request.withFactsLimitBytes(10));
    assertThrows(IllegalArgumentException.class, () -> request.withGranularityMillis(0));
  }
}
