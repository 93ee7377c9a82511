package dev.tidemark.doris.emulator;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Names backends for loads, and knows schemas and labels. */
final class Frontend extends ServerSide {

  /** How long a body that nobody asked for is looked out for. */
  private static final Duration UNASKED_BODY = Duration.ofMillis(500);

  private final Supplier<List<String>> backends;
  private final Statements statements;
  private final Admin admin;
  private final AtomicInteger next = new AtomicInteger();

  Frontend(
      Settings settings,
      Cluster cluster,
      Faults faults,
      RequestLog log,
      Supplier<List<String>> backends) {
    super("fe", Fault.Leg.FRONTEND, settings, cluster, faults, log);
    this.backends = backends;
    this.statements = new Statements(cluster);
    this.admin = new Admin(cluster, faults, log);
  }

  @Override
  @Nullable Response refuse(RequestHead head, Call call) {
    if (call.operation() == Fault.Operation.PROBE) {
      return null;
    }
    Call.Credentials credentials = Call.Credentials.of(head);
    return credentials != null && credentials.match(settings) ? null : unauthorized();
  }

  @Override
  @Nullable Response answer(Exchange exchange, Call call, @Nullable Fault fault)
      throws IOException {
    return switch (call.operation()) {
      case PROBE -> Response.text(200, "hello");
      case LOAD -> load(exchange, fault);
      case COMMIT, ABORT -> transaction(exchange, fault);
      case LABEL_STATE -> labelState(exchange.head(), call);
      case SCHEMA -> schema(call);
      case BACKENDS -> Response.json(success(Map.of("backends", aliveBackends())));
      case QUERY -> statements.answer(call.database(), bodyText(exchange));
      case ADMIN -> admin.answer(exchange.head(), bodyText(exchange));
      case ERROR_LOG -> Response.text(404, "Not Found");
    };
  }

  private @Nullable Response load(Exchange exchange, @Nullable Fault fault) throws IOException {
    RequestHead head = exchange.head();
    if (head.header("expect") == null) {
      return Response.json(failed("There is no 100-continue header"));
    }
    return redirect(exchange, fault);
  }

  private @Nullable Response transaction(Exchange exchange, @Nullable Fault fault)
      throws IOException {
    RequestHead head = exchange.head();
    if (head.header("txn_id", "").isEmpty() && head.header("label", "").isEmpty()) {
      return Response.json(failed("No transaction id or label selected."));
    }
    if (head.header("txn_operation", "").isEmpty()) {
      return Response.json(failed("No transaction operation('commit' or 'abort') selected."));
    }
    return redirect(exchange, fault);
  }

  /** Answers with the address of a backend, and cuts off a client that sends the body here. */
  private @Nullable Response redirect(Exchange exchange, @Nullable Fault fault) throws IOException {
    if (fault != null && fault.kind() == Fault.Kind.FAIL) {
      return Response.json(failed(fault.text()));
    }
    Response response =
        Response.redirect(
            fault != null && fault.kind() == Fault.Kind.REDIRECT
                ? fault.text()
                : location(exchange.head()));
    if (!exchange.announcesBody() || (fault != null && fault.changesAnswer())) {
      return response;
    }
    exchange.write(response.with("Connection", "close").bytes());
    if (exchange.bodyComes(UNASKED_BODY)) {
      cluster.addViolation(
          "A body was sent to the frontend, which may reset the connection before its answer is"
              + " read. Send it to the backend that the frontend names");
      exchange.reset();
    } else {
      exchange.finish();
    }
    return null;
  }

  private String location(RequestHead head) {
    List<String> alive = backends.get();
    String backend = alive.get(Math.floorMod(next.getAndIncrement(), alive.size()));
    Call.Credentials credentials = Call.Credentials.of(head);
    if (credentials == null) {
      throw new IllegalStateException("Credentials are checked before");
    }
    int mark = head.target().indexOf('?');
    return "http://"
        + URLEncoder.encode(credentials.user(), StandardCharsets.UTF_8)
        + ":"
        + URLEncoder.encode(credentials.password(), StandardCharsets.UTF_8)
        + "@"
        + backend
        + head.path()
        + "?"
        + (mark < 0 ? "" : head.target().substring(mark + 1));
  }

  private Response labelState(RequestHead head, Call call) {
    String label = head.query("label");
    if (label == null || label.isEmpty()) {
      return Response.json(error("No label selected"));
    }
    if (!cluster.hasDatabase(call.database())) {
      return Response.json(error("unknown database, database=" + call.database()));
    }
    return Response.json(success(cluster.labelState(call.database(), label)));
  }

  private Response schema(Call call) {
    TableDefinition table = cluster.definition(call.database(), call.table());
    if (table == null) {
      return Response.json(
          error("errCode = 2, detailMessage = Unknown table '" + call.table() + "'"));
    }
    List<Map<String, String>> properties = new ArrayList<>();
    for (Column column : table.columns()) {
      Map<String, String> property = new LinkedHashMap<>();
      property.put("name", column.name());
      property.put("aggregation_type", aggregation(table, column));
      property.put("comment", column.comment());
      property.put("type", column.type().schemaName());
      if (column.type().kind() == ColumnType.Kind.DECIMAL) {
        property.put("precision", Integer.toString(column.type().precision()));
        property.put("scale", Integer.toString(column.type().scale()));
      }
      property.put("is_nullable", column.nullable() ? "Yes" : "No");
      properties.add(property);
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("keysType", table.keysType().name());
    data.put("properties", properties);
    data.put("status", 200);
    return Response.json(success(data));
  }

  private static String aggregation(TableDefinition table, Column column) {
    if (column.key()) {
      return "";
    }
    return table.unique() && !table.mergeOnWrite() ? "REPLACE" : "NONE";
  }

  private List<Map<String, Object>> aliveBackends() {
    List<Map<String, Object>> alive = new ArrayList<>();
    for (String address : backends.get()) {
      int colon = address.lastIndexOf(':');
      Map<String, Object> backend = new LinkedHashMap<>();
      backend.put("ip", address.substring(0, colon));
      backend.put("http_port", Integer.parseInt(address.substring(colon + 1)));
      backend.put("is_alive", true);
      alive.add(backend);
    }
    return alive;
  }

  private String bodyText(Exchange exchange) throws IOException {
    exchange.sendContinue();
    RequestBody body = exchange.readBody(1 << 20);
    return new String(body.bytes(), StandardCharsets.UTF_8);
  }
}
