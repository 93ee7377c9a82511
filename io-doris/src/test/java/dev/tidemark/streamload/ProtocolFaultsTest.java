package dev.tidemark.streamload;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Each fault of the emulator under both protocols, and all of them mixed, in seeded runs: retries
 * of bundles, replays, regrouped replays after lost state. The table is right in the end, no label
 * was committed twice, and nothing is left open.
 */
@RunWith(Parameterized.class)
public final class ProtocolFaultsTest {
  private static final int SEEDS = Boolean.getBoolean("tidemark.long") ? 50 : 3;
  private static final String MIXED = "mixed";
  private static final String LABEL_STATE = "labelStateHtml";

  private static final String TORN = "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{\"TxnId\": 1";
  private static final String HTML =
      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html>Bad gateway</html>";

  private static Map<String, Fault> ofBoth() {
    Map<String, Fault> faults = new LinkedHashMap<>();
    faults.put("lateRedirect", Fault.lateRedirect(Duration.ofMillis(30)));
    faults.put("resetAtOnce", Fault.resetAfter(0));
    faults.put("resetWithinBody", Fault.resetAfter(100));
    faults.put("crash", Fault.crashAfter(100, 2));
    faults.put("longCrash", Fault.crashAfter(0, 6));
    faults.put("noContinue", Fault.noContinue());
    faults.put("unauthorized", Fault.unauthorized());
    faults.put("unauthorizedAtFrontend", Fault.unauthorized().on(Fault.Leg.FRONTEND, LOAD));
    faults.put("earlyAnswer", Fault.earlyAnswer(0, "[INTERNAL_ERROR]cancelled"));
    faults.put("earlyAnswerWithinBody", Fault.earlyAnswer(64, "[INTERNAL_ERROR]cancelled"));
    faults.put("lostAnswer", Fault.lostAnswer());
    faults.put("publishTimeout", Fault.publishTimeout());
    faults.put("wonRace", Fault.labelRace(3, true));
    faults.put("lostRace", Fault.labelRace(3, false));
    faults.put("busy", Fault.busy());
    faults.put("tooManyVersions", Fault.tooManyVersions());
    faults.put("noBackend", Fault.noBackend());
    faults.put("failed", Fault.failLoad("[INTERNAL_ERROR]get tableList write lock timeout"));
    faults.put("uncertain", Fault.fail("[THRIFT_RPC_ERROR]failed to call frontend service"));
    faults.put("tornAnswer", Fault.answer(TORN));
    faults.put("htmlAfterWork", Fault.answer(HTML));
    faults.put("htmlInsteadOfWork", Fault.answerOnly(HTML));
    faults.put("http500", Fault.answerOnly("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"));
    faults.put("endless", Fault.endless());
    faults.put("slow", Fault.slow(Duration.ofMillis(4)));
    faults.put(
        LABEL_STATE, Fault.answerOnly(HTML).on(Fault.Leg.FRONTEND, Fault.Operation.LABEL_STATE));
    return faults;
  }

  private static Map<String, Fault> ofTwoPhases() {
    Map<String, Fault> faults = ofBoth();
    faults.put("expired", Fault.expired());
    faults.put("lostCommitAnswer", Fault.lostAnswer().on(Fault.Leg.BACKEND, COMMIT));
    faults.put("commitNotSent", Fault.resetAfter(0).on(Fault.Leg.BACKEND, COMMIT));
    faults.put("tornCommitAnswer", Fault.answer(TORN).on(Fault.Leg.BACKEND, COMMIT));
    faults.put(
        "commitLock",
        Fault.fail("get tableList write lock timeout, tableList=(x)")
            .on(Fault.Leg.BACKEND, COMMIT));
    faults.put("commitNotMaster", Fault.fail("NOT_MASTER").on(Fault.Leg.BACKEND, COMMIT));
    faults.put("commitPublishTimeout", Fault.publishTimeout().on(Fault.Leg.BACKEND, COMMIT));
    faults.put("lostAbortAnswer", Fault.lostAnswer().on(Fault.Leg.BACKEND, Fault.Operation.ABORT));
    return faults;
  }

  private static final Fault.Operation LOAD = Fault.Operation.LOAD;
  private static final Fault.Operation COMMIT = Fault.Operation.COMMIT;

  @Parameters(name = "{0}, two phases: {1}")
  public static List<Object[]> faults() {
    List<Object[]> parameters = new ArrayList<>();
    for (boolean twoPhase : new boolean[] {false, true}) {
      Map<String, Fault> faults = twoPhase ? ofTwoPhases() : ofBoth();
      faults.forEach(
          (name, fault) -> parameters.add(new Object[] {name, twoPhase, alone(name, fault)}));
      parameters.add(new Object[] {MIXED, twoPhase, List.copyOf(faults.values())});
    }
    return parameters;
  }

  /** Labels are asked for only when something else went wrong. */
  private static List<Fault> alone(String name, Fault fault) {
    return name.equals(LABEL_STATE) ? List.of(fault, Fault.lostAnswer()) : List.of(fault);
  }

  private final boolean twoPhase;
  private final List<Fault> faults;

  public ProtocolFaultsTest(String name, boolean twoPhase, List<Fault> faults) {
    this.twoPhase = twoPhase;
    this.faults = faults;
  }

  @Test
  public void tableIsRightAndNothingIsLeftOpen() {
    int met = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      met += run(seed);
    }
    assertThat("faults that met a request", met, is(greaterThan(0)));
  }

  private int run(int seed) {
    Random random = new Random(seed);
    try (FaultyRun run = new FaultyRun(random, "seed " + seed)) {
      int count = faults.size() <= 2 ? 4 : 12;
      for (int i = 0; i < count; i++) {
        Fault fault = faults.get(random.nextInt(faults.size()));
        run.emulator().inject(fault.skip(random.nextInt(8)).times(1 + random.nextInt(2)));
      }
      if (twoPhase) {
        run.twoPhases();
      } else {
        run.labelMode();
      }
      assertThat(run.context(), run.table(), is(run.expectedTable()));
      assertThat(run.context(), run.labelsCommittedTwice(), is(empty()));
      assertThat(run.context(), run.openTransactions(), is(empty()));
      assertThat(run.context(), run.emulator().violations(), is(empty()));
      return run.faultsMet();
    }
  }
}
