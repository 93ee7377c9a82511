package dev.tidemark.doris.emulator;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertThrows;

import dev.tidemark.doris.emulator.Fault.Leg;
import dev.tidemark.doris.emulator.Fault.Operation;
import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.Test;

/** Each fault as a client sees it on the wire, and what is left of the transaction. */
public class FaultsTest extends EmulatorTestBase {

  private static final String EMPTY_LINE = "Content-Length: 0\r\n\r\n";

  @Test
  public void lateRedirectComesAfterItsDelay() throws Exception {
    start();
    doris().inject(Fault.lateRedirect(Duration.ofMillis(300)));
    long start = System.nanoTime();
    Answer answer =
        WireTestClient.get(doris().frontend(), WireTestClient.loadHead("db", "t") + EMPTY_LINE);
    assertThat(answer.status(), is(307));
    assertThat(System.nanoTime() - start, greaterThan(Duration.ofMillis(290).toNanos()));
  }

  @Test
  public void bodyBeforeALateRedirectResetsTheConnection() throws Exception {
    start();
    doris().inject(Fault.lateRedirect(Duration.ofSeconds(5)));
    try (WireTestClient client = new WireTestClient(doris().frontend())) {
      client.send(bytes(WireTestClient.loadHead("db", "t", "Content-Length: 5") + "\r\n"));
      client.send(bytes("1|a|1"));
      assertThrows(IOException.class, client::answer);
    }
    assertThat(doris().violations(), hasSize(1));
  }

  @Test
  public void bodySentToTheFrontendResetsTheConnection() throws Exception {
    start();
    try (WireTestClient client = new WireTestClient(doris().frontend())) {
      client.send(bytes(WireTestClient.loadHead("db", "t", "Content-Length: 5") + "\r\n"));
      assertThat(client.answer().status(), is(307));
      client.send(bytes("1|a|1"));
      assertThat(endsWithoutMore(client), is(true));
    }
    assertThat(doris().violations().get(0), startsWith("A body was sent to the frontend"));
  }

