package dev.tidemark.streamload;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.streamload.TransactionAnswer.Outcome;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Phrases as Doris's source and its regression suites have them. */
@RunWith(JUnit4.class)
public final class MessagesTest {

  private static void assertVerdict(Verdict verdict, String... messages) {
    for (String message : messages) {
      assertThat(message, Messages.verdict(message), is(verdict));
    }
  }

  @Test
  public void shortageIsSlow() {
    assertVerdict(
        Verdict.SLOW,
        "[INTERNAL_ERROR]tablet writer write failed, tablet_id=1, txn_id=2, err=-235",
        "[E-235]failed to init rowset builder. version count: 2001, exceed limit: 2000",
        "too many versions",
        "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = current running txns on db 10 is 100, larger than limit 100",
        "[MEM_LIMIT_EXCEEDED]Process has no memory available");
  }

  @Test
  public void partsOfNamesAreNotCodes() {
    assertVerdict(Verdict.FATAL, "[ANALYSIS_ERROR]unknown table, tableName=t-235x");
    assertVerdict(Verdict.FATAL, "[ANALYSIS_ERROR]unknown table, tableName=busybox");
  }

  @Test
  public void badRowsAreRejected() {
    assertVerdict(
        Verdict.REJECT,
        "[DATA_QUALITY_ERROR]too many filtered rows",
        "too many filtered rows",
        "errCode = 2, detailMessage = too many filtered rows");
  }

  @Test
  public void passingTroubleIsRetried() {
    assertVerdict(
        Verdict.RETRY,
        "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = get tableList write lock timeout, tableList=(x)",
        "Have not get FE Master heartbeat yet",
        "[NOT_MASTER]",
        "NO_BACKEND_LOAD_AVAILABLE_MSG no available backend",
        "receive body don't equal with body bytes, body_bytes=3, receive_bytes=2",
        "something nobody has seen yet");
  }

  @Test
  public void troubleBetweenServersIsSettled() {
    assertVerdict(
        Verdict.SETTLE,
        "[THRIFT_RPC_ERROR]failed to call frontend service",
        "[INTERNAL_ERROR]commit timed out",
        "[TIMEOUT]publish timeout");
  }

  @Test
  public void refusedRequestsAreFatal() {
    assertVerdict(
        Verdict.FATAL,
        "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = Unknown column 'x' in table t",
        "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = Label format error. regex: x, label: y",
        "[INTERNAL_ERROR]body size 11 exceed BE's conf `streaming_load_max_mb` 10",
        "stream load 2pc is unsupported for mow table",
        "Column name mismatch: expected a, got b",
        "There is no 100-continue header",
        "no valid Basic authorization",
        "Access denied for default user");
  }

  @Test
  public void commitOfWhatIsCommittedSaysSo() {
    for (String message :
        new String[] {
          "transaction [18] is already visible, not pre-committed.",
          "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = transaction [18] is already committed, not pre-committed.",
          "transaction [18] is already VISIBLE, not pre-committed."
        }) {
      assertThat(message, Messages.transaction(message, 18L), is(Outcome.ALREADY_COMMITTED));
    }
  }

  @Test
  public void abortOfWhatIsVisibleIsNotTakenForAborted() {
    for (String state : new String[] {"VISIBLE", "COMMITTED"}) {
      String message =
          "errCode = 2, detailMessage = transaction [18] is already %s, could not abort."
              .formatted(state);
      assertThat(Messages.transaction(message, 18L), is(Outcome.ALREADY_COMMITTED));
      assertThat(Messages.transaction(message, null), is(Outcome.ALREADY_COMMITTED));
    }
  }

  @Test
  public void abortedAndUnknownAreToldApart() {
    assertThat(
        Messages.transaction(
            "transaction [18] is already aborted. abort reason: transaction [19] is already visible",
            18L),
        is(Outcome.ALREADY_ABORTED));
    assertThat(
        Messages.transaction("transaction [18] is already aborted, abort reason: User Abort", 18L),
        is(Outcome.ALREADY_ABORTED));
    assertThat(Messages.transaction("transaction [18] not found.", 18L), is(Outcome.NOT_FOUND));
    assertThat(
        Messages.transaction("running transaction not found, label=x", null),
        is(Outcome.NOT_FOUND));
  }

  @Test
  public void runningLoadIsNotReady() {
    assertThat(
        Messages.transaction("transaction [18] is prepare, not pre-committed.", 18L),
        is(Outcome.NOT_READY));
  }

  @Test
  public void messageAboutAnotherTransactionSaysNothing() {
    assertThat(
        Messages.transaction("transaction [181] is already visible, not pre-committed.", 18L),
        is(Outcome.FAILED));
    assertThat(Messages.transaction("Internal Error", 18L), is(Outcome.FAILED));
    assertThat(Messages.transaction("running transaction not found", 18L), is(Outcome.FAILED));
  }

  @Test
  public void holderOfALabelIsInTheMessage() {
    assertThat(
        Messages.transactionOfLabel(
            "[LABEL_ALREADY_EXISTS]TStatus: errCode = 2, detailMessage = Label [a_0_1] has already been used, relate to txn [1032], status [PRECOMMITTED]."),
        is(1032L));
    assertThat(Messages.transactionOfLabel("Label [x] is in use"), is(nullValue()));
    assertThat(
        Messages.transactionOfLabel(
            "Label [x] has already been used, relate to txn [99999999999999999999]"),
        is(nullValue()));
  }

  @Test
  public void columnsOfReasonsAreNamedWithoutValues() {
    assertThat(
        Messages.columnsIn(
            List.of(
                "Reason: column(v) values is null while columns is not nullable. src line [column(secret)]; ",
                "Reason: column_name[name], the length of input is too long. schema length: 3; ",
                "Reason: column(v) values is null; ")),
        contains("v", "name"));
  }
}
