package dev.tidemark.candidates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;

import dev.tidemark.candidates.testing.CountingRecords;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public final class CandidateExpiryTest {
  private static final UpsertSemantics FOREVER =
      UpsertSemantics.of(UpsertStrategy.MAP).withUpsertKey().withThresholds(3, 1);
  private static final UpsertSemantics TTL = FOREVER.withTtlMillis(100);

  @Test
  public void expiredKeyIsAbsentWithoutAWord() {
    Shard shard = Shard.of(TTL);
    shard.at(0).send("+I k 1 a", "+I k 2 b");
    assertThat(shard.at(99).send("+U k 3 c"), contains("+U c"));
    assertThat(shard.at(199).send("+U k 4 d", "-D k 1 a"), contains("+I d", ""));

    assertThat(shard.statistics().expiries, is(1L));
    assertThat(shard.statistics().candidatesDelta, is(1L));
    shard.check();
  }

  @Test
  public void expiredKeyIsRemovedByAnUnmatchedRetraction() {
    Shard shard = Shard.of(TTL);
    shard.at(0).send("+I k 1 a", "+I k 2 b", "+I k 3 c");
    assertThat(shard.at(100).send("-D k 1 a"), contains(""));
    assertThat(shard.sweep(Integer.MAX_VALUE), is(true));

    assertThat(shard.records().size(), is(2));
    assertThat(shard.statistics().unmatchedKeyAbsent, is(1L));
    assertThat(shard.statistics().keysDelta, is(0L));
  }

  @Test
  public void silentRemovalsRefreshAndUnmatchedRetractionsDoNot() {
    for (int candidates : new int[] {2, 5}) {
      Shard shard = Shard.of(TTL);
      shard.at(0);
      for (int i = 0; i < candidates; i++) {
        shard.send("+I k " + i + " row" + i, "+I l " + i + " row" + i);
      }
      assertThat(shard.at(60).send("-U k 0 row0", "-U l 9 row9"), contains("", ""));
      String last = "row" + (candidates - 1);

      assertThat(
          shard.at(110).send("+U k 7 x", "-D k 7 x", "+U l 7 x"),
          contains("+U x", "+U " + last, "+I x"));
    }
  }

  @Test
  public void batchThatChangesNothingButTheTimeRefreshes() {
    for (int candidates : new int[] {1, 5}) {
      Shard shard = Shard.of(TTL);
      shard.at(0);
      for (int i = 0; i < candidates; i++) {
        shard.send("+I k " + i + " a");
      }
      shard.at(60).send("+U k 0 a");

      assertThat(shard.at(110).send("+U k 0 b"), contains("+U b"));
    }
  }

  @Test
  public void stateWithoutTimesIsKeptForAFullTimeOnceThatIsEnabled() {
    Shard shard = Shard.of(FOREVER);
    shard.at(0).send("+I k 1 a", "+I l 1 a", "+I l 2 b", "+I l 3 c", "+I m 1 a");
    shard.restart(TTL).at(1000).send("+I other 1 a");

    assertThat(shard.at(1099).send("+U k 2 b", "+U l 4 d"), contains("+U b", "+U d"));
    assertThat(shard.at(1100).send("+U k 2 b", "+U m 1 a"), contains("+U b", "+I a"));
  }

  @Test
  public void timeToLiveOffAndOnAgainGivesAFullTimeAnew() {
    Shard shard = Shard.of(TTL);
    shard.at(0).send("+I k 1 a", "+I l 1 a");
    shard.restart(FOREVER).at(90).send("+U k 1 b");
    assertThat(shard.at(5000).send("+U l 2 c"), contains("+U c"));
    shard.restart(TTL).at(9000).send("+I other 1 a");

    assertThat(shard.at(9099).send("+U k 2 d"), contains("+U d"));
    assertThat(shard.at(9100).send("+U k 2 d", "+U l 2 d"), contains("+U d", "+I d"));
  }

  @Test
  public void clockThatGoesBackExpiresNothing() {
    Shard shard = Shard.of(TTL);
    shard.at(1000).send("+I k 1 a");

    assertThat(shard.at(0).send("+U k 1 b"), contains("+U b"));
    assertThat(shard.at(Long.MIN_VALUE).send("+U k 1 c"), contains("+U c"));
  }

  @Test
  public void sweepRemovesWhatExpiredInBoundedSteps() {
    Shard shard = Shard.of(TTL);
    shard.at(0);
    for (int i = 0; i < 100; i++) {
      shard.send("+I key" + i + " 1 a", "+I key" + i + " 2 b");
      if (i % 3 == 0) {
        shard.send("+I key" + i + " 3 c", "+I key" + i + " 4 d");
      }
    }
    shard.at(50).send("+U key7 1 a", "+U key9 1 a");
    shard.at(100);
    CountingRecords counts = shard.count();
    int steps = 0;
    long before;
    boolean complete;
    do {
      before = counts.readBytes;
      complete = shard.sweep(200);
      assertThat(counts.readBytes - before, is(lessThan(300L)));
      steps++;
      shard.check();
    } while (!complete);

    assertThat(steps, is(lessThan(100)));
    assertThat(shard.statistics().expiries, is(98L));
    assertThat(shard.check().lists.size(), is(2));
    assertThat(shard.at(150).sweep(Integer.MAX_VALUE), is(true));
    assertThat(shard.records().size(), is(2));
  }

  @Test
  public void sweepGoesOnAfterARestart() {
    Shard shard = Shard.of(TTL);
    shard.at(0);
    List<String> changes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      changes.add("+I key" + i + " 1 a");
    }
    shard.send(changes.toArray(String[]::new));
    shard.at(100);
    int steps = 1;
    while (!shard.sweep(20)) {
      shard.restart(TTL);
      steps++;
    }

    assertThat(steps, is(50));
    assertThat(shard.records().size(), is(2));
  }

  @Test
  public void longListThatExpiredIsAbsentAtOnceAndItsKeyBeginsAnother() {
    Shard shard = Shard.of(TTL);
    shard.at(0).send(additions(50));
    assertThat(shard.at(100).send("+U k 3 x", "-D k 7 row7"), contains("+I x", ""));
    assertThat(shard.check().removedLists, is(1));
    shard.send("+U k 3 y", "+U k 4 z", "+U k 5 z", "-D k 5 z");

    RawShard raw = shard.check();
    assertThat(raw.linkedLists, is(1));
    assertThat(raw.lists.values(), contains(List.of("79", "7a")));
    while (!shard.sweep(100)) {
      shard.check();
    }
    assertThat(shard.check().removedLists, is(0));
    assertThat(shard.send("-D k 4 z"), contains("+U y"));
  }

  @Test
  public void longListThatExpiredGoesInStepsAcrossRestartsAndFailedBatches() {
    Shard shard = Shard.of(TTL);
    shard.at(0).send(additions(300));
    shard.at(100);
    CountingRecords counts = shard.count();
    int steps = 0;
    while (!shard.sweep(500)) {
      int records = shard.records().size();
      if (steps % 3 == 0) {
        shard.failSweep(500);
      }
      if (steps % 5 == 0) {
        shard.restart(TTL).at(100);
      }
      long before = counts.readBytes;
      shard.sweep(500);
      assertThat(counts.readBytes - before, is(lessThan(600L)));
      assertThat(shard.records().size(), is(lessThan(records)));
      shard.check();
      steps++;
    }

    assertThat(steps, is(greaterThan(10)));
    assertThat(shard.records().size(), is(2));
  }

  @Test
  public void longListThatExpiredGoesAlsoOnceThereIsNoTimeToLive() {
    Shard shard = Shard.of(TTL);
    shard.at(0).send(additions(50));
    shard.at(100).send("+I k 1 a");
    shard.restart(FOREVER);
    shard.send("+I l 1 a");
    assertThat(shard.isSweepDue(), is(true));
    while (!shard.sweep(100)) {
      assertThat(shard.isSweepDue(), is(true));
    }

    assertThat(shard.isSweepDue(), is(false));
    assertThat(shard.check().lists.size(), is(2));
    assertThat(shard.records().size(), is(4));
  }

  @Test
  public void listThatBecameShortLeavesNothingToSweep() {
    Shard shard = Shard.of(FOREVER);
    shard.send("+I k 1 a", "+I k 2 b", "+I k 3 c", "+I k 4 d");
    shard.send("+I k 5 e", "-D k 1 a");
    shard.send("-D k 2 b", "-D k 5 e", "+I k 6 f", "-D k 6 f", "-D k 3 c");

    assertThat(shard.check().linkedLists, is(0));
    assertThat(shard.records().size(), is(3));
  }

  /** Changes that add candidates 0, 1 and so on to key k. */
  private static String[] additions(int count) {
    String[] changes = new String[count];
    for (int i = 0; i < count; i++) {
      changes[i] = "+I k " + i + " row" + i;
    }
    return changes;
  }

  @Test
  public void sweepWithoutStateOrTimeToLiveWritesNothing() {
    Shard empty = Shard.of(TTL);
    assertThat(empty.sweep(100), is(true));
    assertThat(empty.records().size(), is(0));

    Shard forever = Shard.of(FOREVER);
    forever.send("+I k 1 a");
    CountingRecords counts = forever.count();
    assertThat(forever.at(Long.MAX_VALUE).sweep(1), is(true));
    assertThat(counts.puts, is(0));
  }
}
