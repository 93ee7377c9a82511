package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.decide;
import static dev.tidemark.finalization.FinalizationTestUtils.facts;
import static dev.tidemark.finalization.FinalizationTestUtils.lookback;
import static dev.tidemark.finalization.FinalizationTestUtils.window;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WriterWindowTest {

  private static final Lookback SIX_AND_HALF_AN_HOUR = Lookback.standard();

  @Test
  public void newestFactsComeLast() {
    WriterWindow window = window("eu", 3, MINUTE, T0, T0 - MINUTE);

    assertThat(window.newest().snapshotId(), is(3L));
    assertThat(window.commits(), is(3L));
  }

  @Test
  public void replayedFactsChangeNothing() {
    WriterWindow window = window("eu", 3, MINUTE, T0, T0 - MINUTE);

    assertThat(window.add(window.facts().get(0)), is(window));
    assertThat(window.add(window.facts().get(2)), is(window));
  }

  @Test
  public void commitsWithoutEventTimesDoNotEnter() {
    WriterWindow window = window("eu", 3, MINUTE, T0, T0 - MINUTE);

    assertThat(window.add(facts("eu", 99, T0 + MINUTE)), is(window));
  }

  @Test
  public void factsOfAnotherWriterAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> WriterWindow.empty("eu").add(facts("us", 1, T0, T0)));
  }

  @Test
  public void trimKeepsTheNumberOfCommitsWhereTheyAreFarApart() {
    WriterWindow window = window("eu", 20, HOUR, T0, T0 - MINUTE).trim(SIX_AND_HALF_AN_HOUR);

    assertThat(snapshots(window), is(List.of(15L, 16L, 17L, 18L, 19L, 20L)));
  }

  @Test
  public void trimKeepsTheDurationWhereCommitsAreClose() {
    WriterWindow window = window("eu", 60, MINUTE, T0, T0 - MINUTE).trim(SIX_AND_HALF_AN_HOUR);

    assertThat(window.facts().get(0).committedAtMillis(), is(T0 - 30 * MINUTE));
    assertThat(window.commits(), is(31L));
  }

  @Test
  public void trimKeepsAllWhereTheLookbackIsNotCovered() {
    WriterWindow window = window("eu", 5, HOUR, T0, T0 - MINUTE);

    assertThat(window.trim(SIX_AND_HALF_AN_HOUR), is(window));
  }

  @Test
  public void trimDoesNotChangeWhatPoliciesSee() {
    Random random = new Random(17);
    for (int round = 0; round < 200; round++) {
      Lookback lookback = lookback(1 + random.nextInt(9), random.nextInt(60) * MINUTE);
      FinalizationPolicy policy = Policies.minOfMins(lookback);
      WriterWindow whole = WriterWindow.empty("eu");
      WriterWindow trimmed = whole;
      long at = T0;
      for (int i = 0; i < 60; i++) {
        at += (1 + random.nextInt(10)) * MINUTE;
        CommitFacts facts = facts("eu", i, at, at - random.nextInt(300) * MINUTE);
        whole = whole.add(facts);
        trimmed = trimmed.add(facts).trim(lookback);
        assertThat(decide(policy, trimmed, at), is(decide(policy, whole, at)));
      }
    }
  }

  @Test
  public void foldingBoundsTheWindowOfAWriterThatCommitsEverySecond() {
    WriterWindow window = WriterWindow.empty("eu");
    FinalizationPolicy policy = Policies.minOfMins();
    Decision decision = null;
    for (int second = 0; second < 3 * 3600; second++) {
      long at = T0 + second * 1000L;
      window = window.add(facts("eu", second, at, at - 5000)).trim(policy.lookback());
      assertThat(window.facts().size(), is(lessThanOrEqualTo(100)));
      decision = decide(policy, window, at);
    }
    long end = T0 + (3 * 3600 - 1) * 1000L;
    // At least the half hour, and not more than a sixteenth of it beyond.
    assertThat(decision.candidateMillis(), is(lessThanOrEqualTo(end - 30 * MINUTE - 5000)));
    assertThat(decision.candidateMillis(), is(greaterThan(end - 32 * MINUTE - 5000)));
  }

  @Test
  public void foldedFactsKeepCountsAndExtremes() {
    Random random = new Random(5);
    WriterWindow whole = WriterWindow.empty("eu");
    for (int second = 0; second < 1800; second += 10) {
      long at = T0 + second * 1000L;
      whole = whole.add(facts("eu", second, at, at - random.nextInt(8) * HOUR, at));
    }
    WriterWindow folded = whole.trim(SIX_AND_HALF_AN_HOUR);

    assertThat(folded.facts().size(), is(lessThan(whole.facts().size())));
    assertThat(folded.commits(), is(whole.commits()));
    assertThat(
        folded.facts().stream().mapToLong(CommitFacts::count).sum(),
        is(whole.facts().stream().mapToLong(CommitFacts::count).sum()));
    assertThat(FactsFolding.sum(folded.facts(), HOUR), is(FactsFolding.sum(whole.facts(), HOUR)));
    assertThat(
        folded.facts().stream().mapToLong(CommitFacts::minMillis).min(),
        is(whole.facts().stream().mapToLong(CommitFacts::minMillis).min()));
    assertThat(
        folded.facts().stream().map(CommitFacts::sketch).collect(Collectors.toList()),
        everyItem(is(notNullValue())));
    for (int perMille : CommitFacts.RECORDED_QUANTILES) {
      assertThat(
          folded.facts().stream().mapToLong(f -> f.quantilesMillis().get(perMille)).min(),
          is(whole.facts().stream().mapToLong(f -> f.quantilesMillis().get(perMille)).min()));
    }
  }

  @Test
  public void foldingWithUnknownFactsIsUnknown() {
    CommitFacts folded =
        FactsFolding.fold(facts("eu", 1, T0, T0), CommitFacts.unknown("eu", 2, T0 + 1, 5));

    assertThat(folded.isKnown(), is(false));
    assertThat(folded.count(), is(6L));
    assertThat(folded.snapshotId(), is(2L));
  }

  @Test
  public void foldingWithFactsWithoutCountsHasNone() {
    CommitFacts folded =
        FactsFolding.fold(facts("eu", 1, T0, T0), facts("eu", 2, T0 + 1, T0).withoutBuckets());

    assertThat(folded.buckets().isEmpty(), is(true));
    assertThat(folded.quantilesMillis().isEmpty(), is(false));
    assertThat(folded.minMillis(), is(T0));
  }

  @Test
  public void factsOfACommitMadeByAClockThatRanAheadDoNotShortenTheLookback() {
    WriterWindow window = window("eu", 10, MINUTE, T0, T0 - MINUTE);
    window = window.add(facts("eu", 99, T0 + 24 * HOUR, T0));

    assertThat(window.start(SIX_AND_HALF_AN_HOUR, T0 + MINUTE), is(-1));
    assertThat(window.reaches(SIX_AND_HALF_AN_HOUR, T0 + MINUTE), is(false));
  }

  @Test
  public void clockThatJumpsBackWaitsForTheDuration() {
    WriterWindow window = window("eu", 40, MINUTE, T0, T0 - MINUTE).trim(SIX_AND_HALF_AN_HOUR);
    long back = T0 - HOUR;
    int snapshot = 100;
    for (long at = back; at <= back + 30 * MINUTE; at += MINUTE) {
      window = window.add(facts("eu", snapshot++, at, at - MINUTE)).trim(SIX_AND_HALF_AN_HOUR);
      boolean covered = window.reaches(SIX_AND_HALF_AN_HOUR, at);
      assertThat(covered, is(at == back + 30 * MINUTE));
    }
  }

  @Test
  public void fitDropsSketchesFirstAndExtremesNever() {
    Random random = new Random(3);
    long[] times = random.longs(500, T0 - 5 * HOUR, T0).toArray();
    WriterWindow window = window("eu", 10, MINUTE, T0, times);
    int whole = window.toText().length();

    WriterWindow withoutSketches = window.fit(whole - 1);
    WriterWindow bare = window.fit(1);

    assertThat(window.fit(whole), is(window));
    assertThat(withoutSketches.newest().sketch(), is(nullValue()));
    assertThat(withoutSketches.newest().quantilesMillis().isEmpty(), is(false));
    assertThat(withoutSketches.newest().buckets().isEmpty(), is(false));
    assertThat(bare.newest().buckets().isEmpty(), is(true));
    assertThat(bare.newest().minMillis(), is(window.newest().minMillis()));
    assertThat(bare.toText().length(), is(lessThan(withoutSketches.toText().length())));
  }

  @Test
  public void windowOfTheDefaultLookbackWithoutSketchesFitsOneProperty() {
    Random random = new Random(3);
    WriterWindow window = WriterWindow.empty("eu");
    for (int minute = 0; minute < 60; minute++) {
      long at = T0 + minute * MINUTE + random.nextInt(1000);
      long[] times = random.longs(1000, at - HOUR, at).toArray();
      window =
          window
              .add(facts("eu", random.nextLong(), at, times).withoutSketch())
              .trim(Lookback.standard());
    }

    assertThat(window.toText().length(), is(lessThan(4000)));
  }

  private static List<Long> snapshots(WriterWindow window) {
    return window.facts().stream().map(CommitFacts::snapshotId).collect(Collectors.toList());
  }
}
