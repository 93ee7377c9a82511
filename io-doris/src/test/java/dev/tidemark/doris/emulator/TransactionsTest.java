package dev.tidemark.doris.emulator;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.Test;

/** Labels, states and the phrases of their refusals. */
public class TransactionsTest extends EmulatorTestBase {

  @Test
  public void preCommitIsInvisibleUntilItsCommit() throws Exception {
    start();
    Answer answer = preCommit("a", "1|a|1");
    assertThat(answer.text("Status"), is("Success"));
    assertThat(answer.text("TwoPhaseCommit"), is("true"));
    assertThat(stateOf("a"), is("PRECOMMITTED"));
    assertThat(rows(), is(empty()));
    assertThat(
        decide("commit", "txn_id: " + answer.text("TxnId")).text("msg"),
        is("transaction [" + answer.text("TxnId") + "] commit successfully."));
    assertThat(stateOf("a"), is("VISIBLE"));
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void commitsOfWhatIsNotPreCommitted() throws Exception {
    start();
    String visible = csv("a", "1|a|1").text("TxnId");
    String aborted = preCommit("b", "1|a|1").text("TxnId");
    decide("abort", "txn_id: " + aborted);
    assertThat(
        refusal("commit", "txn_id: " + visible),
        endsWith("transaction [" + visible + "] is already visible, not pre-committed."));
    assertThat(
        refusal("commit", "txn_id: " + aborted),
        endsWith("transaction [" + aborted + "] is already aborted. abort reason: User Abort"));
    assertThat(refusal("commit", "txn_id: 77"), endsWith("transaction [77] not found"));
    assertThat(
        decide("commit", "txn_id: abc").text("msg"), endsWith("convert txn_id [abc] failed"));
  }

  @Test
  public void abortsOfWhatIsDecided() throws Exception {
    start();
    String visible = csv("a", "1|a|1").text("TxnId");
    String aborted = preCommit("b", "1|a|1").text("TxnId");
    assertThat(
        decide("abort", "txn_id: " + aborted).text("msg"),
        is("transaction [" + aborted + "] abort successfully."));
    assertThat(
        refusal("abort", "txn_id: " + visible),
        endsWith("transaction [" + visible + "] is already VISIBLE, could not abort."));
    assertThat(
        refusal("abort", "txn_id: " + aborted),
        endsWith("transaction [" + aborted + "] is already aborted, abort reason: User Abort"));
    assertThat(refusal("abort", "txn_id: 77"), endsWith("transaction [77] not found."));
  }

  @Test
  public void committedButInvisibleIsNamedSo() throws Exception {
    start(DorisEmulator.builder().publishDelay(Duration.ofDays(1)));
    String id = preCommit("a", "1|a|1").text("TxnId");
    doris().inject(Fault.publishTimeout().on(Fault.Leg.BACKEND, Fault.Operation.COMMIT));
    assertThat(decide("commit", "txn_id: " + id).text("status"), is("Success"));
    assertThat(
        refusal("commit", "txn_id: " + id), endsWith("is already committed, not pre-committed."));
    assertThat(
        refusal("abort", "txn_id: " + id), endsWith("is already COMMITTED, could not abort."));
  }

  @Test
  public void decisionsByLabel() throws Exception {
    start();
    preCommit("a", "1|a|1");
    assertThat(decide("commit", "label: a").text("msg"), is("label [a] commit successfully."));
    assertThat(refusal("commit", "label: a"), endsWith("running transaction not found, label=a"));
    assertThat(refusal("abort", "label: b"), endsWith("transaction not found, label=b"));
    preCommit("b", "2|b|1");
    assertThat(decide("abort", "label: b").text("msg"), is("label [b] abort successfully."));
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void transactionsBelongToADatabase() throws Exception {
    start();
    doris().createTable("CREATE TABLE other.t (id INT) UNIQUE KEY(id)");
    String id = preCommit("a", "1|a|1").text("TxnId");
    assertThat(
        WireTestClient.decide(backend(), "other", "commit", "txn_id: " + id).text("msg"),
        endsWith("transaction [" + id + "] not found"));
    assertThat(WireTestClient.labelState(doris().frontend(), "other", "a"), is("UNKNOWN"));
  }

  @Test
  public void labelsOfFinishedLoadsAreUsed() throws Exception {
    start();
    String id = csv("a", "1|a|1").text("TxnId");
    Answer again = csv("a", "2|b|1");
    assertThat(again.json().get("TxnId").asLong(), is(-1L));
    assertThat(again.text("Status"), is("Label Already Exists"));
    assertThat(again.text("ExistingJobStatus"), is("FINISHED"));
    assertThat(
        again.text("Message"),
        containsString(
            "Label [a] has already been used, relate to txn [" + id + "], status [VISIBLE]."));
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void labelsOfAbortedLoadsAreFree() throws Exception {
    start();
    decide("abort", "txn_id: " + preCommit("a", "1|a|1").text("TxnId"));
    assertThat(stateOf("a"), is("ABORTED"));
    assertThat(csv("a", "2|b|1").text("Status"), is("Success"));
    assertThat(stateOf("a"), is("VISIBLE"));
    assertThat(states(), contains("ABORTED", "VISIBLE"));
  }

  @Test
  public void emptyPreCommitOpensATransaction() throws Exception {
    start();
    assertThat(preCommit("a", "").text("Status"), is("Success"));
    assertThat(stateOf("a"), is("PRECOMMITTED"));
  }

  @Test
  public void preCommitsExpire() throws Exception {
    start(DorisEmulator.builder().precommitLifetime(Duration.ofMinutes(10)));
    String id = preCommit("a", "1|a|1").text("TxnId");
    clock.advance(Duration.ofMinutes(10).minusMillis(1));
    assertThat(stateOf("a"), is("PRECOMMITTED"));
    clock.advance(Duration.ofMillis(1));
    assertThat(stateOf("a"), is("ABORTED"));
    assertThat(
        refusal("commit", "txn_id: " + id), endsWith("abort reason: timeout by txn manager"));
    assertThat(preCommit("a", "1|a|1").text("Status"), is("Success"));
  }

  @Test
  public void labelsAreForgotten() throws Exception {
    start(DorisEmulator.builder().labelRetention(Duration.ofHours(1)));
    String id = csv("a", "1|a|1").text("TxnId");
    clock.advance(Duration.ofHours(1).minusMillis(1));
    assertThat(stateOf("a"), is("VISIBLE"));
    clock.advance(Duration.ofMillis(1));
    assertThat(stateOf("a"), is("UNKNOWN"));
    assertThat(refusal("commit", "txn_id: " + id), endsWith("transaction [" + id + "] not found"));
    assertThat(csv("a", "2|b|1").text("Status"), is("Success"));
  }

  @Test
  public void preCommitsAreNotForgottenBeforeTheyEnd() throws Exception {
    start(
        DorisEmulator.builder()
            .labelRetention(Duration.ofHours(1))
            .precommitLifetime(Duration.ofHours(10)));
    preCommit("a", "1|a|1");
    clock.advance(Duration.ofHours(9));
    assertThat(stateOf("a"), is("PRECOMMITTED"));
  }

  @Test
  public void tooManyRunningTransactionsAreRefused() throws Exception {
    start(DorisEmulator.builder().maxRunningTransactions(2));
    preCommit("a", "1|a|1");
    preCommit("b", "1|a|1");
    assertThat(csv("c", "1|a|1").text("Message"), containsString(" is 2, larger than limit 2"));
    decide("abort", "label: a");
    assertThat(csv("c", "1|a|1").text("Status"), is("Success"));
  }

  @Test
  public void transactionsTellWhatWasLoaded() throws Exception {
    start(DorisEmulator.builder().keepBodies(true));
    csv("a", "1|a|1");
    csv("b", "1|a|1");
    csv("c", "1|c|1");
    List<TransactionInfo> all = doris().transactions();
    assertThat(all.get(0).contentSha256(), is(all.get(1).contentSha256()));
    assertThat(all.get(0).contentSha256(), is(not(all.get(2).contentSha256())));
    assertThat(all.get(0).rows(), is(1L));
    assertThat(all.get(0).bytes(), is(5L));
    assertThat(all.get(0).begun(), is(clock.instant()));
    assertThat(
        doris().body(all.get(2).txnId()),
        is("1|c|1".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  @Test
  public void oneOfManyLoadsWithOneLabelWins() throws Exception {
    start();
    List<String> statuses = inParallel(8, number -> csv("a", number + "|a|1").text("Status"));
    assertThat(statuses.stream().filter("Success"::equals).toList(), hasSize(1));
    assertThat(statuses.stream().filter("Label Already Exists"::equals).toList(), hasSize(7));
    assertThat(rows(), hasSize(1));
  }

  @Test
  public void loadsWithDifferentLabelsRunSideBySide() throws Exception {
    start();
    List<String> statuses =
        inParallel(8, number -> csv("label-" + number, number + "|a|1").text("Status"));
    assertThat(statuses.stream().distinct().toList(), contains("Success"));
    assertThat(rows(), hasSize(8));
  }

  /** A load by the number of its thread. */
  private interface Numbered {
    String load(int number) throws IOException;
  }

  private static List<String> inParallel(int threads, Numbered load) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<String>> calls = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        calls.add(() -> load.load(number));
      }
      List<String> results = new ArrayList<>();
      for (Future<String> future : executor.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  private String refusal(String operation, String header) throws IOException {
    Answer answer = decide(operation, header);
    assertThat(answer.status(), is(200));
    assertThat(answer.text("status"), is("ANALYSIS_ERROR"));
    return answer.text("msg");
  }
}