  @Test
  public void resetAfterSomeBytesRollsBackAndFreesTheLabel() throws Exception {
    start();
    doris().inject(Fault.resetAfter(3));
    assertThrows(IOException.class, () -> csv("a", "1|a|1"));
    assertThat(stateOf("a"), is("ABORTED"));
    assertThat(csv("a", "1|a|1").text("Status"), is("Success"));
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void crashLeavesTheLabelInUseForAWhile() throws Exception {
    start();
    doris().inject(Fault.crashAfter(3, 2));
    assertThrows(IOException.class, () -> csv("a", "1|a|1"));
    assertThat(csv("a", "1|a|1").text("ExistingJobStatus"), is("RUNNING"));
    assertThat(stateOf("a"), is("PREPARE"));
    assertThat(stateOf("a"), is("PREPARE"));
    assertThat(stateOf("a"), is("ABORTED"));
    assertThat(csv("a", "1|a|1").text("Status"), is("Success"));
  }

  @Test
  public void noContinueButTheBodyIsTaken() throws Exception {
    start();
    doris().inject(Fault.noContinue());
    try (WireTestClient client = new WireTestClient(backend())) {
      client.send(
          bytes(
              WireTestClient.loadHead("db", "t", "label: a", "column_separator: |")
                  + "Content-Length: 5\r\n\r\n"));
      client.timeout(200);
      assertThrows(SocketTimeoutException.class, client::read);
      client.timeout(20_000);
      client.send(bytes("1|a|1"));
      Answer answer = client.answer();
      assertThat(answer.continued(), is(false));
      assertThat(answer.text("Status"), is("Success"));
    }
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void unauthorizedAtEitherLeg() throws Exception {
    start();
    doris().inject(Fault.unauthorized());
    doris().inject(Fault.unauthorized().on(Leg.FRONTEND, Operation.LOAD));
    assertThat(csv("a", "1|a|1").status(), is(401));
    Answer answer =
        WireTestClient.get(doris().frontend(), WireTestClient.loadHead("db", "t") + EMPTY_LINE);
    assertThat(answer.status(), is(401));
    assertThat(doris().transactions(), is(empty()));
  }

  @Test
  public void earlyAnswerCanBeReadWhileTheBodyIsStuck() throws Exception {
    start();
    doris().inject(Fault.earlyAnswer(10, "[INTERNAL_ERROR]cancelled"));
    try (WireTestClient client = new WireTestClient(backend())) {
      int length = 100_000_000;
      client.send(
          bytes(
              WireTestClient.loadHead("db", "t", "label: a")
                  + "Content-Length: "
                  + length
                  + "\r\n\r\n"));
      client.send(new byte[100]);
      Answer answer = client.answer();
      assertThat(answer.text("Message"), is("[INTERNAL_ERROR]cancelled"));
    }
    assertThat(stateOf("a"), is("ABORTED"));
  }

  @Test
  public void lostAnswerOfALoadThatIsVisible() throws Exception {
    start();
    doris().inject(Fault.lostAnswer());
    assertThrows(IOException.class, () -> csv("a", "1|a|1"));
    assertThat(stateOf("a"), is("VISIBLE"));
    assertThat(rows(), contains("[1, a, 1]"));
    Answer again = csv("a", "1|a|1");
    assertThat(again.text("Status"), is("Label Already Exists"));
    assertThat(again.text("ExistingJobStatus"), is("FINISHED"));
  }

  @Test
  public void lostAnswerOfAPreCommit() throws Exception {
    start();
    doris().inject(Fault.lostAnswer());
    assertThrows(IOException.class, () -> preCommit("a", "1|a|1"));
    assertThat(preCommit("a", "1|a|1").text("ExistingJobStatus"), is("PRECOMMITTED"));
    assertThat(rows(), is(empty()));
  }

  @Test
  public void lostAnswerOfACommit() throws Exception {
    start();
    String id = preCommit("a", "1|a|1").text("TxnId");
    doris().inject(Fault.lostAnswer().on(Leg.BACKEND, Operation.COMMIT));
    assertThrows(IOException.class, () -> decide("commit", "txn_id: " + id));
    assertThat(
        decide("commit", "txn_id: " + id).text("msg"),
        containsString("transaction [" + id + "] is already visible, not pre-committed."));
  }

  @Test
  public void commitThatNeverArrives() throws Exception {
    start();
    String id = preCommit("a", "1|a|1").text("TxnId");
    doris().inject(Fault.resetAfter(0).on(Leg.BACKEND, Operation.COMMIT));
    assertThrows(IOException.class, () -> decide("commit", "txn_id: " + id));
    assertThat(stateOf("a"), is("PRECOMMITTED"));
    assertThat(decide("commit", "txn_id: " + id).text("status"), is("Success"));
  }

  @Test
  public void publishTimeoutIsVisibleLater() throws Exception {
    start(DorisEmulator.builder().publishDelay(Duration.ofMinutes(1)));
    doris().inject(Fault.publishTimeout());
    assertThat(csv("a", "1|a|1").text("Status"), is("Publish Timeout"));
    assertThat(stateOf("a"), is("COMMITTED"));
    assertThat(rows(), is(empty()));
    assertThat(csv("a", "1|a|1").text("ExistingJobStatus"), is("FINISHED"));
    clock.advance(Duration.ofMinutes(1));
    assertThat(stateOf("a"), is("VISIBLE"));
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void laterLoadMakesAnEarlierCommitVisibleFirst() throws Exception {
    start(DorisEmulator.builder().publishDelay(Duration.ofDays(1)));
    doris().inject(Fault.publishTimeout());
    csv("a", "1|old|1");
    csv("b", "1|new|2");
    assertThat(rows(), contains("[1, new, 2]"));
  }

  @Test
  public void labelRaceThatIsWonByAnother() throws Exception {
    start();
    doris().inject(Fault.labelRace(1, true));
    Answer answer = csv("a", "1|a|1");
    assertThat(answer.text("ExistingJobStatus"), is("RUNNING"));
    assertThat(answer.json().get("TxnId").asLong(), is(-1L));
    assertThat(stateOf("a"), is("PREPARE"));
    assertThat(stateOf("a"), is("VISIBLE"));
    assertThat(rows(), contains("[1, a, 1]"));
    assertThat(doris().transactions().get(0).contentSha256().length(), is(64));
  }

  @Test
  public void labelRaceThatTheOtherLoses() throws Exception {
    start();
    doris().inject(Fault.labelRace(1, false));
    csv("a", "1|a|1");
    assertThat(stateOf("a"), is("PREPARE"));
    assertThat(stateOf("a"), is("ABORTED"));
    assertThat(csv("a", "1|a|1").text("Status"), is("Success"));
  }

  @Test
  public void labelRaceOfAPreCommit() throws Exception {
    start();
    doris().inject(Fault.labelRace(1, true));
    preCommit("a", "1|a|1");
    stateOf("a");
    assertThat(stateOf("a"), is("PRECOMMITTED"));
  }

  @Test
  public void busyBeginsNothing() throws Exception {
    start();
    doris().inject(Fault.busy());
    assertThat(csv("a", "1|a|1").text("Message"), containsString("current running txns on db"));
    assertThat(doris().transactions(), is(empty()));
  }

  @Test
  public void tooManyVersionsRollsBack() throws Exception {
    start();
    doris().inject(Fault.tooManyVersions());
    Answer answer = csv("a", "1|a|1");
    assertThat(answer.text("Status"), is("Fail"));
    assertThat(answer.text("Message"), containsString("[E-235]"));
    assertThat(stateOf("a"), is("ABORTED"));
  }

  @Test
  public void expiredTransactionCannotBeCommitted() throws Exception {
    start();
    String id = preCommit("a", "1|a|1").text("TxnId");
    doris().inject(Fault.expired());
    assertThat(
        decide("commit", "txn_id: " + id).text("msg"),
        containsString(
            "transaction [" + id + "] is already aborted. abort reason: timeout by txn manager"));
    assertThat(rows(), is(empty()));
  }

  @Test
  public void failedCommitLeavesThePreCommit() throws Exception {
    start();
    String id = preCommit("a", "1|a|1").text("TxnId");
    doris()
        .inject(
            Fault.fail("[INTERNAL_ERROR]get tableList write lock timeout, tableList=(t)")
                .on(Leg.BACKEND, Operation.COMMIT));
    assertThat(decide("commit", "txn_id: " + id).text("status"), is("INTERNAL_ERROR"));
    assertThat(stateOf("a"), is("PRECOMMITTED"));
  }

  @Test
  public void noBackendAndRedirectElsewhere() throws Exception {
    start();
    doris().inject(Fault.noBackend());
    doris().inject(Fault.redirectTo("http://elsewhere.invalid:80/"));
    String head = WireTestClient.loadHead("db", "t") + EMPTY_LINE;
    assertThat(
        WireTestClient.get(doris().frontend(), head).text("msg"), startsWith("No backend load"));
    assertThat(
        WireTestClient.get(doris().frontend(), head).headers(),
        hasEntry("Location", "http://elsewhere.invalid:80/"));
  }

  @Test
  public void otherAnswersAfterTheWorkAndWithoutIt() throws Exception {
    start();
    String html = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>";
    doris().inject(Fault.answer(html));
    doris().inject(Fault.answerOnly(html));
    assertThat(csv("a", "1|a|1").body(), is("<html>"));
    assertThat(csv("b", "1|b|1").body(), is("<html>"));
    assertThat(stateOf("a"), is("VISIBLE"));
    assertThat(stateOf("b"), is("UNKNOWN"));
  }

  @Test
  public void endlessAnswerGoesOn() throws Exception {
    start();
    doris().inject(Fault.endless());
    try (WireTestClient client = new WireTestClient(backend())) {
      client.send(bytes(WireTestClient.loadHead("db", "t") + EMPTY_LINE));
      String line = client.line();
      while (!line.startsWith("Connection")) {
        line = client.line();
      }
      client.line();
      for (int i = 0; i < 1_000_000; i++) {
        assertThat(client.read() >= 0, is(true));
      }
    }
  }

  @Test
  public void slowAnswerArrivesInTheEnd() throws Exception {
    start();
    doris().inject(Fault.slow(Duration.ofNanos(100_000)));
    long start = System.nanoTime();
    assertThat(csv("a", "1|a|1").text("Status"), is("Success"));
    assertThat(System.nanoTime() - start, greaterThan(Duration.ofMillis(30).toNanos()));
  }

  @Test
  public void faultsMeetTheRequestsTheyNameAndAsOftenAsTheySay() throws Exception {
    start();
    doris().inject(Fault.fail("[X]first").label("a.*").skip(1).times(2));
    assertThat(csv("a1", "1|a|1").text("Status"), is("Success"));
    assertThat(csv("b", "1|a|1").text("Status"), is("Success"));
    assertThat(csv("a2", "1|a|1").text("Message"), is("[X]first"));
    assertThat(csv("a2", "1|a|1").text("Message"), is("[X]first"));
    assertThat(csv("a2", "1|a|1").text("Status"), is("Success"));
    assertThat(doris().pendingFaults(), is(empty()));
  }

  @Test
  public void faultsOfCommitsKnowTheTableAndTheLabel() throws Exception {
    start();
    String id = preCommit("a", "1|a|1").text("TxnId");
    doris().inject(Fault.fail("[X]").on(Leg.BACKEND, Operation.COMMIT).table("t").label("a"));
    assertThat(decide("commit", "txn_id: " + id).text("msg"), is("[X]"));
    assertThat(doris().pendingFaults(), is(empty()));
  }

  @Test
  public void faultsOfOtherTablesAndOperationsWait() throws Exception {
    start();
    doris().inject(Fault.fail("[X]").table("other"));
    doris().inject(Fault.fail("[X]").on(Leg.BACKEND, Operation.ABORT));
    assertThat(csv("a", "1|a|1").text("Status"), is("Success"));
    assertThat(doris().pendingFaults(), hasSize(2));
    doris().clearFaults();
    assertThat(doris().pendingFaults(), is(empty()));
  }

  private static boolean endsWithoutMore(WireTestClient client) {
    try {
      return client.read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
