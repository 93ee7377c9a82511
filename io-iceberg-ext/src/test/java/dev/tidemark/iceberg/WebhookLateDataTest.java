package dev.tidemark.iceberg;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Throwables;
import com.google.common.collect.Iterables;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LateAlert;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.LateAlerts;
import dev.tidemark.finalization.LatenessReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.sdk.util.SerializableUtils;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WebhookLateDataTest {
  private static final String SECRET = "t0ken";
  private static final long NINE = Instant.parse("2024-05-01T09:00:00Z").toEpochMilli();
  private static final long HOUR = 3_600_000;

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private int status = 200;
  private HttpServer server;

  @Before
  public void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Content-Type"));
          requests.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @After
  public void close() {
    server.stop(0);
  }

  @Test
  public void alertIsPostedAsJson() throws Exception {
    listener().alert(alert());

    assertThat(requests.get(0), is("POST /hooks?key=" + SECRET + " application/json"));
    JsonNode body = new ObjectMapper().readTree(requests.get(1));
    assertThat(body.get("table").asText(), is("db.t"));
    assertThat(body.get("hour").asText(), is("2024-05-01T09:00:00Z"));
    assertThat(body.get("records").asLong(), is(2L));
    assertThat(body.get("exact").asBoolean(), is(true));
    assertThat(body.get("text").asText(), is(alert().toText()));
  }

  @Test
  public void hourThatIsNotKnownIsNull() throws Exception {
    LateAlert alert = Iterables.getOnlyElement(alerts(EventTimeStats.empty(HOUR).withPastCount(3)));

    listener().alert(alert);

    JsonNode body = new ObjectMapper().readTree(requests.get(1));
    assertThat(body.get("hour").isNull(), is(true));
    assertThat(body.get("records").asLong(), is(3L));
  }

  @Test
  public void listenerTravelsAndIsUsedAgain() throws Exception {
    LateDataListener copy = SerializableUtils.clone((WebhookLateData) listener());

    copy.alert(alert());
    copy.alert(alert());

    assertThat(requests.size(), is(4));
  }

  @Test
  public void answerThatIsNoSuccessFailsWithoutTheAddress() {
    for (int each : new int[] {302, 404, 500}) {
      status = each;
      IOException e = assertThrows(IOException.class, () -> listener().alert(alert()));
      assertThat(e.getMessage(), containsString("answered " + each));
      assertHidden(e);
    }
  }

  @Test
  public void hostThatDoesNotAnswerFailsWithoutTheAddress() {
    LateDataListener listener = listener();
    server.stop(0);

    assertHidden(assertThrows(IOException.class, () -> listener.alert(alert())));
  }

  @Test
  public void addressIsNeverShown() {
    assertThat(listener().toString(), is("WebhookLateData"));
    assertThat(
        FinalizationOptions.defaults().withLateDataListeners(listener()).toString(),
        not(containsString(SECRET)));
  }

  @Test
  public void otherAddressesAreRefusedWithoutShowingThem() {
    for (String address :
        List.of("ftp://host/" + SECRET, "/" + SECRET, "http:///" + SECRET, "mailto:" + SECRET)) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> LateDataListener.webhook(URI.create(address)));
      assertThat(e.getMessage(), containsString("Invalid webhook"));
      assertHidden(e);
    }
  }

  @Test
  public void schemeIsReadWithoutCase() {
    assertThat(
        LateDataListener.webhook(URI.create("HTTPS://host/x")).toString(), is("WebhookLateData"));
  }

  @Test
  public void requestsOfSeveralAlertsAreAllPosted() throws Exception {
    for (LateAlert alert : alerts(EventTimeStats.of(EventTimeSketch.of(HOUR, NINE, NINE - HOUR)))) {
      listener().alert(alert);
    }

    assertThat(
        List.of(hour(requests.get(1)), hour(requests.get(3))),
        contains("2024-05-01T08:00:00Z", "2024-05-01T09:00:00Z"));
  }

  private LateDataListener listener() {
    return LateDataListener.webhook(
        URI.create("http://localhost:" + server.getAddress().getPort() + "/hooks?key=" + SECRET));
  }

  private static LateAlert alert() {
    return Iterables.getOnlyElement(
        alerts(EventTimeStats.of(EventTimeSketch.of(HOUR, NINE, NINE + 1))));
  }

  private static List<LateAlert> alerts(EventTimeStats stats) {
    CommitFacts facts = CommitFacts.of("eu", 7, NINE + 5 * HOUR, stats, null);
    LatenessReport report = LatenessReport.of(facts, NINE + HOUR, HOUR);
    return new LateAlerts(LateAlertOptions.standard(), Clock.systemUTC()).offer("db.t", report);
  }

  private static String hour(String body) throws IOException {
    return new ObjectMapper().readTree(body).get("hour").asText();
  }

  private static void assertHidden(Exception e) {
    assertThat(Throwables.getStackTraceAsString(e), not(containsString(SECRET)));
  }
}
