package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.DAY;
import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.lookback;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Finalization never lies: under the assumption that a policy documents, no record of an admitted
 * source comes below the watermark; and where an assumption is violated, the table waits or each
 * such record is in a lateness report ({@link SimulatedTable} checks the latter with every commit).
 */
@RunWith(JUnit4.class)
public class FinalizationPropertyTest {

  private static final int SEEDS = Boolean.getBoolean("tidemark.long") ? 40 : 3;
  private static final IdleHandling WAITING = IdleHandling.waiting();

  /** One drawing of the parameters that all simulations share. */
  private static final class Draw {
    final Random random;
    final int commitMinutes;
    final long durationMillis;
    final Lookback lookback;

    Draw(int seed) {
      random = new Random(seed);
      commitMinutes = 1 + random.nextInt(5);
      durationMillis = (20 + random.nextInt(60)) * MINUTE;
      lookback = lookback(1 + random.nextInt(8), durationMillis);
    }

    /**
     * How long records may be underway to be within D: they wait for the commit too, and perhaps
     * for a restart.
     */
    long maxDelayMillis(long downMillis) {
      return durationMillis - downMillis - (commitMinutes + 1) * MINUTE;
    }

    /** How many commits a lookback holds at most, but for those of a restart. */
    long commitsInLookback() {
      return Math.max(lookback.commits(), durationMillis / (commitMinutes * MINUTE) + 2);
    }

    SimulatedWriter writer(String name, SimulatedSource... sources) {
      return new SimulatedWriter(name, commitMinutes, T0, ImmutableList.copyOf(sources));
    }

    SimulatedTable table(FinalizationPolicy policy, IdleHandling idle, String... required) {
      return new SimulatedTable(policy, idle, Arrays.asList(required), random);
    }
  }

