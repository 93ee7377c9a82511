package dev.tidemark.iceberg;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.finalization.LateAlert;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;

/** Posts late data to an address, which may hold a token and therefore appears nowhere. */
final class WebhookLateData implements LateDataListener {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final URI address;
  private transient HttpClient client;

  private WebhookLateData(URI address) {
    this.address = address;
  }

  static WebhookLateData to(URI address) {
    if (!"http".equalsIgnoreCase(address.getScheme())
        && !"https".equalsIgnoreCase(address.getScheme())) {
      throw new IllegalArgumentException(
          String.format("Invalid webhook scheme: %s (must be http or https)", address.getScheme()));
    }
    if (address.getHost() == null) {
      throw new IllegalArgumentException("Invalid webhook address: no host (must name one)");
    }
    return new WebhookLateData(address);
  }

  @Override
  public void alert(LateAlert alert) throws IOException, InterruptedException {
    if (client == null) {
      client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    }
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body(alert)))
            .build();
    int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status / 100 != 2) {
      throw new IOException("Cannot post late data: the webhook answered " + status);
    }
  }

  private static String body(LateAlert alert) throws IOException {
    ObjectNode body = JSON.createObjectNode();
    body.put("table", alert.table());
    Long hour = alert.hourMillis();
    body.put("hour", hour == null ? null : Instant.ofEpochMilli(hour).toString());
    body.put("records", alert.records());
    body.put("exact", alert.exact());
    body.put("text", alert.toText());
    return JSON.writeValueAsString(body);
  }

  @Override
  public String toString() {
    return "WebhookLateData";
  }
}
