package dev.tidemark.streamload;

import static dev.tidemark.streamload.NoSecrets.noSecrets;
import static dev.tidemark.streamload.NoSecrets.printed;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class StreamLoadClientTest {
  private static final String AUTHORIZATION =
      "Basic "
          + Base64.getEncoder()
              .encodeToString(
                  (Fixtures.USER + ":" + Fixtures.PASSWORD).getBytes(StandardCharsets.UTF_8));

  private ScriptedServer frontend;
  private ScriptedServer backend;
  private StreamLoadClient client;

  @Before
  public void start() throws IOException {
    backend =
        ScriptedServer.start(
            exchange -> {
              exchange.goOn().readBody();
              exchange.answer(200, Fixtures.success());
            });
    frontend = ScriptedServer.start(exchange -> exchange.redirect(Fixtures.location(backend)));
    client = StreamLoadClient.open(Fixtures.cluster(frontend.address()));
  }

  @After
  public void stop() throws IOException {
    client.close();
    frontend.close();
    backend.close();
  }

  private void reopen(DorisCluster cluster) {
    client.close();
    client = StreamLoadClient.open(cluster);
  }

  /** An address where nobody listens. */
  private static String nowhere() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  @Test
  public void frontendGetsHeadersAndNoBody() {
    client.load(Fixtures.request().withHeaders(Map.of("max_filter_ratio", "0.1")));
    ScriptedServer.Exchange asked = frontend.exchanges().get(0);
    assertThat(asked.line(), is("PUT /api/db/t/_stream_load HTTP/1.1"));
    assertThat(asked.headers(), hasEntry("content-length", "0"));
    assertThat(asked.headers(), hasEntry("expect", "100-continue"));
    assertThat(asked.headers(), hasEntry("label", Fixtures.LABEL));
    assertThat(asked.headers(), hasEntry("authorization", AUTHORIZATION));
    assertThat(asked.headers(), hasEntry("max_filter_ratio", "0.1"));
    assertThat(asked.headers(), not(hasKey("transfer-encoding")));
  }

  @Test
  public void backendGetsTheSameHeadersAndTheBodyWithItsLength() {
    LoadAnswer answer =
        client.load(
            Fixtures.request("abc".getBytes(StandardCharsets.UTF_8), new byte[70_000])
                .withTwoPhase());
    ScriptedServer.Exchange sent = backend.exchanges().get(0);
    assertThat(sent.line(), is("PUT /api/db/t/_stream_load HTTP/1.1"));
    assertThat(sent.bodyBytes(), is(70_003L));
    assertThat(sent.headers(), hasEntry("content-length", "70003"));
    assertThat(sent.headers(), hasEntry("authorization", AUTHORIZATION));
    assertThat(sent.headers(), hasEntry("label", Fixtures.LABEL));
    assertThat(sent.headers(), hasEntry("format", "arrow"));
    assertThat(sent.headers(), hasEntry("columns", "`id`,`name`"));
    assertThat(sent.headers(), hasEntry("two_phase_commit", "true"));
    assertThat(sent.headers(), hasEntry("group_commit", "off_mode"));
    assertThat(sent.headers(), hasEntry("timeout", "20"));
    for (String absent :
        new String[] {
          "transfer-encoding", "accept-encoding", "content-encoding", "compress_type"
        }) {
      assertThat(sent.headers(), not(hasKey(absent)));
    }
    assertThat(answer.transactionId(), is(1030L));
    assertThat(answer.status(), is(LoadStatus.SUCCESS));
    assertThat(answer.loadedRows(), is(3L));
  }

  @Test
  public void plainLoadDoesNotMentionTwoPhases() {
    client.load(Fixtures.request());
    assertThat(backend.exchanges().get(0).headers(), not(hasKey("two_phase_commit")));
  }

  @Test
  public void timeoutOfTheUserGoesBeforeOurs() {
    client.load(Fixtures.request().withHeaders(Map.of("Timeout", "77")));
    assertThat(backend.exchanges().get(0).headers(), hasEntry("timeout", "77"));
  }

  @Test
  public void foreignCharactersAreSentInUtf8() {
    client.load(
        LoadRequest.of("db", "t", Fixtures.LABEL, List.of("größe", "数量"), List.of(new byte[3])));
    assertThat(backend.exchanges().get(0).headers(), hasEntry("columns", "`größe`,`数量`"));
  }

  @Test
  public void namesAreEncodedInPaths() throws IOException {
    String encoded = "/api/d%2Fb/t%20%C3%A4%3F/_stream_load";
    frontend.setScript(exchange -> exchange.redirect(backend.address() + encoded + "?"));
    client.load(LoadRequest.of("d/b", "t ä?", Fixtures.LABEL, List.of("id"), List.of(new byte[3])));
    assertThat(backend.exchanges().get(0).line(), is("PUT " + encoded + " HTTP/1.1"));
  }

  @Test
  public void downFrontendIsPassedOver() throws IOException {
    reopen(Fixtures.cluster(nowhere(), frontend.address()));
    assertThat(client.load(Fixtures.request()).status(), is(LoadStatus.SUCCESS));
    client.load(Fixtures.request());
    assertThat(frontend.exchanges(), hasSize(2));
  }

  @Test
  public void frontendWithoutItsMasterIsPassedOver() throws IOException {
    try (ScriptedServer orphan =
        ScriptedServer.start(
            exchange ->
                exchange.answer(
                    200,
                    "{\"status\":\"FAILED\",\"msg\":\"Have not get FE Master heartbeat yet\"}"))) {
      reopen(Fixtures.cluster(orphan.address(), frontend.address()));
      assertThat(client.load(Fixtures.request()).status(), is(LoadStatus.SUCCESS));
      assertThat(orphan.exchanges(), hasSize(1));
    }
  }

  @Test
  public void allFrontendsDownNamesEach() throws IOException {
    String first = nowhere();
    String second = nowhere();
    reopen(Fixtures.cluster(first, second));
    LoadException failure =
        assertThrows(LoadException.class, () -> client.labelState("db", Fixtures.LABEL));
    assertThat(failure.kind(), is(LoadException.Kind.UNAVAILABLE));
    assertThat(failure.getMessage(), containsString(first));
    assertThat(failure.getMessage(), containsString(second));
    assertThat(printed(failure), noSecrets());
  }

  @Test
  public void wrongPasswordIsNotTriedElsewhere() throws IOException {
    frontend.setScript(exchange -> exchange.answer(401, "Access denied for " + Fixtures.PASSWORD));
    try (ScriptedServer other = ScriptedServer.start(exchange -> exchange.answer(200, "{}"))) {
      reopen(Fixtures.cluster(frontend.address(), other.address()));
      LoadException failure =
          assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
      assertThat(failure.kind(), is(LoadException.Kind.UNAUTHORIZED));
      assertThat(failure.permanent(), is(true));
      assertThat(printed(failure), noSecrets());
      assertThat(other.exchanges(), hasSize(0));
    }
  }

  @Test
  public void fixedBackendsTakeTurnsAndNoFrontendIsAsked() throws IOException {
    try (ScriptedServer other =
        ScriptedServer.start(
            exchange -> {
              exchange.goOn().readBody();
              exchange.answer(200, Fixtures.success());
            })) {
      reopen(
          Fixtures.cluster(frontend.address())
              .withBackends(List.of(backend.address(), other.address())));
      for (int i = 0; i < 4; i++) {
        client.load(Fixtures.request());
      }
      assertThat(backend.exchanges(), hasSize(2));
      assertThat(other.exchanges(), hasSize(2));
      assertThat(frontend.exchanges(), hasSize(0));
    }
  }

  @Test
  public void unreachableBackendWasNotSentTo() throws IOException {
    String gone = nowhere();
    frontend.setScript(
        exchange -> exchange.redirect("http://u:p@" + gone + "/api/db/t/_stream_load?"));
    LoadException failure =
        assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
    assertThat(failure.kind(), is(LoadException.Kind.UNAVAILABLE));
    assertThat(failure.getMessage(), containsString(gone));
    assertThat(failure.getMessage(), not(containsString("u:p@")));
  }

  @Test
  public void earlyAnswerIsReadWithoutSendingTheBody() {
    backend.setScript(
        exchange -> {
          exchange.answer(
              200,
              Fixtures.success()
                  .replace("\"Success\"", "\"Fail\"")
                  .replace("OK", "unknown column"));
          exchange.hang();
        });
    LoadAnswer answer = client.load(Fixtures.request(new byte[32 << 20]));
    assertThat(answer.status(), is(LoadStatus.FAIL));
    assertThat(answer.message(), is("unknown column"));
  }

  @Test
  public void answerGivenWhileTheBodyIsSentIsRead() {
    backend.setScript(
        exchange -> {
          exchange.goOn();
          exchange.answer(
              200,
              Fixtures.success().replace("\"Success\"", "\"Fail\"").replace("OK", "too large"));
          exchange.hang();
        });
    LoadAnswer answer = client.load(Fixtures.request(new byte[32 << 20]));
    assertThat(answer.message(), is("too large"));
  }

  @Test
  public void answerGivenBeforeAResetIsRead() {
    backend.setScript(
        exchange -> {
          exchange.goOn();
          exchange.answer(
              200,
              Fixtures.success().replace("\"Success\"", "\"Fail\"").replace("OK", "broken off"));
        });
    LoadAnswer answer = client.load(Fixtures.request(new byte[32 << 20]));
    assertThat(answer.message(), is("broken off"));
  }

  @Test
  public void serverThatNeverSaysContinueGetsTheBodyAllTheSame() {
    backend.setScript(
        exchange -> {
          exchange.readBody();
          exchange.answer(200, Fixtures.success());
        });
    assertThat(client.load(Fixtures.request()).status(), is(LoadStatus.SUCCESS));
  }

  @Test
  public void lateContinueDoesNotBreakOffTheBody() {
    backend.setScript(
        exchange -> {
          exchange.read(1 << 20);
          exchange.goOn().readBody();
          exchange.answer(200, Fixtures.success().replace("480", exchange.bodyBytes() + ""));
        });
    assertThat(client.load(Fixtures.request(new byte[5 << 20])).loadBytes(), is(5L << 20));
  }

  @Test
  public void frontendThatSaysContinueFirstIsHeard() {
    frontend.setScript(exchange -> exchange.goOn().redirect(Fixtures.location(backend)));
    assertThat(client.load(Fixtures.request()).status(), is(LoadStatus.SUCCESS));
  }

  @Test
  public void backendNamedAsFrontendIsTold() {
    frontend.setScript(exchange -> exchange.answer(200, Fixtures.success()));
    LoadException failure =
        assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
    assertThat(failure.kind(), is(LoadException.Kind.DISOBEYED));
    assertThat(failure.getMessage(), containsString("answers as a backend does"));
  }

  @Test
  public void redirectOffThePathIsRefused() {
    frontend.setScript(exchange -> exchange.redirect(backend.address() + "/collect?"));
    redirectIsRefused("another path");
  }

  @Test
  public void redirectToAnotherSchemeIsRefused() {
    for (String location : new String[] {"ftp://x/api/db/t/_stream_load", "/relative", "::", ""}) {
      frontend.setScript(exchange -> exchange.redirect(location));
      redirectIsRefused("names no HTTP server");
    }
  }

  @Test
  public void redirectToAHostOffTheListIsRefused() {
    frontend.setScript(
        exchange -> exchange.redirect("http://u:p@localhost:1/api/db/t/_stream_load?"));
    reopen(
        Fixtures.cluster(frontend.address()).withBackendHosts(Set.of("be1.example", "127.0.0.1")));
    redirectIsRefused("http://localhost:1, which is not one of the hosts allowed");
  }

  @Test
  public void redirectToAHostOnTheListIsFollowed() {
    reopen(Fixtures.cluster(frontend.address()).withBackendHosts(Set.of("127.0.0.1")));
    assertThat(client.load(Fixtures.request()).status(), is(LoadStatus.SUCCESS));
  }

  private void redirectIsRefused(String reason) {
    LoadException failure =
        assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
    assertThat(failure.kind(), is(LoadException.Kind.REDIRECT_REFUSED));
    assertThat(failure.getMessage(), containsString(reason));
    assertThat(printed(failure), noSecrets());
    assertThat(failure.getMessage(), not(containsString("u:p")));
    assertThat(backend.exchanges(), hasSize(0));
  }

  @Test
  public void passwordWithUnencodedSignsInALocationIsCutOut() {
    frontend.setScript(
        exchange ->
            exchange.redirect(
                "http://%s:%s@%s/api/db/t/_stream_load?"
                    .formatted(Fixtures.USER, Fixtures.PASSWORD, backend.address().substring(7))));
    assertThat(client.load(Fixtures.request()).status(), is(LoadStatus.SUCCESS));
  }

  @Test
  public void backendThatRedirectsIsRefused() {
    backend.setScript(exchange -> exchange.redirect(Fixtures.location(backend)));
    LoadException failure =
        assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
    assertThat(failure.kind(), is(LoadException.Kind.REDIRECT_REFUSED));
    assertThat(failure.getMessage(), containsString("name the frontends with https://"));
  }

  @Test
  public void redirectsInACircleEnd() {
    frontend.setScript(
        exchange -> exchange.redirect(frontend.address() + "/api/db/get_load_state"));
    LoadException failure =
        assertThrows(LoadException.class, () -> client.labelState("db", Fixtures.LABEL));
    assertThat(failure.kind(), is(LoadException.Kind.REDIRECT_REFUSED));
    assertThat(frontend.exchanges(), hasSize(4));
  }

  @Test
  public void labelStateIsAskedOfTheMaster() {
    frontend.setScript(
        exchange -> exchange.redirect(backend.address() + "/api/db/get_load_state?label=x"));
    backend.setScript(
        exchange ->
            exchange.answer(
                200, "{\"msg\":\"success\",\"code\":0,\"data\":\"VISIBLE\",\"count\":0}"));
    assertThat(client.labelState("db", "a:b"), is(LabelState.VISIBLE));
    assertThat(
        backend.exchanges().get(0).line(), is("GET /api/db/get_load_state?label=a%3Ab HTTP/1.1"));
  }

  @Test
  public void transactionsAreNamedByIdOrLabel() {
    frontend.setScript(
        exchange -> exchange.redirect(backend.address() + "/api/db/_stream_load_2pc?"));
    backend.setScript(
        exchange ->
            exchange.answer(
                200, "{\"status\":\"Success\",\"msg\":\"transaction [18] commit successfully.\"}"));
    assertThat(client.commit("db", 18).outcome(), is(TransactionAnswer.Outcome.DONE));
    assertThat(client.abort("db", 19).outcome(), is(TransactionAnswer.Outcome.DONE));
    assertThat(client.abortByLabel("db", "lab").outcome(), is(TransactionAnswer.Outcome.DONE));
    List<Map<String, String>> headers =
        backend.exchanges().stream().map(ScriptedServer.Exchange::headers).toList();
    assertThat(headers.get(0), hasEntry("txn_operation", "commit"));
    assertThat(headers.get(0), hasEntry("txn_id", "18"));
    assertThat(headers.get(1), hasEntry("txn_operation", "abort"));
    assertThat(headers.get(1), hasEntry("txn_id", "19"));
    assertThat(headers.get(2), hasEntry("label", "lab"));
    assertThat(headers.get(2), not(hasKey("txn_id")));
    assertThat(headers.get(2), hasEntry("authorization", AUTHORIZATION));
  }

  @Test
  public void schemaIsReadWrappedAndBare() {
    String columns =
        """
        "keysType":"UNIQUE_KEYS","properties":[
        {"name":"Id","aggregation_type":"","comment":"","type":"bigint","is_nullable":"No"},
        {"name":"d","aggregation_type":"REPLACE","type":"DECIMAL64","precision":"10","scale":"2"},
        {"name":"x","type":"DATETIMEV2","precision":"","scale":6,"is_nullable":"Yes"}],"status":200
        """;
    for (String text :
        new String[] {"{" + columns + "}", "{\"code\":0,\"data\":{" + columns + "}}"}) {
      frontend.setScript(exchange -> exchange.answer(200, text));
      assertThat(
          client.schema("db", "t"),
          is(
              TableSchema.of(
                  "db",
                  "t",
                  KeysType.UNIQUE_KEYS,
                  Arrays.asList(
                      TableColumn.of("Id", "BIGINT", null, null, false, ""),
                      TableColumn.of("d", "DECIMAL64", 10, 2, null, "REPLACE"),
                      TableColumn.of("x", "DATETIMEV2", null, 6, true, "")))));
    }
    assertThat(frontend.exchanges().get(0).line(), is("GET /api/db/t/_schema HTTP/1.1"));
  }

  @Test
  public void missingTableIsRefusedWithTheServersWords() {
    frontend.setScript(
        exchange ->
            exchange.answer(
                200, "{\"msg\":\"Error\",\"code\":1,\"data\":\"Unknown table 't'\",\"count\":0}"));
    LoadException failure = assertThrows(LoadException.class, () -> client.schema("db", "t"));
    assertThat(failure.kind(), is(LoadException.Kind.REFUSED));
    assertThat(failure.category(), is(LoadException.Category.USER));
    assertThat(failure.getMessage(), containsString("table db.t"));
    assertThat(failure.getMessage(), containsString("Unknown table 't'"));
  }

  @Test
  public void interruptedThreadSaysSo() {
    backend.setScript(
        exchange -> {
          exchange.goOn().readBody();
          exchange.write("HTTP/1.1 2");
        });
    Thread.currentThread().interrupt();
    LoadException failure =
        assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
    assertThat(Thread.interrupted(), is(true));
    assertThat(failure.kind(), is(LoadException.Kind.INTERRUPTED));
  }

  @Test
  public void clusterShowsNoCredentials() {
    DorisCluster cluster =
        Fixtures.cluster(frontend.address()).withTrustStore("/x/y.p12", Fixtures.PASSWORD);
    assertThat(cluster.toString(), noSecrets());
    assertThat(cluster.toString(), not(containsString(Fixtures.USER)));
    assertThat(cluster.toString(), containsString(frontend.address()));
  }

  @Test
  public void userInformationInAnAddressIsRefusedUnseen() {
    IllegalArgumentException failure =
        assertThrows(
            IllegalArgumentException.class,
            () -> Fixtures.cluster("http://root:" + Fixtures.PASSWORD + "@fe:8030"));
    assertThat(printed(failure), noSecrets());
  }

  @Test
  public void addressesWithoutPortOrWithPathAreRefused() {
    for (String address : new String[] {"fe", "fe:", "http://fe:1/x", "fe:1?x", "ftp://fe:1", ""}) {
      assertThrows(address, IllegalArgumentException.class, () -> Fixtures.cluster(address));
    }
  }

  @Test
  public void timeoutsOutOfRangeAreRefused() {
    DorisCluster cluster = Fixtures.cluster("fe:8030");
    for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofDays(4)}) {
      assertThrows(IllegalArgumentException.class, () -> cluster.withLoadTimeout(timeout));
      assertThrows(IllegalArgumentException.class, () -> cluster.withConnectTimeout(timeout));
      assertThrows(IllegalArgumentException.class, () -> cluster.withRequestTimeout(timeout));
    }
  }

  @Test
  public void reservedHeadersAreRefused() {
    for (String name :
        new String[] {
          "Label",
          "COLUMNS",
          "format",
          "Authorization",
          "two_phase_commit",
          "group_commit",
          "Transfer-Encoding",
          "Content-Length",
          "compress_type",
          "hidden_columns"
        }) {
      IllegalArgumentException failure =
          assertThrows(
              IllegalArgumentException.class,
              () -> Fixtures.request().withHeaders(Map.of(name, "x")));
      assertThat(failure.getMessage(), containsString(name));
    }
  }

  @Test
  public void lineBreaksInHeadersAndColumnsAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Fixtures.request().withHeaders(Map.of("where", "a\r\nlabel: x")));
    assertThrows(
        IllegalArgumentException.class,
        () -> Fixtures.request().withHeaders(Map.of("a\r\nb", "x")));
    for (String column : new String[] {"a\r\nlabel: x", "a`b", ""}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> LoadRequest.of("db", "t", "l", List.of(column), List.of(new byte[1])));
    }
  }

  @Test
  public void emptyBodyAndNoColumnsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Fixtures.request(new byte[0]));
    assertThrows(
        IllegalArgumentException.class,
        () -> LoadRequest.of("db", "t", "l", List.of(), List.of(new byte[1])));
  }

  @Test
  public void requestShowsNeitherBodyNorHeaderValues() {
    LoadRequest request =
        Fixtures.request("rows".getBytes(StandardCharsets.UTF_8))
            .withHeaders(Map.of("where", "x=1"));
    assertThat(request.headers(), aMapWithSize(1));
    assertThat(
        request.toString(),
        is(
            "LoadRequest{db.t, label=%s, columns=[id, name], bytes=4, headers=[where], twoPhase=false}"
                .formatted(Fixtures.LABEL)));
    assertThat(request.columns(), contains("id", "name"));
  }
}