  @Test
  public void recordsWithinTheLookbacksDurationAreNeverLate() {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (int kind = 0; kind < 7; kind++) {
        Draw draw = new Draw(seed);
        long down = (long) (draw.random.nextDouble() * draw.durationMillis / 4);
        SimulatedSource prompt = SimulatedSource.bounded("prompt", 20, T0, 0, draw.random);
        SimulatedSource delayed =
            SimulatedSource.bounded("delayed", 20, T0, draw.maxDelayMillis(down), draw.random);
        SimulatedSource sometimes =
            SimulatedSource.bounded("sometimes", 5, T0, draw.maxDelayMillis(down), draw.random);
        SimulatedTable table = draw.table(lookbackPolicy(kind, draw), WAITING, "eu");
        SimulatedWriter writer = draw.writer("eu", prompt, delayed, sometimes);
        long up = 0;
        long end = T0 + 14 * HOUR;
        for (long now = T0; now <= end; now += MINUTE) {
          if (draw.random.nextInt(200) == 0) {
            sometimes.silent = !sometimes.silent;
          }
          if (!writer.down && draw.random.nextInt(300) == 0 && now < end - 2 * HOUR) {
            writer.down = true;
            up = now + down;
          }
          writer.down &= now < up;
          writer.tick(table, now);
        }

        assertThat(table.policy + " seed " + seed, table.late, is(empty()));
        table.assertHasWatermark();
        long lookbackMillis = draw.commitsInLookback() * draw.commitMinutes * MINUTE;
        assertThat(
            table.policy + " keeps up, seed " + seed,
            end - table.watermarkMillis,
            is(lessThan(lookbackMillis + down + draw.durationMillis + 90 * MINUTE)));
      }
    }
  }

  @Test
  public void sourcesFarBehindThatDeliverInOrderAreNeverLate() {
    for (int seed = 0; seed < SEEDS * 2; seed++) {
      Draw draw = new Draw(seed);
      List<SimulatedSource> sources = new ArrayList<>();
      sources.add(SimulatedSource.bounded("prompt", 20, T0, draw.maxDelayMillis(0), draw.random));
      for (int i = draw.random.nextInt(4); i >= 0; i--) {
        long lag = (long) (draw.random.nextDouble() * 2 * DAY);
        double slope = draw.random.nextDouble() * 1.2 - 0.7;
        sources.add(SimulatedSource.inOrder("slow" + i, 3, T0, lag, slope, draw.random));
      }
      SimulatedTable table = draw.table(Policies.minOfMins(draw.lookback), WAITING, "eu");
      SimulatedWriter writer = draw.writer("eu", sources.toArray(SimulatedSource[]::new));
      run(table, T0, T0 + 20 * HOUR, writer);

      assertThat("seed " + seed, table.late, is(empty()));
      table.assertHasWatermark();
      assertThat(table.watermarks.size(), is(greaterThan(3)));
    }
  }

  @Test
  public void recordsOfAPausedSourceAreReportedOnceItResumes() {
    for (int seed = 0; seed < SEEDS * 2; seed++) {
      Draw draw = new Draw(seed);
      SimulatedTable table = pausedSource(draw, Policies.minOfMins(draw.lookback), 0);

      assertThat("seed " + seed, table.late.elementSet(), contains("paused"));
      assertThat(table.reported, is((long) table.late.size()));
    }
  }

  @Test
  public void pausedSourceHoldsTheInputWatermark() {
    for (int seed = 0; seed < SEEDS * 2; seed++) {
      Draw draw = new Draw(seed);
      long holdback = draw.random.nextInt(90) * MINUTE;
      FinalizationPolicy policy = Policies.inputWatermark(Duration.millis(holdback));
      if (draw.random.nextBoolean()) {
        policy = Policies.allOf(Policies.minOfMins(draw.lookback), policy);
      }
      SimulatedTable table = pausedSource(draw, policy, holdback);

      assertThat("seed " + seed, table.late, is(empty()));
      assertThat(table.watermarks.size(), is(greaterThan(5)));
    }
  }

  @Test
  public void inputWatermarkThatPromisesTooMuchIsReported() {
    long late = 0;
    for (int seed = 0; seed < SEEDS * 2; seed++) {
      Draw draw = new Draw(seed);
      SimulatedTable table =
          pausedSource(draw, Policies.inputWatermark(Duration.standardMinutes(5)), 4 * HOUR);

      assertThat(table.reported, is((long) table.late.size()));
      late += table.reported;
    }
    assertThat(late, is(greaterThan(0L)));
  }

  @Test
  public void slowestOfTheRequiredWritersCounts() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Draw draw = new Draw(seed);
      SimulatedWriter fast =
          draw.writer("fast", SimulatedSource.bounded("fast", 9, T0, 0, draw.random));
      SimulatedWriter slow =
          draw.writer(
              "slow",
              SimulatedSource.inOrder("slow", 9, T0, 9 * HOUR, 0.3, draw.random),
              SimulatedSource.bounded("prompt", 9, T0, draw.maxDelayMillis(0), draw.random));
      SimulatedWriter young =
          draw.writer(
              "young",
              SimulatedSource.bounded(
                  "young", 9, T0 + 5 * HOUR, draw.maxDelayMillis(0), draw.random));
      young.down = true;
      SimulatedWriter backfill =
          draw.writer(
              "backfill", SimulatedSource.inOrder("backfill", 9, T0, 40 * HOUR, 0, draw.random));
      SimulatedTable table =
          draw.table(Policies.minOfMins(draw.lookback), WAITING, "fast", "slow", "young");
      run(table, T0, T0 + 5 * HOUR, fast, slow, young, backfill);
      table.assertHasNoWatermark();
      young.down = false;
      run(table, T0 + 5 * HOUR + MINUTE, T0 + 20 * HOUR, fast, slow, young, backfill);

      table.assertHasWatermark();
      // Writers that are not required hold nothing, so what they bring late is reported.
      assertThat("seed " + seed, table.late.elementSet(), contains("backfill"));
      assertThat(table.reported, is((long) table.late.size()));
    }
  }

  @Test
  public void writerThatPausesHoldsTheTableUntilItIsBack() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Draw draw = new Draw(seed);
      SimulatedWriter eu = draw.writer("eu", SimulatedSource.bounded("eu", 9, T0, 0, draw.random));
      SimulatedWriter us = draw.writer("us", SimulatedSource.bounded("us", 9, T0, 0, draw.random));
      SimulatedTable table = draw.table(Policies.minOfMins(draw.lookback), WAITING, "eu", "us");
      run(table, T0, T0 + 6 * HOUR, eu, us);
      us.down = true;
      run(table, T0 + 6 * HOUR + MINUTE, T0 + 12 * HOUR, eu, us);
      assertThat(table.watermarkMillis, is(lessThanOrEqualTo(T0 + 6 * HOUR)));
      us.down = false;
      run(table, T0 + 12 * HOUR + MINUTE, T0 + 18 * HOUR, eu, us);

      assertThat("seed " + seed, table.late, is(empty()));
      assertThat(table.watermarkMillis, is(greaterThan(T0 + 14 * HOUR)));
    }
  }

  @Test
  public void idleTableAdvancesOnlyWhileItsJobIsAlive() {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (IdlePolicy idlePolicy : IdlePolicy.values()) {
        Draw draw = new Draw(seed);
        SimulatedSource source =
            SimulatedSource.bounded("eu", 9, T0, draw.maxDelayMillis(0), draw.random);
        SimulatedWriter writer = draw.writer("eu", source);
        writer.hasWatermark = idlePolicy != IdlePolicy.WALL_CLOCK;
        SimulatedTable table =
            draw.table(
                Policies.minOfMins(draw.lookback),
                IdleHandling.of(idlePolicy, Duration.millis(draw.durationMillis)),
                "eu");
        run(table, T0, T0 + 6 * HOUR, writer);
        source.silent = true;
        run(table, T0 + 6 * HOUR + MINUTE, T0 + 12 * HOUR, writer);
        long alive = table.watermarkMillis;
        assertThat(
            idlePolicy + " seed " + seed, alive > T0 + 8 * HOUR, is(idlePolicy != IdlePolicy.WAIT));

        // The job dies; records that are made now wait for it, and the rule goes on elsewhere.
        writer.down = true;
        source.silent = false;
        for (long now = T0 + 12 * HOUR + MINUTE; now < T0 + 16 * HOUR; now += MINUTE) {
          table.advance(now);
        }
        assertThat(table.watermarkMillis, is(lessThanOrEqualTo(Math.max(alive, T0 + 12 * HOUR))));
        writer.down = false;
        run(table, T0 + 16 * HOUR, T0 + 22 * HOUR, writer);

        assertThat(idlePolicy + " seed " + seed, table.late, is(empty()));
        assertThat(table.watermarkMillis, is(greaterThan(T0 + 17 * HOUR)));
      }
    }
  }

  @Test
  public void writerThatDiedWhileIdleIsJudgedByItsFactsAlone() {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (IdlePolicy idlePolicy : IdlePolicy.values()) {
        Draw draw = new Draw(seed);
        SimulatedSource idle = SimulatedSource.bounded("idle", 9, T0, 0, draw.random);
        SimulatedWriter died = draw.writer("died", idle);
        // Four hours behind, so that it alone holds the table while the other one is alive.
        SimulatedWriter slow =
            draw.writer("slow", SimulatedSource.inOrder("slow", 9, T0, 4 * HOUR, 0, draw.random));
        SimulatedTable table =
            draw.table(
                Policies.minOfMins(draw.lookback),
                IdleHandling.of(idlePolicy, Duration.millis(draw.durationMillis)),
                "died",
                "slow");
        run(table, T0, T0 + 6 * HOUR, died, slow);
        idle.silent = true;
        run(table, T0 + 6 * HOUR + MINUTE, T0 + 9 * HOUR, died, slow);
        died.down = true;
        run(table, T0 + 9 * HOUR + MINUTE, T0 + 18 * HOUR, died, slow);

        // Its last proof of life vouched for nine hours; its facts, for less than six.
        assertThat(
            idlePolicy + " seed " + seed, table.watermarkMillis, is(lessThan(T0 + 6 * HOUR)));
        assertThat(table.watermarkMillis, is(greaterThan(T0)));
        assertThat(table.late, is(empty()));
      }
    }
  }

  @Test
  public void recordsThatOutstayTheIdleTimeAreReported() {
    long late = 0;
    for (int seed = 0; seed < SEEDS * 2; seed++) {
      Draw draw = new Draw(seed);
      SimulatedSource source = SimulatedSource.bounded("eu", 9, T0, 0, draw.random);
      SimulatedWriter writer = draw.writer("eu", source);
      SimulatedTable table =
          draw.table(
              Policies.minOfMins(draw.lookback),
              IdleHandling.wallClock(Duration.standardMinutes(40)),
              "eu");
      run(table, T0, T0 + 4 * HOUR, writer);
      source.paused = true;
      run(table, T0 + 4 * HOUR + MINUTE, T0 + 9 * HOUR, writer);
      source.paused = false;
      run(table, T0 + 9 * HOUR + MINUTE, T0 + 12 * HOUR, writer);

      assertThat(table.reported, is((long) table.late.size()));
      late += table.reported;
    }
    assertThat(late, is(greaterThan(0L)));
  }

  @Test
  public void stragglersDoNotHoldToleratingPoliciesAndAreReported() {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (int kind = 1; kind < 6; kind++) {
        Draw draw = new Draw(seed);
        SimulatedSource prompt = SimulatedSource.bounded("prompt", 40, T0, 0, draw.random);
        SimulatedSource straggling =
            SimulatedSource.straggling(
                "straggling", 1, T0, draw.maxDelayMillis(0), 4, 30 * HOUR, draw.random);
        SimulatedTable table = draw.table(lookbackPolicy(kind, draw), WAITING, "eu");
        long end = T0 + 20 * HOUR;
        run(table, T0, end, draw.writer("eu", prompt, straggling));

        String what = table.policy + " seed " + seed;
        assertThat(what, table.late.contains("prompt"), is(false));
        assertThat(what, table.late.count("straggling"), is((int) table.reported));
      }
    }
  }

  @Test
  public void recordsOf1970AndOfTheFutureMoveNothing() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<List<Long>> watermarks = new ArrayList<>();
      for (boolean dirty : new boolean[] {false, true}) {
        Draw draw = new Draw(seed);
        Random dirt = new Random(seed);
        SimulatedSource source = SimulatedSource.bounded("eu", 9, T0, 10 * MINUTE, draw.random);
        SimulatedTable table = draw.table(Policies.minOfMins(draw.lookback), WAITING, "eu");
        long past = 0;
        for (long now = T0; now < T0 + 12 * HOUR; now += 2 * MINUTE) {
          List<SimulatedTable.Row> rows = source.deliver(now);
          for (int i = dirt.nextInt(3); dirty && i > 0; i--) {
            past += table.watermarkMillis == null ? 0 : 1;
            rows.add(new SimulatedTable.Row("dirt", dirt.nextInt(1000)));
            rows.add(new SimulatedTable.Row("dirt", now + 50 * DAY + dirt.nextInt(1000)));
          }
          table.commit("eu", now, rows, null);
          table.advance(now);
        }
        assertThat(table.late.count("eu"), is(0));
        assertThat(table.reported, is(past));
        table.assertHasWatermark();
        watermarks.add(table.watermarks);
      }
      assertThat("seed " + seed, watermarks.get(1), is(watermarks.get(0)));
    }
  }

  @Test
  public void factsOverTheSizeLimitMakeThePoliciesThatNeedThemWait() {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (int kind = 0; kind < 6; kind++) {
        Draw draw = new Draw(seed);
        FinalizationPolicy policy = lookbackPolicy(kind, draw);
        SimulatedSource source =
            SimulatedSource.bounded("eu", 20, T0, draw.maxDelayMillis(0), draw.random);
        SimulatedSource straggling =
            SimulatedSource.straggling("straggling", 1, T0, 0, 20, 5 * HOUR, draw.random);
        SimulatedWriter writer = draw.writer("eu", source, straggling);
        SimulatedTable table = draw.table(policy, WAITING, "eu");
        run(table, T0, T0 + 5 * HOUR, writer);
        table.assertHasWatermark();
        table.facts = facts -> facts.withoutBuckets().withoutQuantiles();
        run(table, T0 + 5 * HOUR + MINUTE, T0 + 10 * HOUR, writer);

        boolean minimum = policy.describe().startsWith("minOfMins");
        assertThat(
            table.policy + " seed " + seed,
            table.waits.contains(WaitCode.MISSING_FACTS),
            is(!minimum));
        if (!minimum) {
          assertThat(table.watermarkMillis, is(lessThanOrEqualTo(T0 + 5 * HOUR)));
        }
        table.facts = facts -> facts;
        // The last of the stragglers leaves every lookback well before the end.
        straggling.silent = true;
        run(table, T0 + 10 * HOUR + MINUTE, T0 + 22 * HOUR, writer);
        if (!minimum) {
          assertThat(
              table.policy + " seed " + seed,
              table.watermarkMillis,
              is(greaterThan(T0 + 17 * HOUR)));
        }
        assertThat(table.late.contains("eu"), is(false));
      }
    }
  }

  @Test
  public void droppedSketchesLeaveRecordedQuantilesAndCountsInForce() {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (int kind : new int[] {0, 1, 3, 4}) {
        List<List<Long>> watermarks = new ArrayList<>();
        for (boolean drop : new boolean[] {false, true}) {
          Draw draw = new Draw(seed);
          SimulatedSource source =
              SimulatedSource.bounded("eu", 20, T0, draw.maxDelayMillis(0), draw.random);
          SimulatedTable table = draw.table(lookbackPolicy(kind, draw), WAITING, "eu");
          table.facts = facts -> drop ? facts.withoutSketch() : facts;
          run(table, T0, T0 + 8 * HOUR, draw.writer("eu", source));
          watermarks.add(table.watermarks);
        }
        assertThat(watermarks.get(1), is(watermarks.get(0)));
      }
    }
  }

  @Test
  public void commitsThatNobodyLookedIntoHoldTheWatermark() {
    Draw draw = new Draw(1);
    SimulatedSource source = SimulatedSource.bounded("eu", 9, T0, 0, draw.random);
    SimulatedWriter writer = draw.writer("eu", source);
    SimulatedTable table = draw.table(Policies.minOfMins(draw.lookback), WAITING, "eu");
    run(table, T0, T0 + 5 * HOUR, writer);
    table.facts =
        facts ->
            CommitFacts.unknown(
                facts.writer(), facts.snapshotId(), facts.committedAtMillis(), facts.count());
    run(table, T0 + 5 * HOUR + MINUTE, T0 + 9 * HOUR, writer);
    assertThat(table.watermarkMillis, is(lessThanOrEqualTo(T0 + 5 * HOUR)));
    assertThat(table.waits.contains(WaitCode.MISSING_FACTS), is(true));
    table.facts = facts -> facts;
    run(table, T0 + 9 * HOUR + MINUTE, T0 + 16 * HOUR, writer);

    assertThat(table.watermarkMillis, is(greaterThan(T0 + 12 * HOUR)));
    assertThat(table.late, is(empty()));
  }

  @Test
  public void adoptedTableClaimsNothingFromBeforeItsFacts() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Draw draw = new Draw(seed);
      // The table has been written for long; facts begin in the middle of an hour, and older
      // records are underway.
      long adopted = T0 + 5 * HOUR + draw.random.nextInt(59) * MINUTE;
      SimulatedSource source =
          SimulatedSource.bounded("eu", 20, T0, draw.maxDelayMillis(0), draw.random);
      source.deliver(adopted);
      SimulatedWriter writer =
          new SimulatedWriter("eu", draw.commitMinutes, adopted, List.of(source));
      SimulatedTable table = draw.table(Policies.minOfMins(draw.lookback), WAITING, "eu");
      run(table, adopted + MINUTE, adopted + 12 * HOUR, writer);

      assertThat("seed " + seed, table.late, is(empty()));
      Claim claim = Claim.of(table.sinceMillis, table.watermarkMillis);
      assertThat(claim.coverage(T0, T0 + HOUR), is(Claim.Coverage.NOT_COVERED));
      assertThat(
          claim.coverage(table.sinceMillis - 1, adopted + HOUR), is(Claim.Coverage.NOT_COVERED));
      assertThat(
          claim.coverage(
              Boundaries.floor(adopted, HOUR) + HOUR, Boundaries.floor(adopted, HOUR) + 2 * HOUR),
          is(Claim.Coverage.FINALIZED));
      // Hours of the claim had all records of their second part committed with facts.
      assertThat(table.sinceMillis, is(greaterThan(adopted - draw.durationMillis - HOUR)));
    }
  }

  @Test
  public void recordsSpreadOverYearsAreReportedByAnUpperBoundAtLeast() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Draw draw = new Draw(seed);
      SimulatedSource prompt = SimulatedSource.bounded("prompt", 20, T0, 0, draw.random);
      SimulatedTable table = draw.table(Policies.percentile(0.5, draw.lookback), WAITING, "eu");
      for (long now = T0; now < T0 + 12 * HOUR; now += 5 * MINUTE) {
        List<SimulatedTable.Row> rows = prompt.deliver(now);
        for (int i = draw.random.nextInt(3) == 0 ? 300 : 0; i > 0; i--) {
          long age = (long) (draw.random.nextDouble() * 300 * DAY);
          rows.add(new SimulatedTable.Row("spread", now - age));
        }
        table.commit("eu", now, rows, null);
        table.advance(now);
      }
      table.assertHasWatermark();
      assertThat(table.reported >= table.late.size(), is(true));
    }
  }

  @Test
  public void noEvidenceWhatsoeverMovesTheWatermarkBackOrBeyondNow() {
    Random random = new Random(77);
    for (int round = 0; round < SEEDS * 300; round++) {
      Draw draw = new Draw(round);
      long now = T0 + random.nextInt(1000) * HOUR;
      Long stored = random.nextBoolean() ? null : T0 + random.nextInt(1000) * HOUR;
      Evidence evidence =
          Evidence.at(now).withRequiredWriters(List.of("eu", "us")).withStored(stored, null);
      for (String writer : List.of("eu", "us")) {
        WriterWindow window = WriterWindow.empty(writer);
        for (int i = random.nextInt(40); i > 0; i--) {
          long at = now - (long) (random.nextGaussian() * 3 * HOUR);
          long[] times = random.longs(1 + random.nextInt(5), at - 9 * DAY, at + 2 * DAY).toArray();
          window = window.add(FinalizationTestUtils.facts(writer, i, at, times));
        }
        evidence =
            evidence
                .withWindow(window)
                .withAttestation(
                    writer, Attestation.of(random.nextLong(), now - random.nextInt(1_000_000)));
      }
      IdleHandling idle =
          IdleHandling.of(
              List.of(IdlePolicy.values()).get(random.nextInt(3)),
              Duration.millis(1 + random.nextInt(9_000_000)));

      Advance advance = WatermarkRule.next(lookbackPolicy(random.nextInt(7), draw), idle, evidence);

      assertThat(advance.beforeMillis(), is(stored));
      if (advance.moved()) {
        assertThat(advance.afterMillis(), is(lessThanOrEqualTo(now)));
        assertThat(Math.floorMod(advance.afterMillis(), HOUR), is(0L));
        assertThat(stored == null || stored < advance.afterMillis(), is(true));
      }
    }
  }

  @Test
  public void watermarksAreDistinctAndAscend() {
    Draw draw = new Draw(3);
    SimulatedTable table = pausedSource(draw, Policies.minOfMins(draw.lookback), 0);
    List<Long> steps = new ArrayList<>();
    for (int i = 1; i < table.watermarks.size(); i++) {
      steps.add(table.watermarks.get(i) - table.watermarks.get(i - 1));
    }

    assertThat(steps, everyItem(is(greaterThan(0L))));
  }

  /** Each policy over a lookback, within the assumptions that it documents for records within D. */
  private static FinalizationPolicy lookbackPolicy(int kind, Draw draw) {
    return switch (kind) {
      case 0 -> Policies.minOfMins(draw.lookback);
      case 1 ->
          Policies.percentile(
              List.of(0.001, 0.01, 0.05, 0.5, 0.95).get(draw.random.nextInt(5)), draw.lookback);
      case 2 -> Policies.percentile(0.02 + draw.random.nextDouble() * 0.9, draw.lookback);
      case 3 -> Policies.lateBudget(draw.random.nextInt(15), draw.lookback);
      case 4 -> Policies.lateBudgetFraction(0.1 / draw.commitsInLookback(), draw.lookback);
      case 5 ->
          Policies.allOf(
              Policies.percentile(0.1, draw.lookback), Policies.lateBudget(3, draw.lookback));
      default ->
          Policies.allOf(
              Policies.minOfMins(draw.lookback),
              Policies.inputWatermark(Duration.standardMinutes(draw.random.nextInt(60))));
    };
  }

  /** A prompt source, and one that pauses for hours and then delivers what it held back. */
  private static SimulatedTable pausedSource(
      Draw draw, FinalizationPolicy policy, long optimismMillis) {
    SimulatedSource prompt =
        SimulatedSource.bounded("prompt", 20, T0, draw.maxDelayMillis(0), draw.random);
    SimulatedSource paused =
        SimulatedSource.bounded("paused", 5, T0, draw.maxDelayMillis(0), draw.random);
    SimulatedTable table = draw.table(policy, WAITING, "eu");
    SimulatedWriter writer = draw.writer("eu", prompt, paused);
    writer.optimismMillis = optimismMillis;
    run(table, T0, T0 + 5 * HOUR, writer);
    paused.paused = true;
    long resumed = T0 + (9 + draw.random.nextInt(4)) * HOUR;
    run(table, T0 + 5 * HOUR + MINUTE, resumed, writer);
    paused.paused = false;
    run(table, resumed + MINUTE, resumed + 6 * HOUR, writer);
    return table;
  }

  private static void run(
      SimulatedTable table, long fromMillis, long untilMillis, SimulatedWriter... writers) {
    for (long now = fromMillis; now <= untilMillis; now += MINUTE) {
      for (SimulatedWriter writer : writers) {
        writer.tick(table, now);
      }
    }
  }
}
