package dev.tidemark.peers.doris;

import static dev.tidemark.peers.doris.Stage.row;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.doris.emulator.Fault;
import dev.tidemark.doris.emulator.Fault.Leg;
import dev.tidemark.doris.emulator.Fault.Operation;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The released connector when something goes wrong. */
@RunWith(JUnit4.class)
public final class ReleasedFaultsTest {
  private static final String QUERY = "VALUES (1, 'alpha'), (2, 'beta')";

  @Rule public final Timeout timeout = Timeout.seconds(120);
  @Rule public final Stage stage = new Stage();

  /** Killed between pre-commit and commit; the next run finds the transaction by its label. */
  @Test
  public void restartAbortsWhatWasLeftPreCommitted() throws Exception {
    stage.createTable();
    stage
        .emulator()
        .inject(
            Fault.answerOnly("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
                .on(Leg.FRONTEND, Operation.COMMIT)
                .times(1_000));
    try (ReleasedProcess killed = ReleasedProcess.start(SharedProcess.directory())) {
      killed.begin(script(Formats.twoPhase(Formats.arrow(), "left")));
      while (stage.transactions(TransactionState.PRECOMMITTED).stream()
          .noneMatch(transaction -> transaction.rows() > 0)) {
        Thread.onSpinWait();
      }
      killed.kill();
    }
    assertThat(stage.rows(), is(empty()));
    stage.emulator().clearFaults();

    SharedProcess.get().run(script(Formats.twoPhase(Formats.arrow(), "left")));

    assertThat(stage.rows(), contains(row(1L, "alpha"), row(2L, "beta")));
    assertThat(stage.transactions(TransactionState.PRECOMMITTED), is(empty()));
    assertThat(
        stage.transactions(TransactionState.ABORTED).stream()
            .filter(transaction -> transaction.rows() > 0)
            .map(TransactionInfo::label)
            .collect(Collectors.toList()),
        contains("left_testdb_tbl_0_1"));
    assertThat(labelsOf(TransactionState.VISIBLE), contains("left_testdb_tbl_0_1"));
  }

  @Test
  public void restartStopsAtALabelThatIsCommitted() throws IOException {
    stage.createTable();
    Map<String, String> options =
        Formats.with(Formats.twoPhase(Formats.json(), "used"), "sink.enable-delete", "false");
    SharedProcess.get().run(script(options));

    String failure = SharedProcess.get().fail(script(options));

    assertThat(failure, containsString("Label Already Exists"));
    assertThat(stage.rows(), contains(row(1L, "alpha"), row(2L, "beta")));
    assertThat(stage.transactions(TransactionState.VISIBLE), hasSize(1));
  }

  @Test
  public void lostAnswerOfACommitIsSettled() throws IOException {
    stage.createTable();
    stage.emulator().inject(Fault.lostAnswer().on(Leg.BACKEND, Operation.COMMIT));

    SharedProcess.get().run(script(Formats.twoPhase(Formats.arrow(), "lost")));

    assertThat(stage.rows(), contains(row(1L, "alpha"), row(2L, "beta")));
    assertThat(labelsOf(TransactionState.VISIBLE), contains("lost_testdb_tbl_0_1"));
  }

  @Test
  public void publishTimeoutIsSuccess() throws IOException {
    stage.createTable();
    stage.emulator().inject(Fault.publishTimeout());

    SharedProcess.get().run(script(Formats.with(Formats.arrow(), "sink.enable-2pc", "false")));

    assertThat(stage.transactions(TransactionState.ABORTED), is(empty()));
    assertThat(
        stage.emulator().requests().stream()
            .filter(request -> request.server().startsWith("be") && request.bodyBytes() > 0)
            .collect(Collectors.toList()),
        hasSize(1));
  }

  @Test
  public void failedLoadFailsTheJob() throws IOException {
    stage.createTable();
    stage.emulator().inject(Fault.failLoad("[DATA_QUALITY_ERROR]too many filtered rows").skip(1));

    String failure = SharedProcess.get().fail(script(Formats.twoPhase(Formats.arrow(), "fail")));

    assertThat(failure, containsString("too many filtered rows"));
    assertThat(stage.rows(), is(empty()));
    assertThat(stage.transactions(TransactionState.PRECOMMITTED), is(empty()));
  }

  @Test
  public void batchesAreSentAgain() throws IOException {
    stage.createTable();
    stage.emulator().inject(Fault.failLoad("[INTERNAL_ERROR]tablet writer write failed").times(2));

    SharedProcess.get()
        .run(
            script(
                Formats.with(
                    Formats.arrow(),
                    "sink.label-prefix",
                    "again",
                    "sink.enable.batch-mode",
                    "true",
                    "sink.enable-2pc",
                    "false")));

    assertThat(stage.rows(), contains(row(1L, "alpha"), row(2L, "beta")));
    assertThat(stage.transactions(TransactionState.ABORTED), hasSize(2));
    List<String> labels = labelsOf(TransactionState.VISIBLE);
    assertThat(labels, hasSize(1));
    assertThat(labels, everyItem(startsWith("again_0_tbl_")));
    String label = labels.get(0);
    assertThat("third attempt: " + label, label.endsWith("_2"), is(true));
    assertThat(labelsOf(TransactionState.ABORTED), hasItem(label.substring(0, label.length() - 2)));
  }

  @Test
  public void wrongPasswordFailsTheJob() throws IOException {
    stage.createTable();

    SharedProcess.get()
        .fail(script(Formats.with(Formats.twoPhase(Formats.json(), "auth"), "password", "wrong")));

    assertThat(stage.rows(), is(empty()));
    assertThat(stage.emulator().transactions(), is(empty()));
  }

  private List<String> labelsOf(TransactionState state) {
    return stage.transactions(state).stream()
        .map(TransactionInfo::label)
        .collect(Collectors.toList());
  }

  private Script script(Map<String, String> options) {
    return stage.insert(Script.create(500, "id"), QUERY, options);
  }
}
