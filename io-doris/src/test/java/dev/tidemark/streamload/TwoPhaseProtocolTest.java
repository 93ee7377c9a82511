package dev.tidemark.streamload;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.doris.emulator.Fault;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import dev.tidemark.streamload.ArrowRows.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class TwoPhaseProtocolTest {
  private static final List<Entry> ROWS = List.of(new Entry(1, 10L), new Entry(2, 20L));
  private static final List<Entry> OTHER = List.of(new Entry(3, 30L));
  private static final long EPOCH = 5;

  private final ManualClock clock = new ManualClock();
  private final Labels labels = Labels.of("pre");
  private final List<String> heard = new ArrayList<>();
  private final LoadListener listener =
      new LoadListener() {
        @Override
        public void aborted() {
          heard.add("aborted");
        }
      };
  private DorisEmulator emulator;
  private StreamLoadClient client;
  private TwoPhaseProtocol protocol;

  @Before
  public void start() {
    emulator =
        DorisEmulator.builder()
            .user(Fixtures.USER)
            .password(Fixtures.PASSWORD)
            .clock(clock)
            .labelRetention(Duration.ofHours(12))
            .start();
    emulator.createTable(ArrowRows.DDL.formatted("db", "t"));
    client =
        StreamLoadClient.open(
            Fixtures.cluster(emulator.frontend()).withLoadTimeout(Duration.ofSeconds(2)));
    protocol = TwoPhaseProtocol.of(client, labels, RetryPolicy.defaults(), listener, clock, clock);
  }

  @After
  public void stop() {
    client.close();
    emulator.close();
  }

  private LoadRequest request(long epoch, long sequence, List<Entry> rows) {
    return LoadRequest.of(
        "db",
        "t",
        labels.forSequence("db", "t", epoch, 0, sequence),
        List.of("id", "v"),
        List.of(ArrowRows.stream(rows)));
  }

  private PreCommitted preCommit(long sequence, List<Entry> rows) {
    return protocol.preCommit(request(EPOCH, sequence, rows));
  }

  private List<TransactionState> states() {
    return emulator.transactions().stream().map(TransactionInfo::state).toList();
  }

  @Test
  public void rowsAreVisibleFromTheCommitOn() {
    PreCommitted transaction = preCommit(1, ROWS);
    assertThat(emulator.rows("db", "t"), is(empty()));
    protocol.commit(transaction);
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(ROWS)));
    assertThat(transaction.rows(), is(2L));
    assertThat(emulator.violations(), is(empty()));
  }

  @Test
  public void commitIsIdempotent() {
    PreCommitted transaction = preCommit(1, ROWS);
    protocol.commit(transaction);
    protocol.commit(transaction);
    assertThat(states(), contains(TransactionState.VISIBLE));
  }

  @Test
  public void lostAnswerToACommitIsMadeAgain() {
    PreCommitted transaction = preCommit(1, ROWS);
    emulator.inject(Fault.lostAnswer().on(Fault.Leg.BACKEND, Fault.Operation.COMMIT));
    protocol.commit(transaction);
    assertThat(states(), contains(TransactionState.VISIBLE));
  }

  @Test
  public void lostAnswerToAPreCommitIsAbortedAndLoadedAgain() {
    emulator.inject(Fault.lostAnswer());
    PreCommitted transaction = preCommit(1, ROWS);
    assertThat(states(), contains(TransactionState.ABORTED, TransactionState.PRECOMMITTED));
    protocol.commit(transaction);
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(ROWS)));
    assertThat(heard, contains("aborted"));
  }

  @Test
  public void leftOverOfAnEarlierRunIsAbortedAndReplaced() {
    preCommit(1, ROWS);
    PreCommitted second = preCommit(1, OTHER);
    protocol.commit(second);
    assertThat(states(), contains(TransactionState.ABORTED, TransactionState.VISIBLE));
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(OTHER)));
  }

  @Test
  public void committedLabelIsARewind() {
    protocol.commit(preCommit(1, ROWS));
    RewoundException failure = assertThrows(RewoundException.class, () -> preCommit(1, OTHER));
    assertThat(failure.label(), is(labels.forSequence("db", "t", EPOCH, 0, 1)));
    assertThat(failure.getMessage(), containsString("Restart from the newest checkpoint"));
    assertThat(failure.permanent(), is(true));
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(ROWS)));
  }

  @Test
  public void expiredTransactionIsLost() {
    PreCommitted transaction = preCommit(1, ROWS);
    clock.sleep(TimeUnit.HOURS.toMillis(2));
    LostTransactionException failure =
        assertThrows(LostTransactionException.class, () -> protocol.commit(transaction));
    assertThat(failure.transaction(), is(transaction));
    assertThat(failure.getMessage(), containsString(transaction.label()));
    assertThat(failure.getMessage(), containsString("before the one that holds this pre-commit"));
    assertThat(failure.getMessage(), containsString("the label is ABORTED now"));
  }

  @Test
  public void forgottenTransactionIsLost() {
    PreCommitted transaction = preCommit(1, ROWS);
    clock.sleep(TimeUnit.HOURS.toMillis(40));
    emulator.transactions();
    clock.sleep(TimeUnit.HOURS.toMillis(40));
    LostTransactionException failure =
        assertThrows(LostTransactionException.class, () -> protocol.commit(transaction));
    assertThat(failure.getMessage(), containsString("not found"));
  }

  @Test
  public void abortOfWhatIsCommittedIsNotTakenForDone() {
    PreCommitted transaction = preCommit(1, ROWS);
    protocol.commit(transaction);
    assertThrows(RewoundException.class, () -> protocol.abort(transaction));
    assertThat(states(), contains(TransactionState.VISIBLE));
  }

  @Test
  public void abortIsIdempotent() {
    PreCommitted transaction = preCommit(1, ROWS);
    protocol.abort(transaction);
    protocol.abort(transaction);
    assertThat(states(), contains(TransactionState.ABORTED));
  }

  @Test
  public void passingRefusalOfACommitIsMadeAgain() {
    PreCommitted transaction = preCommit(1, ROWS);
    emulator.inject(
        Fault.fail("get tableList write lock timeout, tableList=(t)")
            .on(Fault.Leg.BACKEND, Fault.Operation.COMMIT)
            .times(3));
    protocol.commit(transaction);
    assertThat(states(), contains(TransactionState.VISIBLE));
  }

  @Test
  public void commitThatNeverAnswersIsOfUnknownOutcome() {
    PreCommitted transaction = preCommit(1, ROWS);
    emulator.inject(Fault.resetAfter(0).on(Fault.Leg.BACKEND, Fault.Operation.COMMIT).times(100));
    LoadException failure = assertThrows(LoadException.class, () -> protocol.commit(transaction));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
    assertThat(failure.permanent(), is(false));
  }

  @Test
  public void badRowsLeaveNothingOpen() {
    assertThrows(RejectedException.class, () -> preCommit(1, List.of(new Entry(1, null))));
    assertThat(states(), contains(TransactionState.ABORTED));
  }

  @Test
  public void loadThatRunsInAnotherWorkerIsAbortedFirst() {
    emulator.inject(Fault.labelRace(1000, true));
    protocol.commit(preCommit(1, ROWS));
    assertThat(states(), contains(TransactionState.ABORTED, TransactionState.VISIBLE));
  }

  @Test
  public void serverThatCommitsAtOnceIsNoticed() {
    emulator.inject(
        Fault.answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 150\r\n\r\n%-150s"
                .formatted(
                    "{\"TxnId\":5,\"Label\":\"%s\",\"Status\":\"Success\"}"
                        .formatted(labels.forSequence("db", "t", EPOCH, 0, 1)))));
    LoadException failure = assertThrows(LoadException.class, () -> preCommit(1, ROWS));
    assertThat(failure.kind(), is(LoadException.Kind.DISOBEYED));
    assertThat(failure.getMessage(), containsString("without regard to two_phase_commit"));
  }

  @Test
  public void cloudModeWithoutTwoPhasesIsRefusedByName() {
    emulator.inject(Fault.fail("stream load 2pc is unsupported for mow table"));
    LoadException failure = assertThrows(LoadException.class, () -> preCommit(1, ROWS));
    assertThat(failure.kind(), is(LoadException.Kind.REFUSED));
    assertThat(failure.getMessage(), containsString("2pc is unsupported"));
  }

  @Test
  public void leftOversAboveTheRestoredSequenceAreAborted() {
    protocol.commit(preCommit(1, ROWS));
    preCommit(2, ROWS);
    preCommit(3, OTHER);
    assertThat(protocol.abortLeftOvers("db", "t", EPOCH, 0, 2), is(2));
    assertThat(
        states(),
        contains(TransactionState.VISIBLE, TransactionState.ABORTED, TransactionState.ABORTED));
    assertThat(protocol.abortLeftOvers("db", "t", EPOCH, 0, 2), is(0));
  }

  @Test
  public void leftOverBehindAGapIsAborted() {
    preCommit(3, OTHER);
    assertThat(protocol.abortLeftOvers("db", "t", EPOCH, 0, 1), is(1));
    assertThat(states(), contains(TransactionState.ABORTED));
  }

  @Test
  public void leftOversOfOtherShardsAndTablesStay() {
    preCommit(1, ROWS);
    assertThat(protocol.abortLeftOvers("db", "t", EPOCH, 1, 1), is(0));
    assertThat(protocol.abortLeftOvers("db", "u", EPOCH, 0, 1), is(0));
    assertThat(states(), contains(TransactionState.PRECOMMITTED));
  }

  @Test
  public void commitBehindTheRestoredSequenceIsARewind() {
    protocol.commit(preCommit(1, ROWS));
    protocol.commit(preCommit(2, OTHER));
    assertThrows(RewoundException.class, () -> protocol.abortLeftOvers("db", "t", EPOCH, 0, 2));
  }

  @Test
  public void firstRunBeginsAtTheHour() {
    assertThat(
        protocol.startEpoch("db", "t", 0), is(TimeUnit.MILLISECONDS.toHours(clock.millis())));
  }

  @Test
  public void runWithoutStateTakesTheNextEpochAndAbortsWhatWasOpen() {
    long first = protocol.startEpoch("db", "t", 0);
    for (long sequence = 1; sequence <= 21; sequence++) {
      protocol.commit(protocol.preCommit(request(first, sequence, ROWS)));
    }
    protocol.preCommit(request(first, 22, OTHER));
    protocol.preCommit(request(first, 23, OTHER));
    emulator.truncate("db", "t");

    long second = protocol.startEpoch("db", "t", 0);
    assertThat(second, is(first + 1));
    assertThat(
        states().subList(21, 23), contains(TransactionState.ABORTED, TransactionState.ABORTED));
    protocol.commit(protocol.preCommit(request(second, 1, ROWS)));
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(ROWS)));
  }

  @Test
  public void leftOversOfEarlierHoursAreAbortedToo() {
    long first = protocol.startEpoch("db", "t", 0);
    protocol.commit(protocol.preCommit(request(first, 1, ROWS)));
    clock.sleep(TimeUnit.MINUTES.toMillis(170));
    protocol.preCommit(request(first, 2, OTHER));
    long second = protocol.startEpoch("db", "t", 0);
    assertThat(second, is(greaterThan(first)));
    assertThat(states(), contains(TransactionState.VISIBLE, TransactionState.ABORTED));
  }

  @Test
  public void epochWithNothingCommittedIsUsedAgain() {
    long first = protocol.startEpoch("db", "t", 0);
    protocol.preCommit(request(first, 1, ROWS));
    assertThat(protocol.startEpoch("db", "t", 0), is(first));
    assertThat(states(), contains(TransactionState.ABORTED));
  }

  @Test
  public void epochIsNotUsedAgainWhenItsFirstLabelsAreForgotten() {
    long first = protocol.startEpoch("db", "t", 0);
    protocol.commit(protocol.preCommit(request(first, 1, ROWS)));
    clock.sleep(TimeUnit.HOURS.toMillis(11));
    protocol.commit(protocol.preCommit(request(first, 2, OTHER)));
    clock.sleep(TimeUnit.HOURS.toMillis(3));
    long second = protocol.startEpoch("db", "t", 0);
    assertThat(second, is(not(first)));
    for (long sequence = 1; sequence <= 3; sequence++) {
      protocol.commit(protocol.preCommit(request(second, sequence, ROWS)));
    }
  }

  @Test
  public void looksForTheEndOfALongRunAreFew() {
    long first = protocol.startEpoch("db", "t", 0);
    for (long sequence = 1; sequence <= 100; sequence++) {
      protocol.commit(protocol.preCommit(request(first, sequence, OTHER)));
    }
    int before = emulator.requests().size();
    protocol.startEpoch("db", "t", 0);
    assertThat(emulator.requests().size() - before, is(lessThan(80)));
    assertThat(emulator.transactions(), hasSize(100));
  }
}
