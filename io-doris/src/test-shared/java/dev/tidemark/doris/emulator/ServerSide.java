package dev.tidemark.doris.emulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What frontends and backends have in common: credentials, faults of answers, and the record. */
abstract class ServerSide implements LoopbackServer.Handler {

  private static final int SMALL = 1 << 16;

  private final String name;
  private final Fault.Leg leg;
  final Settings settings;
  final Cluster cluster;
  private final Faults faults;
  private final RequestLog log;

  ServerSide(
      String name,
      Fault.Leg leg,
      Settings settings,
      Cluster cluster,
      Faults faults,
      RequestLog log) {
    this.name = name;
    this.leg = leg;
    this.settings = settings;
    this.cluster = cluster;
    this.faults = faults;
    this.log = log;
  }

  /** Does the work of a call and returns the answer, or null if the connection has had its end. */
  abstract @Nullable Response answer(Exchange exchange, Call call, @Nullable Fault fault)
      throws IOException;

  /** The answer to credentials that do not match, where the server checks them before the call. */
  abstract @Nullable Response refuse(RequestHead head, Call call);

  @Override
  public final void handle(Exchange exchange) throws IOException {
    RequestHead head = exchange.head();
    Call call = Call.of(head);
    if (call == null) {
      exchange.respond(Response.text(404, "Not Found"));
      return;
    }
    TransactionInfo transaction = transactionOf(head, call);
    String table = transaction == null ? call.table() : transaction.table();
    String label = transaction == null ? labelOf(head) : transaction.label();
    Fault fault = faults.take(leg, call.operation(), table, label == null ? "" : label);
    long started = log.start(name, head, label, fault);
    try {
      handle(exchange, call, fault);
    } finally {
      log.end(started, exchange);
    }
  }

  private void handle(Exchange exchange, Call call, @Nullable Fault fault) throws IOException {
    if (fault != null && endsEarly(exchange, fault)) {
      return;
    }
    Response response = refuse(exchange.head(), call);
    if (response == null) {
      response = answer(exchange, call, fault);
    }
    if (response == null) {
      return;
    }
    if (fault == null) {
      exchange.respond(response);
      return;
    }
    switch (fault.kind()) {
      case LOST_ANSWER -> exchange.reset();
      case ANSWER -> {
        exchange.write(fault.text().getBytes(StandardCharsets.UTF_8));
        exchange.finish();
      }
      case SLOW -> {
        for (byte next : response.bytes()) {
          exchange.write(new byte[] {next});
          LockSupport.parkNanos(fault.delay().toNanos());
        }
        exchange.finish();
      }
      default -> exchange.respond(response);
    }
  }

  /** The faults that come before any work. */
  private boolean endsEarly(Exchange exchange, Fault fault) throws IOException {
    switch (fault.kind()) {
      case UNAUTHORIZED -> exchange.respond(unauthorized());
      case ANSWER_ONLY -> {
        exchange.write(fault.text().getBytes(StandardCharsets.UTF_8));
        exchange.finish();
      }
      case ENDLESS -> {
        exchange.sendContinue();
        exchange.readBody(settings.maxBodyBytes());
        exchange.write(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n{"
                .getBytes(StandardCharsets.US_ASCII));
        byte[] spaces = " ".repeat(SMALL).getBytes(StandardCharsets.US_ASCII);
        while (true) {
          // Ends with the exception that the client has gone.
          exchange.write(spaces);
        }
      }
      case RESET -> {
        if (leg == Fault.Leg.FRONTEND || fault.operation() != Fault.Operation.LOAD) {
          exchange.reset();
          return true;
        }
        return false;
      }
      case LATE -> {
        if (leg == Fault.Leg.FRONTEND && exchange.bodyComes(fault.delay())) {
          cluster.addViolation(
              "A body was sent before the " + name + " asked for it, which resets the connection");
          exchange.reset();
          return true;
        }
        if (leg == Fault.Leg.BACKEND || !exchange.announcesBody()) {
          LockSupport.parkNanos(fault.delay().toNanos());
        }
        return false;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  final Response unauthorized() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("msg", "Unauthorized");
    body.put("code", 401);
    body.put("data", "Access denied for user (using password: YES)");
    body.put("count", 0);
    return Response.json(401, body).with("WWW-Authenticate", "Basic realm=\"\"");
  }

  private @Nullable TransactionInfo transactionOf(RequestHead head, Call call) {
    String id = head.header("txn_id");
    return id != null && id.matches("\\d{1,18}")
        ? cluster.transaction(call.database(), Long.parseLong(id))
        : null;
  }

  private static @Nullable String labelOf(RequestHead head) {
    String label = head.header("label");
    return label == null ? head.query("label") : label;
  }

  static Map<String, Object> success(@Nullable Object data) {
    return rest("success", 0, data);
  }

  static Map<String, Object> error(String data) {
    return rest("Error", 1, data);
  }

  private static Map<String, Object> rest(String message, int code, @Nullable Object data) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("msg", message);
    body.put("code", code);
    body.put("data", data == null ? List.of() : data);
    body.put("count", 0);
    return body;
  }

  /** The answer of an action that fails without an error of HTTP. */
  static Map<String, Object> failed(String message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", "FAILED");
    body.put("msg", message);
    return body;
  }
}
