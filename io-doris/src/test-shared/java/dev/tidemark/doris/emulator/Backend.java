package dev.tidemark.doris.emulator;

import dev.tidemark.doris.emulator.Fault.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Takes loads, and carries decisions over transactions to the frontend. */
final class Backend extends ServerSide {

  private final ErrorLogs errorLogs;

  Backend(
      int number,
      Settings settings,
      Cluster cluster,
      Faults faults,
      RequestLog log,
      ErrorLogs errorLogs) {
    super("be" + number, Fault.Leg.BACKEND, settings, cluster, faults, log);
    this.errorLogs = errorLogs;
  }

  @Override
  @Nullable Response refuse(RequestHead head, Call call) {
    // Loads report it in their own answer; the others are open or check it in theirs.
    return null;
  }

  @Override
  @Nullable Response answer(Exchange exchange, Call call, @Nullable Fault fault)
      throws IOException {
    return switch (call.operation()) {
      case PROBE -> Response.text(200, "hello");
      case LOAD -> new Load(exchange, call, fault, settings, cluster, errorLogs).answer();
      case COMMIT, ABORT -> decide(exchange, call, fault);
      case ERROR_LOG -> errorLogs.answer(exchange.head().query("file"));
      default -> Response.text(404, "Not Found");
    };
  }

  private Response decide(Exchange exchange, Call call, @Nullable Fault fault) throws IOException {
    exchange.sendContinue();
    exchange.readBody(settings.maxBodyBytes());
    RequestHead head = exchange.head();
    Call.Credentials credentials = Call.Credentials.of(head);
    if (credentials == null) {
      return decision("NOT_AUTHORIZED", "[NOT_AUTHORIZED]no valid Basic authorization");
    }
    if (!credentials.match(settings)) {
      return decision("NOT_AUTHORIZED", "[NOT_AUTHORIZED]Access denied for user");
    }
    String operation = head.header("txn_operation", "");
    if (!operation.equalsIgnoreCase("commit") && !operation.equalsIgnoreCase("abort")) {
      return decision(
          "INTERNAL_ERROR", "[INTERNAL_ERROR]transaction operation should be 'commit' or 'abort'");
    }
    if (fault != null && (fault.kind() == Kind.FAIL || fault.kind() == Kind.FAIL_LOAD)) {
      return decision("INTERNAL_ERROR", fault.text());
    }
    return decide(head, call, operation.equalsIgnoreCase("commit"), fault);
  }

  private Response decide(RequestHead head, Call call, boolean commit, @Nullable Fault fault) {
    String idText = head.header("txn_id", "");
    String label = head.header("label", "");
    try {
      long id;
      if (idText.isEmpty()) {
        id = cluster.runningOf(call.database(), label, commit);
      } else if (idText.matches("-?\\d{1,18}")) {
        id = Long.parseLong(idText);
      } else {
        return decision("INTERNAL_ERROR", "[INTERNAL_ERROR]convert txn_id [" + idText + "] failed");
      }
      if (fault != null && fault.kind() == Kind.EXPIRED) {
        cluster.expire(call.database(), id);
      }
      cluster.decide(
          call.database(), id, commit, fault != null && fault.kind() == Kind.PUBLISH_TIMEOUT);
    } catch (TransactionException e) {
      return decision(
          "ANALYSIS_ERROR",
          "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = " + e.getMessage());
    }
    String subject = idText.isEmpty() ? "label [" + label + "]" : "transaction [" + idText + "]";
    return decision("Success", subject + (commit ? " commit" : " abort") + " successfully.");
  }

  private static Response decision(String status, String message) {
    Map<String, String> body = new LinkedHashMap<>();
    body.put("status", status);
    body.put("msg", message);
    return Response.pretty(body);
  }

  /** How long a load may take. */
  static Duration timeout(RequestHead head) {
    String text = head.header("timeout", "");
    return Duration.ofSeconds(text.matches("\\d{1,9}") ? Long.parseLong(text) : 259_200);
  }
}
