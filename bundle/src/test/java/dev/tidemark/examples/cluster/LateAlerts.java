package dev.tidemark.examples.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** The webhook that the pipeline tells of late data. */
final class LateAlerts implements AutoCloseable {
  private final HttpServer server;
  private final ObjectMapper json = new ObjectMapper();
  private final List<JsonNode> alerts = new CopyOnWriteArrayList<>();

  private LateAlerts(HttpServer server) {
    this.server = server;
  }

  static LateAlerts start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    LateAlerts alerts = new LateAlerts(server);
    server.createContext("/late", alerts::take);
    server.start();
    return alerts;
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      alerts.add(json.readTree(exchange.getRequestBody()));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/late";
  }

  /** The hours of which late records were told, by their starts. */
  Set<Instant> hours() {
    Set<Instant> hours = new TreeSet<>();
    alerts.forEach(alert -> hours.add(Instant.parse(alert.path("hour").asText())));
    return hours;
  }

  int count() {
    return alerts.size();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
