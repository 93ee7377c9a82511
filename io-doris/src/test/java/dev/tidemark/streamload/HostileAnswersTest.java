package dev.tidemark.streamload;

import static dev.tidemark.streamload.NoSecrets.noSecrets;
import static dev.tidemark.streamload.NoSecrets.printed;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Answers that no Doris gives: bounded in time and memory, with a clear error. */
@RunWith(JUnit4.class)
public final class HostileAnswersTest {
  private static final Duration TIMEOUT = Duration.ofMillis(700);

  private ScriptedServer frontend;
  private ScriptedServer backend;
  private StreamLoadClient client;

  @Before
  public void start() throws IOException {
    backend = ScriptedServer.start(exchange -> exchange.answer(500, "not scripted"));
    frontend = ScriptedServer.start(exchange -> exchange.redirect(Fixtures.location(backend)));
    client =
        StreamLoadClient.open(
            Fixtures.cluster(frontend.address())
                .withRequestTimeout(TIMEOUT)
                .withLoadTimeout(TIMEOUT));
  }

  @After
  public void stop() throws IOException {
    client.close();
    frontend.close();
    backend.close();
  }

  /** Runs what has to fail in time, and leave the password out of all it prints. */
  private static LoadException failure(ThrowingRunnable action) {
    long start = System.nanoTime();
    LoadException failure = assertThrows(LoadException.class, action);
    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), is(lessThan(10L)));
    assertThat(printed(failure), noSecrets());
    return failure;
  }

  private LoadException loadFailure(ScriptedServer.Script ofBackend) {
    backend.setScript(
        exchange -> {
          exchange.goOn().readBody();
          ofBackend.answer(exchange);
        });
    return failure(() -> client.load(Fixtures.request()));
  }

  @Test
  public void truncatedJsonLeavesTheOutcomeOpen() {
    LoadException failure =
        loadFailure(exchange -> exchange.answer(200, Fixtures.success().substring(0, 60)));
    assertThat(failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
    assertThat(failure.getMessage(), containsString("not a complete JSON object"));
    assertThat(failure.getMessage(), containsString(Fixtures.LABEL));
  }

  @Test
  public void answerCutBeforeItsLengthLeavesTheOutcomeOpen() {
    LoadException failure =
        loadFailure(
            exchange ->
                exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"Status\":"));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void tenMegabytesOfHtmlAreNotRead() {
    String html = "<html><body>" + "<p>lorem ipsum</p>".repeat(600_000) + "</body></html>";
    LoadException failure = loadFailure(exchange -> exchange.answer(200, html));
    assertThat(failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
    assertThat(failure.getMessage(), containsString("longer than 1048576"));
    assertThat(failure.getMessage().length(), is(lessThan(500)));
  }

  @Test
  public void statusOfAnotherTypeLeavesTheOutcomeOpen() {
    for (String status : new String[] {"1", "true", "null", "[\"Success\"]", "\"Splendid\""}) {
      LoadException failure =
          loadFailure(
              exchange -> exchange.answer(200, Fixtures.success().replace("\"Success\"", status)));
      assertThat(status, failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
      assertThat(failure.getMessage(), containsString("Status"));
    }
  }

  @Test
  public void numbersOfAnotherTypeLeaveTheOutcomeOpen() {
    for (String id : new String[] {"{}", "1.5", "\"many\"", "99999999999999999999999"}) {
      LoadException failure =
          loadFailure(exchange -> exchange.answer(200, Fixtures.success().replace("1030", id)));
      assertThat(id, failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
      assertThat(failure.getMessage(), containsString("TxnId"));
    }
  }

  @Test
  public void jsonThatIsNoObjectIsRefused() {
    for (String text : new String[] {"", "[]", "\"Success\"", "null", "{}{}", "[".repeat(5000)}) {
      LoadException failure = loadFailure(exchange -> exchange.answer(200, text));
      assertThat(text, failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
    }
  }

  @Test
  public void endlessBodyIsCut() {
    LoadException failure =
        loadFailure(
            exchange ->
                exchange
                    .write("HTTP/1.1 200 OK\r\n\r\n{\"Status\": \"")
                    .writeForEver("x".repeat(8192), 0));
    assertThat(failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
  }

  @Test
  public void endlessChunksAreCut() {
    LoadException failure =
        loadFailure(
            exchange ->
                exchange
                    .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .writeForEver("1000\r\n" + "y".repeat(4096) + "\r\n", 0));
    assertThat(failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
  }

  @Test
  public void slowBytesEndWithTheTimeout() {
    LoadException failure =
        loadFailure(
            exchange ->
                exchange
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                    .writeForEver(" ", 20));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
    assertThat(failure.getMessage(), containsString("no complete answer within PT0.7S"));
  }

  @Test
  public void slowHeadersEndWithTheTimeout() {
    LoadException failure =
        loadFailure(exchange -> exchange.write("HTTP/1.1 200 OK\r\n").writeForEver("x: y\r\n", 20));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void endlessHeadersAreCut() {
    LoadException failure =
        loadFailure(
            exchange ->
                exchange
                    .write("HTTP/1.1 200 OK\r\n")
                    .writeForEver("x: " + "y".repeat(99) + "\r\n", 0));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void endlessHeaderLineIsCut() {
    LoadException failure =
        loadFailure(
            exchange -> exchange.write("HTTP/1.1 200 OK\r\nx: ").writeForEver("y".repeat(999), 0));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void endlessInterimAnswersEndWithTheTimeout() {
    LoadException failure =
        loadFailure(exchange -> exchange.writeForEver("HTTP/1.1 102 Processing\r\n\r\n", 1));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void silenceEndsWithTheTimeout() {
    LoadException failure = loadFailure(ScriptedServer.Exchange::hang);
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void bodyThatIsNeverReadEndsWithTheTimeout() {
    backend.setScript(exchange -> exchange.goOn().hang());
    LoadException failure = failure(() -> client.load(Fixtures.request(new byte[64 << 20])));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void binaryInsteadOfHttpLeavesTheOutcomeOpen() {
    LoadException failure =
        loadFailure(exchange -> exchange.write("\u0000\u0001\u0002\u0003\r\n".repeat(50)));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
  }

  @Test
  public void messageThatQuotesCredentialsIsScrubbed() {
    LoadException failure =
        loadFailure(
            exchange ->
                exchange.answer(
                    500,
                    "Authorization: %s from %s"
                        .formatted(
                            exchange.headers().get("authorization"), Fixtures.location(backend))));
    assertThat(failure.kind(), is(LoadException.Kind.UNKNOWN_OUTCOME));
    assertThat(failure.getMessage(), containsString("HTTP 500"));
  }

  @Test
  public void answerThatQuotesCredentialsIsScrubbed() {
    backend.setScript(
        exchange -> {
          exchange.goOn().readBody();
          exchange.answer(
              200,
              Fixtures.success()
                  .replace("\"OK\"", "\"for " + Fixtures.USER + ":" + Fixtures.PASSWORD + "\""));
        });
    LoadAnswer answer = client.load(Fixtures.request());
    assertThat(answer.toString(), noSecrets());
    assertThat(answer.message(), is("for ***"));
  }

  @Test
  public void frontendThatHangsEndsWithTheTimeoutBeforeAnythingIsSent() {
    frontend.setScript(ScriptedServer.Exchange::hang);
    LoadException failure = failure(() -> client.load(Fixtures.request()));
    assertThat(failure.kind(), is(LoadException.Kind.UNAVAILABLE));
    assertThat(backend.exchanges().isEmpty(), is(true));
  }

  @Test
  public void frontendOfHtmlIsNamed() {
    frontend.setScript(exchange -> exchange.answer(200, "<html>welcome</html>"));
    for (ThrowingRunnable action :
        new ThrowingRunnable[] {
          () -> client.load(Fixtures.request()),
          () -> client.schema("db", "t"),
          () -> client.labelState("db", Fixtures.LABEL),
          () -> client.commit("db", 3),
          () -> client.abort("db", 3),
          () -> client.abortByLabel("db", Fixtures.LABEL)
        }) {
      LoadException failure = failure(action);
      assertThat(failure.kind(), is(LoadException.Kind.UNREADABLE_ANSWER));
      assertThat(failure.getMessage(), containsString("<html>welcome</html>"));
      assertThat(failure.getMessage(), containsString(frontend.address()));
    }
  }

  @Test
  public void endlessErrorLogIsCut() throws IOException {
    backend.setScript(
        exchange -> exchange.write("HTTP/1.1 200 OK\r\n\r\n").writeForEver("Reason: x\n", 0));
    String log = client.errorLog(backend.address() + "/api/_load_error_log?file=a");
    assertThat(log.length(), is(StreamLoadClient.MAX_ERROR_LOG_BYTES));
    assertThat(backend.exchanges().get(0).headers().containsKey("authorization"), is(false));
  }

  @Test
  public void errorLogElsewhereIsNotFetched() {
    for (String url :
        new String[] {
          backend.address() + "/etc/passwd", "file:///etc/passwd", "gopher://x/y", "::", "/api/x"
        }) {
      LoadException failure = failure(() -> client.errorLog(url));
      assertThat(url, failure.kind(), is(LoadException.Kind.REDIRECT_REFUSED));
    }
    assertThat(backend.exchanges().isEmpty(), is(true));
  }
}
