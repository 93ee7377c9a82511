package dev.tidemark.action;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Throwables;
import java.io.IOException;
import java.net.URI;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.util.SerializableUtils;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WebhookTest {
  private static final String TOKEN = "t0ken";
  private static final String SECRET = "s3cret";

  @Rule public final Receiver receiver = new Receiver();

  private Webhook webhook() {
    return Webhook.to(URI.create("http://127.0.0.1:" + receiver.port() + "/hook?key=" + TOKEN));
  }

  private static AdvanceNotice notice() {
    return AdvanceNotice.builder()
        .setTable("db.events")
        .setTableUuid("u1")
        .setBranch("main")
        .setBefore(Instant.parse("2026-01-01T04:00:00Z"))
        .setFinalizedUntil(Instant.parse("2026-01-01T05:00:00Z"))
        .setFinalizedSince(Instant.parse("2026-01-01T00:00:00Z"))
        .setSnapshotId(7L)
        .setReason("Moved")
        .build();
  }

  @Test
  public void noticeIsPostedWithItsId() throws Exception {
    receiver.answer("HTTP/1.1 204 No Content\r\n\r\n");

    AdvanceListener.webhook(webhook()).advanced(notice(), null);

    Receiver.Request request = receiver.request();
    assertThat(request.line(), is("POST /hook?key=t0ken HTTP/1.1"));
    assertThat(request.header("X-Tidemark-Event"), is("u1/main/2026-01-01T05:00:00.000Z/7"));
    JsonNode body = new ObjectMapper().readTree(request.body());
    assertThat(
        body.toString(),
        is(
            "{\"version\":1,\"type\":\"advance\",\"id\":\"u1/main/2026-01-01T05:00:00.000Z/7\","
                + "\"table\":\"db.events\",\"tableUuid\":\"u1\",\"branch\":\"main\","
                + "\"before\":\"2026-01-01T04:00:00Z\",\"finalizedUntil\":\"2026-01-01T05:00:00Z\","
                + "\"finalizedSince\":\"2026-01-01T00:00:00Z\",\"snapshotId\":\"7\","
                + "\"afterStart\":false,\"reason\":\"Moved\"}"));
  }

  @Test
  public void receiverCanVerifyTheSignature() throws Exception {
    receiver.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

    webhook().withSecret(StaticValueProvider.of(SECRET)).post("e1", "{\"n\":1}");

    Receiver.Request request = receiver.request();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
    byte[] expected =
        mac.doFinal(
            (request.header("X-Tidemark-Timestamp") + "." + request.body()).getBytes(UTF_8));
    assertThat(
        request.header("X-Tidemark-Signature"), is("sha256=" + HexFormat.of().formatHex(expected)));
    assertThat(
        Math.abs(
            Long.parseLong(request.header("X-Tidemark-Timestamp"))
                - System.currentTimeMillis() / 1000),
        lessThan(600L));
  }

  @Test
  public void redirectIsNotFollowed() throws Exception {
    receiver.answer(
        "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:" + receiver.port() + "/other\r\n\r\n");

    IOException e = assertThrows(IOException.class, () -> webhook().post("e1", "{}"));

    assertThat(e, is(instanceOf(PermanentFailureException.class)));
    assertThat(e.getMessage(), containsString("redirects are not followed"));
    receiver.request();
    assertThat(receiver.connections(), is(1));
  }

  @Test
  public void statusTellsWhetherToComeAgain() throws Exception {
    for (int status : new int[] {400, 401, 403, 404, 410}) {
      assertThat(failure(status), is(instanceOf(PermanentFailureException.class)));
    }
    for (int status : new int[] {408, 425, 429, 500, 502, 503}) {
      assertThat(failure(status), is(not(instanceOf(PermanentFailureException.class))));
    }
  }

  private IOException failure(int status) {
    receiver.answer("HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    IOException e = assertThrows(IOException.class, () -> webhook().post("e1", "{}"));
    assertThat(e.getMessage(), containsString("answered " + status));
    return e;
  }

  @Test(timeout = 60_000)
  public void endlessBodyIsNotRead() throws Exception {
    receiver.answerEndlessly("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(64 * 1024));

    webhook().post("e1", "{}");

    assertThat(receiver.request().body(), is("{}"));
    assertThat(receiver.sentBytes(), is(lessThan(64L << 20)));
  }

  @Test(timeout = 60_000)
  public void endlessHeadersEnd() {
    receiver.answerEndlessly("HTTP/1.1 200 OK\r\n", "X-Junk: " + "y".repeat(4000) + "\r\n");

    assertSecretless(assertThrows(IOException.class, () -> webhook().post("e1", "{}")));
    assertThat(receiver.sentBytes(), is(lessThan(256L << 20)));
  }

  @Test(timeout = 60_000)
  public void connectionThatIsClosedMidwayIsAFailure() {
    receiver.answer("HTTP/1.1 20");

    assertSecretless(assertThrows(IOException.class, () -> webhook().post("e1", "{}")));
  }

  @Test(timeout = 60_000)
  public void silenceEnds() {
    receiver.keepSilent();

    IOException e = assertThrows(IOException.class, () -> webhook().post("e1", "{}"));

    assertThat(e.getMessage(), startsWith("Cannot post to the webhook"));
  }

  @Test
  public void receiverThatIsNotThereIsAFailure() throws Exception {
    receiver.close();

    IOException e = assertThrows(IOException.class, () -> webhook().post("e1", "{}"));

    assertSecretless(e);
    assertThat(e, is(not(instanceOf(PermanentFailureException.class))));
  }

  @Test
  public void addressAndSecretAreCheckedWhereTheyAreRead() {
    Webhook relative = Webhook.to(StaticValueProvider.of("/" + TOKEN));
    Webhook unsigned = webhook().withSecret(StaticValueProvider.of(""));

    IOException address = assertThrows(IOException.class, () -> relative.post("e1", "{}"));
    IOException secret = assertThrows(IOException.class, () -> unsigned.post("e1", "{}"));

    assertThat(address, is(instanceOf(PermanentFailureException.class)));
    assertSecretless(address);
    assertThat(secret.getMessage(), containsString("the secret is empty"));
  }

  @Test
  public void travelsAndShowsNothing() throws Exception {
    receiver.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    Webhook copy = SerializableUtils.clone(webhook().withSecret(StaticValueProvider.of(SECRET)));

    copy.post("e1", "{}");

    assertThat(receiver.request().body(), is("{}"));
    assertThat(copy.toString(), is("Webhook{signed}"));
    assertThat(AdvanceListener.webhook(copy).toString(), is("WebhookAdvance"));
  }

  @Test
  public void eventWaitsUntilTheReceiverIsBack() throws Exception {
    receiver.answer("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    receiver.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    try (ActionDispatcher dispatcher =
        new ActionDispatcher(java.util.List.of(AdvanceListener.webhook(webhook())))) {
      dispatcher.offer(notice(), () -> null);

      String first = receiver.request().header("X-Tidemark-Event");
      String second = receiver.request(30, SECONDS).header("X-Tidemark-Event");

      assertThat(second, is(first));
    }
  }

  private static void assertSecretless(Exception e) {
    assertThat(Throwables.getStackTraceAsString(e), not(containsString(TOKEN)));
  }
}
