package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.doris.emulator.Fault;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import dev.tidemark.streamload.LostTransactionException;
import dev.tidemark.streamload.RewoundException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Runs the stages of the write with faults of the server and crashes at any step, in both modes:
 * the table is that of the changelog, no label was committed with two contents, nothing is left
 * open.
 */
@RunWith(JUnit4.class)
public class FaultRunsTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final int SEEDS = LONG ? 50 : 2;
  private static final int CHANGES = LONG ? 120 : 60;
  private static final int KEYS = 12;

  /** Faults whose number of bytes or polls varies with the seed. */
  private static final ImmutableMap<String, Function<Random, Fault>> FAULTS =
      ImmutableMap.<String, Function<Random, Fault>>builder()
          .put("late redirect", random -> Fault.lateRedirect(Duration.ofMillis(15)))
          .put("reset", random -> Fault.resetAfter(random.nextInt(1_500)))
          .put("crash", random -> Fault.crashAfter(random.nextInt(1_500), random.nextInt(4)))
          .put("no 100", random -> Fault.noContinue())
          .put("401", random -> Fault.unauthorized())
          .put(
              "early answer",
              random -> Fault.earlyAnswer(random.nextInt(900), "[INTERNAL_ERROR]cancelled"))
          .put("lost answer", random -> Fault.lostAnswer())
          .put("publish timeout", random -> Fault.publishTimeout())
          .put("label race", random -> Fault.labelRace(1 + random.nextInt(3), random.nextBoolean()))
          .put("busy", random -> Fault.busy())
          .put("too many versions", random -> Fault.tooManyVersions())
          .put("no backend", random -> Fault.noBackend())
          .buildOrThrow();

  @After
  public void nothingIsOutstanding() {
    assertThat(ArrowAllocators.outstandingBytes(), is(0L));
  }

  static WriteSettings settings(Shop shop, String prefix) {
    return new WriteSettings(
        ClusterSettings.none().toBuilder()
            .frontends(StaticValueProvider.of(List.of(shop.doris.frontend())))
            .user(StaticValueProvider.of(Shop.USER))
            .password(StaticValueProvider.of(Shop.PASSWORD))
            .retryPolicy(Shop.impatient())
            .build(),
        LoadRules.builder().changes(true).build(),
        LoadLimits.of(1_000, 1 << 20, 10_000),
        Shards.of(2),
        prefix,
        ImmutableMap.of(),
        false,
        Clock.systemUTC());
  }

  private static void assertWhole(Shop shop, Changelog log, String what) {
    assertThat(what, shop.orders(), is(log.table()));
    assertThat(what, shop.openTransactions(), empty());
    assertThat(what, shop.doris.violations(), empty());
    assertOneContentPerLabel(shop, what);
  }

  private static void assertOneContentPerLabel(Shop shop, String what) {
    Map<String, String> contents = new HashMap<>();
    for (TransactionInfo info : shop.transactions(TransactionState.VISIBLE)) {
      String label = info.database() + ":" + info.label();
      String before = contents.putIfAbsent(label, info.contentSha256());
      assertThat(what + " " + label, before == null, is(true));
    }
  }

  private static void faultRuns(DeliveryMode mode, String name) throws Exception {
    Function<Random, Fault> fault = FAULTS.get(name);
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Changelog log = Changelog.of(random, CHANGES, KEYS);
      String what = name + ", " + mode + ", seed " + seed;
      try (Shop shop = Shop.open()) {
        StageRun.of(
                mode,
                log.changes(),
                random,
                0.02,
                dice -> {
                  if (dice.nextInt(3) == 0) {
                    shop.doris.inject(
                        fault.apply(dice).skip(dice.nextInt(3)).times(1 + dice.nextInt(2)));
                  }
                })
            .run(settings(shop, "runs"));
        shop.doris.clearFaults();
        assertWhole(shop, log, what);
      }
    }
  }

  private static void faultRuns(DeliveryMode mode) throws Exception {
    for (String name : FAULTS.keySet()) {
      faultRuns(mode, name);
    }
  }

  @Test
  public void eachFaultByLabels() throws Exception {
    faultRuns(DeliveryMode.LABELS);
  }

  @Test
  public void eachFaultInTwoPhases() throws Exception {
    faultRuns(DeliveryMode.TWO_PHASE_COMMIT);
  }

  private static void faultsOfTransactions(String name, Fault.Operation operation)
      throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Changelog log = Changelog.of(random, CHANGES, KEYS);
      try (Shop shop = Shop.open()) {
        StageRun.inTwoPhases(
                log.changes(),
                random,
                0.02,
                dice -> {
                  if (dice.nextInt(3) == 0) {
                    Fault fault =
                        dice.nextBoolean()
                            ? Fault.lostAnswer()
                            : dice.nextBoolean() ? Fault.resetAfter(0) : Fault.busy();
                    shop.doris.inject(
                        fault.on(
                            dice.nextBoolean() ? Fault.Leg.FRONTEND : Fault.Leg.BACKEND,
                            operation));
                  }
                })
            .run(settings(shop, "runs"));
        shop.doris.clearFaults();
        assertWhole(shop, log, name + ", seed " + seed);
      }
    }
  }

  @Test
  public void faultsOfCommits() throws Exception {
    faultsOfTransactions("commit", Fault.Operation.COMMIT);
  }

  @Test
  public void faultsOfAborts() throws Exception {
    faultsOfTransactions("abort", Fault.Operation.ABORT);
  }

  @Test
  public void faultsOfLabelStates() throws Exception {
    faultsOfTransactions("label state", Fault.Operation.LABEL_STATE);
  }

  /** The state is lost, and the table emptied, so that the whole input has to come again. */
  private static void statelessRestart(DeliveryMode mode) throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Changelog log = Changelog.of(random, CHANGES, KEYS);
      try (Shop shop = Shop.open()) {
        for (int run = 0; run < 3; run++) {
          shop.doris.truncate("shop", "orders");
          StageRun.of(mode, log.changes(), new Random(seed), 0.02, dice -> {})
              .run(settings(shop, "runs"));
          assertThat("run " + run + ", seed " + seed, shop.orders(), is(log.table()));
        }
        assertWhole(shop, log, "stateless, " + mode + ", seed " + seed);
      }
    }
  }

  @Test
  public void statelessRestartOnATruncatedTableByLabels() throws Exception {
    statelessRestart(DeliveryMode.LABELS);
  }

  @Test
  public void statelessRestartOnATruncatedTableInTwoPhases() throws Exception {
    statelessRestart(DeliveryMode.TWO_PHASE_COMMIT);
  }

  @Test
  public void labelsBearARunnerThatIsTakenBack() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Changelog log = Changelog.of(random, CHANGES, KEYS);
      try (Shop shop = Shop.open()) {
        StageRun<LoadBody> run = StageRun.byLabels(log.changes(), random, 0, dice -> {});
        run.run(settings(shop, "runs"));
        run.rewind(3);
        run.run(settings(shop, "runs"));
        assertWhole(shop, log, "rewound, seed " + seed);
      }
    }
  }

  @Test
  public void twoPhasesRefuseARunnerThatIsTakenBackAndANewPrefixMakesItWhole() throws Exception {
    Random random = new Random(7);
    Changelog log = Changelog.of(random, 200, KEYS);
    try (Shop shop = Shop.open()) {
      StageRun<PreCommittedLoad> run = StageRun.inTwoPhases(log.changes(), random, 0, dice -> {});
      run.run(settings(shop, "runs"));
      run.rewind(4);
      RewoundException e =
          assertThrows(RewoundException.class, () -> run.run(settings(shop, "runs")));
      assertThat(e.getMessage(), containsString(e.label()));
      run.run(settings(shop, "runs-again"));
      assertWhole(shop, log, "rewound");
    }
  }

  /** The clock that a test moves. */
  static final class MovingClock extends Clock {
    private volatile Instant now = Instant.parse("2026-03-01T00:00:00Z");

    void advance(Duration duration) {
      now = now.plus(duration);
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @Test
  public void stopLongerThanThePreCommitLivesFailsAndAnEarlierCheckpointMakesItWhole()
      throws Exception {
    int lost = 0;
    for (int seed = 0; seed < SEEDS + 8; seed++) {
      Random random = new Random(seed);
      Changelog log = Changelog.of(random, CHANGES, KEYS);
      MovingClock clock = new MovingClock();
      try (Shop shop = Shop.of(Shop.builder().clock(clock))) {
        boolean[] stopped = new boolean[1];
        StageRun<PreCommittedLoad> run =
            StageRun.inTwoPhases(
                log.changes(),
                random,
                0,
                dice -> {
                  if (!stopped[0] && !shop.openTransactions().isEmpty() && dice.nextInt(3) == 0) {
                    stopped[0] = true;
                    clock.advance(Duration.ofHours(2));
                  }
                });
        try {
          run.run(settings(shop, "runs"));
        } catch (LostTransactionException e) {
          lost++;
          assertThat(e.getMessage(), containsString(e.transaction().label()));
          run.rewind(Integer.MAX_VALUE);
          run.run(settings(shop, "runs-again"));
        }
        clock.advance(Duration.ofHours(2));
        assertWhole(shop, log, "stopped, seed " + seed);
      }
    }
    assertThat(lost, greaterThan(0));
  }
}
