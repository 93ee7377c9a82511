package dev.tidemark.doris.emulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Faults and insights by HTTP, for an emulator in another process. */
final class Admin {

  private final Cluster cluster;
  private final Faults faults;
  private final RequestLog log;

  Admin(Cluster cluster, Faults faults, RequestLog log) {
    this.cluster = cluster;
    this.faults = faults;
    this.log = log;
  }

  Response answer(RequestHead head, String body) {
    List<String> parts = head.pathParts();
    String what = head.method() + " " + (parts.size() == 3 ? parts.get(2) : "");
    try {
      return switch (what) {
        case "POST faults" -> {
          faults.add(fault(Json.MAPPER.readTree(body)));
          yield Response.json(ServerSide.success("added"));
        }
        case "DELETE faults" -> {
          faults.clear();
          yield Response.json(ServerSide.success("cleared"));
        }
        case "GET faults" ->
            Response.json(
                ServerSide.success(faults.pending().stream().map(Fault::toString).toList()));
        case "GET transactions" ->
            Response.json(
                ServerSide.success(
                    cluster.transactions().stream().map(Admin::transaction).toList()));
        case "GET requests" ->
            Response.json(ServerSide.success(log.requests().stream().map(Admin::request).toList()));
        case "DELETE requests" -> {
          log.clear();
          yield Response.json(ServerSide.success("cleared"));
        }
        case "GET violations" -> Response.json(ServerSide.success(cluster.violations()));
        default -> Response.text(404, "Not Found");
      };
    } catch (JsonProcessingException e) {
      return Response.json(400, ServerSide.error("The body is not JSON"));
    } catch (IllegalArgumentException e) {
      return Response.json(400, ServerSide.error(String.valueOf(e.getMessage())));
    }
  }

  /** Reads a fault; what is missing is as {@link Fault#of} has it. */
  static Fault fault(JsonNode node) {
    String kindName = node.path("kind").asText().toUpperCase(Locale.ROOT);
    Fault fault = Fault.of(Fault.Kind.valueOf(kindName));
    return new Fault(
        fault.kind(),
        Fault.Leg.valueOf(text(node, "leg", fault.leg().name()).toUpperCase(Locale.ROOT)),
        Fault.Operation.valueOf(
            text(node, "operation", fault.operation().name()).toUpperCase(Locale.ROOT)),
        text(node, "table", fault.table()),
        text(node, "label", fault.label()),
        node.path("skip").asInt(fault.skip()),
        node.path("times").asInt(fault.times()),
        node.path("bytes").asLong(fault.bytes()),
        Duration.ofMillis(node.path("delay_millis").asLong(fault.delay().toMillis())),
        text(node, "text", fault.text()),
        node.path("polls").asInt(fault.polls()),
        node.path("commits").asBoolean(fault.commits()));
  }

  private static String text(JsonNode node, String name, String otherwise) {
    return node.path(name).isTextual() ? node.path(name).textValue() : otherwise;
  }

  private static Map<String, Object> transaction(TransactionInfo info) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("txn_id", info.txnId());
    fields.put("database", info.database());
    fields.put("table", info.table());
    fields.put("label", info.label());
    fields.put("two_phase", info.twoPhase());
    fields.put("state", info.state().name());
    fields.put("rows", info.rows());
    fields.put("bytes", info.bytes());
    fields.put("content_sha256", info.contentSha256());
    fields.put("begun", info.begun().toString());
    fields.put("precommitted", String.valueOf(info.precommitted()));
    fields.put("finished", String.valueOf(info.finished()));
    fields.put("reason", info.reason());
    return fields;
  }

  private static Map<String, Object> request(RequestInfo info) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("server", info.server());
    fields.put("method", info.method());
    fields.put("path", info.path());
    fields.put("headers", info.headers());
    fields.put("body_bytes", info.bodyBytes());
    fields.put("label", String.valueOf(info.label()));
    fields.put("fault", String.valueOf(info.fault()));
    return fields;
  }
}
