package dev.tidemark.streamload;

import static dev.tidemark.streamload.NoSecrets.noSecrets;
import static dev.tidemark.streamload.NoSecrets.printed;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.doris.emulator.Fault;
import dev.tidemark.streamload.ArrowRows.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class LoadProtocolTest {
  private static final List<Entry> ROWS = List.of(new Entry(1, 10L), new Entry(2, 20L));

  private final ManualClock clock = new ManualClock();
  private final List<String> heard = new ArrayList<>();
  private final LoadListener listener =
      new LoadListener() {
        @Override
        public void retried(Verdict reason) {
          heard.add("retried " + reason);
        }

        @Override
        public void settled(LabelState state) {
          heard.add("settled " + state);
        }
      };
  private DorisEmulator emulator;
  private StreamLoadClient client;
  private LoadProtocol protocol;

  @Before
  public void start() {
    emulator =
        DorisEmulator.builder()
            .user(Fixtures.USER)
            .password(Fixtures.PASSWORD)
            .clock(clock)
            .start();
    emulator.createTable(ArrowRows.DDL.formatted("db", "t"));
    client =
        StreamLoadClient.open(
            Fixtures.cluster(emulator.frontend()).withLoadTimeout(Duration.ofMinutes(10)));
    protocol = protocol(RetryPolicy.defaults());
  }

  @After
  public void stop() {
    client.close();
    emulator.close();
  }

  private LoadProtocol protocol(RetryPolicy policy) {
    return LoadProtocol.of(client, policy, listener, clock, clock);
  }

  private static LoadRequest request(List<Entry> rows) {
    byte[] body = ArrowRows.stream(rows);
    List<String> columns = List.of("id", "v");
    String digest = Labels.digest(columns, Map.of(), List.of(body));
    String label = Labels.of("pre").forContent("db", "t", 0, 1, 7, digest);
    return LoadRequest.of("db", "t", label, columns, List.of(body));
  }

  private static LoadRequest withLabel(String label, List<Entry> rows) {
    return LoadRequest.of("db", "t", label, List.of("id", "v"), List.of(ArrowRows.stream(rows)));
  }

  private long loadsSent() {
    return emulator.requests().stream()
        .filter(sent -> sent.server().startsWith("be") && sent.path().contains("_stream_load"))
        .count();
  }

  @Test
  public void loadsOnce() {
    LoadRequest request = request(ROWS);
    LoadResult result = protocol.load(request);
    assertThat(result.label(), is(request.label()));
    assertThat(result.loadedRows(), is(2L));
    assertThat(result.bytes(), is(request.bodyBytes()));
    assertThat(result.attempts(), is(1));
    assertThat(result.foundDone(), is(false));
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(ROWS)));
    assertThat(emulator.violations(), is(empty()));
    assertThat(heard, is(empty()));
  }

  @Test
  public void sameContentIsFoundDone() {
    LoadResult first = protocol.load(request(ROWS));
    LoadResult second = protocol.load(request(ROWS));
    assertThat(second.foundDone(), is(true));
    assertThat(second.transactionId(), is(first.transactionId()));
    assertThat(emulator.transactions(), hasSize(1));
  }

  @Test
  public void otherContentUnderACommittedLabelIsAnError() {
    LoadRequest first = request(ROWS);
    protocol.load(first);
    LoadRequest other = withLabel(first.label(), List.of(new Entry(3, 30L)));
    LoadException failure = assertThrows(LoadException.class, () -> protocol.load(other));
    assertThat(failure.kind(), is(LoadException.Kind.LABEL_CONFLICT));
    assertThat(failure.permanent(), is(true));
    assertThat(failure.getMessage(), containsString(first.label()));
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(ROWS)));
  }

  @Test
  public void committedLabelWithoutDigestIsAnErrorAlsoAfterALostAnswer() {
    emulator.inject(Fault.lostAnswer());
    LoadException failure =
        assertThrows(LoadException.class, () -> protocol.load(withLabel("without-digest", ROWS)));
    assertThat(failure.kind(), is(LoadException.Kind.LABEL_CONFLICT));
  }

  @Test
  public void lostAnswerIsSettledByTheLabel() {
    emulator.inject(Fault.lostAnswer());
    LoadResult result = protocol.load(request(ROWS));
    assertThat(result.foundDone(), is(true));
    assertThat(result.attempts(), is(1));
    assertThat(loadsSent(), is(1L));
    assertThat(heard, contains("settled VISIBLE"));
  }

  @Test
  public void resetIsSettledAndSentAgain() {
    emulator.inject(Fault.resetAfter(50));
    LoadResult result = protocol.load(request(ROWS));
    assertThat(result.foundDone(), is(false));
    assertThat(result.attempts(), is(2));
    assertThat(heard, contains("settled ABORTED", "retried SETTLE"));
  }

  @Test
  public void runningLoadIsWaitedFor() {
    emulator.inject(Fault.labelRace(4, true));
    LoadResult result = protocol.load(request(ROWS));
    assertThat(result.foundDone(), is(true));
    assertThat(loadsSent(), is(1L));
    assertThat(heard, contains("settled VISIBLE"));
  }

  @Test
  public void runningLoadThatFailsIsSentAgain() {
    emulator.inject(Fault.labelRace(2, false));
    LoadResult result = protocol.load(request(ROWS));
    assertThat(result.foundDone(), is(false));
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(ROWS)));
  }

  @Test
  public void loadThatRunsForEverIsOfUnknownOutcome() {
    emulator.inject(Fault.labelRace(100_000, true));
    LoadProtocol patient =
        protocol(RetryPolicy.defaults().withMaxAttempts(2).withSettleTime(Duration.ofSeconds(20)));
    long start = clock.millis();
    LoadException failure = assertThrows(LoadException.class, () -> patient.load(request(ROWS)));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
    assertThat(failure.permanent(), is(false));
    assertThat(clock.millis() - start, is(greaterThanOrEqualTo(40_000L)));
  }

  @Test
  public void publishTimeoutIsSuccess() {
    emulator.inject(Fault.publishTimeout());
    LoadResult result = protocol.load(request(ROWS));
    assertThat(result.attempts(), is(1));
    assertThat(loadsSent(), is(1L));
  }

  @Test
  public void tooManyVersionsAreWaitedOutForLonger() {
    emulator.inject(Fault.tooManyVersions().times(3));
    long start = clock.millis();
    LoadResult result = protocol.load(request(ROWS));
    assertThat(result.attempts(), is(4));
    // At least half of 5, 10 and 20 seconds.
    assertThat(clock.millis() - start, is(greaterThanOrEqualTo(17_500L)));
    assertThat(heard, contains("retried SLOW", "retried SLOW", "retried SLOW"));
  }

  @Test
  public void overloadEndsAfterTheLastAttempt() {
    emulator.inject(Fault.busy().times(100));
    LoadException failure =
        assertThrows(
            LoadException.class,
            () -> protocol(RetryPolicy.defaults().withMaxAttempts(3)).load(request(ROWS)));
    assertThat(failure.kind(), is(LoadException.Kind.OVERLOADED));
    assertThat(failure.getMessage(), containsString("after 3 attempts"));
    assertThat(failure.getMessage(), containsString("larger than limit 1000"));
    assertThat(failure.getMessage(), containsString("Load larger batches less often"));
    assertThat(loadsSent(), is(3L));
  }

  @Test
  public void totalTimeEndsAttemptsToo() {
    emulator.inject(Fault.busy().times(100));
    LoadProtocol hasty =
        protocol(RetryPolicy.defaults().withMaxAttempts(90).withTotalTime(Duration.ofSeconds(60)));
    assertThrows(LoadException.class, () -> hasty.load(request(ROWS)));
    // 30 seconds at most for each wait, and half of it at least.
    assertThat(heard.size(), is(greaterThanOrEqualTo(3)));
    assertThat(loadsSent() < 10, is(true));
  }

  @Test
  public void badRowsAreRejectedWithTheServersReasons() {
    LoadRequest request = request(List.of(new Entry(1, 10L), new Entry(2, null)));
    RejectedException failure = assertThrows(RejectedException.class, () -> protocol.load(request));
    assertThat(failure.filteredRows(), is(1L));
    assertThat(failure.totalRows(), is(2L));
    assertThat(failure.label(), is(request.label()));
    assertThat(failure.reasons(), hasSize(1));
    assertThat(failure.reasons().get(0), containsString("null"));
    assertThat(failure.getMessage(), containsString("1 of 2 rows"));
    assertThat(failure.getMessage(), containsString("names the columns [v]"));
    assertThat(emulator.rows("db", "t"), is(empty()));
    assertThat(loadsSent(), is(1L));
  }

  @Test
  public void rejectionIsCertainWithoutItsErrorLog() {
    emulator.inject(
        Fault.answerOnly("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")
            .on(Fault.Leg.BACKEND, Fault.Operation.ERROR_LOG));
    RejectedException failure =
        assertThrows(
            RejectedException.class, () -> protocol.load(request(List.of(new Entry(2, null)))));
    assertThat(failure.getMessage(), containsString("error log could not be read"));
  }

  @Test
  public void unknownColumnIsRefusedAtOnce() {
    byte[] body = ArrowRows.stream(ROWS);
    LoadRequest request =
        LoadRequest.of("db", "t", "odd-columns", List.of("id", "w"), List.of(body));
    LoadException failure = assertThrows(LoadException.class, () -> protocol.load(request));
    assertThat(failure.kind(), is(LoadException.Kind.REFUSED));
    assertThat(failure.getMessage(), containsString("w"));
    assertThat(loadsSent(), is(1L));
  }

  @Test
  public void wrongPasswordIsToldWithoutIt() {
    client.close();
    client =
        StreamLoadClient.open(
            DorisCluster.of(List.of(emulator.frontend()), Fixtures.USER, Fixtures.PASSWORD + "x"));
    LoadException failure =
        assertThrows(
            LoadException.class, () -> protocol(RetryPolicy.defaults()).load(request(ROWS)));
    assertThat(failure.kind(), is(LoadException.Kind.UNAUTHORIZED));
    assertThat(printed(failure), noSecrets());
  }

  @Test
  public void preCommittedLabelIsAConflict() {
    LoadRequest request = request(ROWS);
    client.load(request.withTwoPhase());
    LoadException failure = assertThrows(LoadException.class, () -> protocol.load(request));
    assertThat(failure.kind(), is(LoadException.Kind.LABEL_CONFLICT));
    assertThat(failure.getMessage(), containsString("waits for its commit"));
  }

  @Test
  public void twoPhaseRequestIsNotForThisProtocol() {
    LoadRequest request = request(ROWS).withTwoPhase();
    assertThrows(IllegalArgumentException.class, () -> protocol.load(request));
  }

  @Test
  public void droppedLabelIsNoticed() {
    emulator.inject(
        Fault.answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 120\r\n\r\n%-120s"
                .formatted(
                    "{\"TxnId\":5,\"Label\":\"0d3c-uuid\",\"TwoPhaseCommit\":\"false\",\"Status\":\"Success\"}")));
    LoadException failure = assertThrows(LoadException.class, () -> protocol.load(request(ROWS)));
    assertThat(failure.kind(), is(LoadException.Kind.DISOBEYED));
    assertThat(failure.getMessage(), containsString("0d3c-uuid"));
  }

  @Test
  public void interruptBetweenAttemptsIsKept() {
    emulator.inject(Fault.busy());
    LoadProtocol interrupted =
        LoadProtocol.of(
            client,
            RetryPolicy.defaults(),
            listener,
            clock,
            millis -> {
              throw new InterruptedException("test");
            });
    LoadException failure =
        assertThrows(LoadException.class, () -> interrupted.load(request(ROWS)));
    assertThat(Thread.interrupted(), is(true));
    assertThat(failure.kind(), is(LoadException.Kind.INTERRUPTED));
  }

  @Test
  public void sameRowsForTwoTablesAreTwoLoads() {
    emulator.createTable(ArrowRows.DDL.formatted("db", "u"));
    byte[] body = ArrowRows.stream(ROWS);
    List<String> columns = List.of("id", "v");
    String digest = Labels.digest(columns, Map.of(), List.of(body));
    for (String table : new String[] {"t", "u"}) {
      String label = Labels.of("pre").forContent("db", table, 0, 1, 7, digest);
      LoadResult result = protocol.load(LoadRequest.of("db", table, label, columns, List.of(body)));
      assertThat(result.foundDone(), is(false));
      assertThat(emulator.rows("db", table), is(ArrowRows.table(ROWS)));
    }
  }

  @Test
  public void severalStreamsAreOneLoad() {
    List<Entry> more = List.of(new Entry(3, 30L), new Entry(1, 11L));
    LoadRequest request =
        LoadRequest.of(
            "db",
            "t",
            "several",
            List.of("id", "v"),
            List.of(ArrowRows.stream(ROWS), ArrowRows.stream(more)));
    assertThat(protocol.load(request).loadedRows(), is(4L));
    List<Entry> all = new ArrayList<>(ROWS);
    all.addAll(more);
    assertThat(emulator.rows("db", "t"), is(ArrowRows.table(all)));
    assertThat(emulator.rows("db", "t"), is(not(empty())));
  }
}
