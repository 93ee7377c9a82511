package dev.tidemark.streamload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.net.UrlEscapers;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Speaks to a Doris cluster: one request, one answer. Attempts, labels and modes are matters of
 * {@link LoadProtocol} and {@link TwoPhaseProtocol}. Thread-safe.
 *
 * <p>A load takes two requests. A frontend gets its headers and no body, and answers with a
 * backend; the backend gets headers and body. Frontends are tried in turn until one answers. Every
 * request ends within the cluster's time for it, and no more of an answer is read than one may
 * have.
 *
 * <p>Messages of exceptions name servers, tables and labels, and never user or password; neither do
 * logs, at any level.
 */
public final class StreamLoadClient implements AutoCloseable {
  /** More of an error log than this is not read. */
  public static final int MAX_ERROR_LOG_BYTES = 65536;

  private static final int MAX_ANSWER_BYTES = 1 << 20;
  private static final int MAX_SCHEMA_BYTES = 4 << 20;
  private static final int MAX_HOPS = 3;
  private static final String PUT = "PUT";
  private static final String GET = "GET";

  private final DorisCluster cluster;
  private final ImmutableList<ServerAddress> frontends;
  private final ImmutableList<ServerAddress> backends;
  private final Secrets secrets;
  private final Answers answers;
  private final Redirects redirects;
  private final HttpCaller caller;
  private final AtomicInteger frontend = new AtomicInteger();
  private final AtomicInteger backend = new AtomicInteger();

  private StreamLoadClient(DorisCluster cluster) {
    this.cluster = cluster;
    frontends = addresses("frontend", cluster.frontends());
    backends = addresses("backend", cluster.backends());
    secrets = new Secrets(cluster.user(), cluster.password());
    answers = new Answers(secrets);
    redirects = new Redirects(allowedHosts());
    caller = HttpCaller.open(cluster);
  }

  private ImmutableSet<String> allowedHosts() {
    if (cluster.backendHosts().isEmpty()) {
      return ImmutableSet.of();
    }
    ImmutableSet.Builder<String> hosts = ImmutableSet.builder();
    hosts.addAll(cluster.backendHosts());
    frontends.forEach(address -> hosts.add(address.host()));
    return hosts.build();
  }

  private static ImmutableList<ServerAddress> addresses(String role, List<String> texts) {
    return texts.stream()
        .map(text -> ServerAddress.parse(role, text))
        .collect(ImmutableList.toImmutableList());
  }

  /** A client of this cluster. Connects when it is used. */
  public static StreamLoadClient open(DorisCluster cluster) {
    return new StreamLoadClient(cluster);
  }

  /**
   * The columns and kind of a table, as a frontend describes them. Needs the right to select.
   *
   * @throws LoadException if no frontend answers, or the table or the right to it is missing
   */
  public TableSchema schema(String database, String table) {
    String action = "read the schema of table " + database + "." + table;
    return ask(
        new Question(action, GET, "/api/" + path(database) + "/" + path(table) + "/_schema", ""),
        frontends,
        Map.of(),
        MAX_SCHEMA_BYTES,
        answer -> answers.schema(answer, database, table));
  }

  /** What the database knows of a label. */
  public LabelState labelState(String database, String label) {
    String action = "look up label %s of database %s".formatted(label, database);
    String query = "?label=" + UrlEscapers.urlFormParameterEscaper().escape(label);
    return ask(
        new Question(action, GET, "/api/" + path(database) + "/get_load_state", query),
        frontends,
        Map.of(),
        MAX_ANSWER_BYTES,
        answers::labelState);
  }

  /** Commits a pre-committed transaction. */
  public TransactionAnswer commit(String database, long transactionId) {
    return transaction(database, "commit", transactionId, "");
  }

  /** Aborts a transaction. */
  public TransactionAnswer abort(String database, long transactionId) {
    return transaction(database, "abort", transactionId, "");
  }

  /** Aborts the transaction that is open under a label. Needs Doris 2.1 or newer. */
  public TransactionAnswer abortByLabel(String database, String label) {
    return transaction(database, "abort", null, label);
  }

  private TransactionAnswer transaction(
      String database, String operation, @Nullable Long id, String label) {
    String action =
        id == null
            ? "%s label %s of database %s".formatted(operation, label, database)
            : "%s transaction %d of database %s".formatted(operation, id, database);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("txn_operation", operation);
    if (id == null) {
      headers.put("label", label);
    } else {
      headers.put("txn_id", Long.toString(id));
    }
    return ask(
        new Question(action, PUT, "/api/" + path(database) + "/_stream_load_2pc", ""),
        backends.isEmpty() ? frontends : backends,
        headers,
        MAX_ANSWER_BYTES,
        answer -> answers.transaction(answer, id));
  }

  /**
   * Sends a load once, and returns how a backend answered it.
   *
   * @throws LoadException of kind UNKNOWN_OUTCOME, UNREADABLE_ANSWER or INTERRUPTED if the backend
   *     may have loaded it; of another kind if it certainly did not
   */
  public LoadAnswer load(LoadRequest request) {
    String action =
        "load into table %s.%s with label %s"
            .formatted(request.database(), request.table(), request.label());
    String path =
        "/api/" + path(request.database()) + "/" + path(request.table()) + "/_stream_load";
    Map<String, String> headers = headers(request);
    ServerAddress to =
        backends.isEmpty()
            ? backendFor(new Question(action, PUT, path, ""), headers)
            : backends.get(Math.floorMod(backend.getAndIncrement(), backends.size()));
    HttpAnswer answer;
    try {
      answer =
          caller.call(
              PUT,
              to.resolve(path),
              headers,
              new BodyEntity(request.body(), request.bodyBytes()),
              MAX_ANSWER_BYTES,
              cluster.loadTimeout());
    } catch (CallException e) {
      checkInterrupt(action, e);
      throw e.sent()
          ? new LoadException(
              LoadException.Kind.UNKNOWN_OUTCOME,
              "Cannot tell whether the load into table %s.%s with label %s happened: %s. The state of the label tells."
                  .formatted(request.database(), request.table(), request.label(), describe(e)),
              shown(e))
          : new LoadException(
              LoadException.Kind.UNAVAILABLE,
              "Cannot %s: backend %s. Check that it is up, and reachable from here under the address that the frontend names."
                  .formatted(action, describe(e)),
              shown(e));
    }
    refuse(action, answer, LoadException.Kind.UNKNOWN_OUTCOME);
    if (answer.redirects()) {
      throw new LoadException(
          LoadException.Kind.REDIRECT_REFUSED,
          "Cannot %s: %s redirects the load, which a backend does not do. If it is a frontend that serves HTTPS, name the frontends with https://."
              .formatted(action, to));
    }
    try {
      return answers.load(answer);
    } catch (UnreadableAnswer e) {
      throw unreadable(action, e, "It may have happened; the state of the label tells.");
    }
  }

  private Map<String, String> headers(LoadRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    boolean timed = request.headers().keySet().stream().anyMatch(Headers.TIMEOUT::equalsIgnoreCase);
    if (!timed) {
      headers.put(Headers.TIMEOUT, Long.toString(Math.max(1, cluster.loadTimeout().toSeconds())));
    }
    headers.putAll(request.headers());
    headers.put("Authorization", secrets.authorization());
    headers.put("Expect", "100-continue");
    headers.put("label", request.label());
    headers.put("format", "arrow");
    headers.put("columns", Headers.columns(request.columns()));
    if (request.twoPhase()) {
      headers.put("two_phase_commit", "true");
    }
    // Else a table's property may switch it on, and the label be dropped.
    headers.put("group_commit", "off_mode");
    return headers;
  }

  /** Asks frontends for a backend to send a load to. */
  private ServerAddress backendFor(Question question, Map<String, String> headers) {
    List<String> failures = new ArrayList<>();
    LoadException last = null;
    for (ServerAddress server : inTurn(frontends, frontend)) {
      try {
        HttpAnswer answer = call(question, server, headers, MAX_ANSWER_BYTES);
        refuse(question.action(), answer, LoadException.Kind.UNAVAILABLE);
        if (answer.redirects()) {
          remember(frontends, server);
          return redirects.follow(question.action(), answer, question.path());
        }
        last = noBackend(question.action(), answer);
      } catch (CallException e) {
        checkInterrupt(question.action(), e);
        last = unavailable(question.action(), describe(e), e);
      } catch (UnreadableAnswer e) {
        last = unreadable(question.action(), e, "Nothing was sent but headers.");
      } catch (LoadException e) {
        last = e;
      }
      if (last.permanent()) {
        throw last;
      }
      failures.add(server + ": " + last.getMessage());
    }
    throw allFailed(question.action(), failures, last);
  }

  private LoadException noBackend(String action, HttpAnswer answer) throws UnreadableAnswer {
    if (Answers.isLoad(answer)) {
      return new LoadException(
          LoadException.Kind.DISOBEYED,
          "Cannot %s: %s answers as a backend does, and has begun an empty load. Name frontends as frontends, and this one as a backend."
              .formatted(action, answer.server()));
    }
    return declined(action, answer.server(), answers.declined(answer));
  }

  /** A question to frontends or backends that takes no body. */
  private record Question(String action, String method, String path, String query) {}

  /** Reads an answer. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(HttpAnswer answer) throws UnreadableAnswer;
  }

  private <T> T ask(
      Question question,
      ImmutableList<ServerAddress> servers,
      Map<String, String> headers,
      int maxBytes,
      Reading<T> reading) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put("Authorization", secrets.authorization());
    List<String> failures = new ArrayList<>();
    LoadException last = null;
    for (ServerAddress server : inTurn(servers, frontend)) {
      try {
        HttpAnswer answer = callAndFollow(question, server, all, maxBytes);
        refuse(question.action(), answer, LoadException.Kind.UNAVAILABLE);
        T read = reading.read(answer);
        remember(servers, server);
        return read;
      } catch (CallException e) {
        checkInterrupt(question.action(), e);
        last = unavailable(question.action(), describe(e), e);
      } catch (UnreadableAnswer e) {
        last = judge(question.action(), server, e);
      } catch (LoadException e) {
        last = e;
      }
      if (last.permanent()) {
        throw last;
      }
      failures.add(server + ": " + last.getMessage());
    }
    throw allFailed(question.action(), failures, last);
  }

  /** An answer without what was asked for: a message that says why, or nothing of Doris at all. */
  private LoadException judge(String action, ServerAddress server, UnreadableAnswer e) {
    return Messages.verdict(e.getMessage()) == Verdict.FATAL
        ? declined(action, server, e.getMessage())
        : unreadable(action, e, "Check that the address is one of Doris.");
  }

  private HttpAnswer callAndFollow(
      Question question, ServerAddress server, Map<String, String> headers, int maxBytes)
      throws CallException {
    HttpAnswer answer = call(question, server, headers, maxBytes);
    for (int hops = 0; answer.redirects(); hops++) {
      if (hops == MAX_HOPS) {
        throw new LoadException(
            LoadException.Kind.REDIRECT_REFUSED,
            "Cannot %s: %s redirects for the %dth time"
                .formatted(question.action(), answer.server(), MAX_HOPS + 1));
      }
      ServerAddress next = redirects.follow(question.action(), answer, question.path());
      answer = call(question, next, headers, maxBytes);
    }
    return answer;
  }

  private HttpAnswer call(
      Question question, ServerAddress server, Map<String, String> headers, int maxBytes)
      throws CallException {
    URI uri = server.resolve(question.path() + question.query());
    return caller.call(question.method(), uri, headers, null, maxBytes, cluster.requestTimeout());
  }

  /** Turns an answer whose HTTP status is an error into an exception. */
  private void refuse(String action, HttpAnswer answer, LoadException.Kind serverFailed) {
    int code = answer.code();
    if (code < 400) {
      return;
    }
    String text = secrets.scrub(answer.text(), 200);
    String reason = "%s says HTTP %d %s".formatted(answer.server(), code, text).strip();
    if (code == 401 || code == 403) {
      throw unauthorized(action, reason);
    }
    if (code == 429 || code == 503) {
      throw new LoadException(
          LoadException.Kind.OVERLOADED, "Cannot %s: %s".formatted(action, reason));
    }
    throw new LoadException(
        code == 408 || code >= 500 ? serverFailed : LoadException.Kind.REFUSED,
        "Cannot %s: %s".formatted(action, reason));
  }

  /** What a frontend's message, given instead of what was asked for, comes to. */
  private static LoadException declined(String action, ServerAddress server, String message) {
    String reason = server + " says: " + message;
    if (Messages.denies(message)) {
      return unauthorized(action, reason);
    }
    LoadException.Kind kind =
        switch (Messages.verdict(message)) {
          case FATAL, REJECT -> LoadException.Kind.REFUSED;
          case SLOW -> LoadException.Kind.OVERLOADED;
          case RETRY, SETTLE -> LoadException.Kind.UNAVAILABLE;
        };
    return new LoadException(kind, "Cannot %s: %s".formatted(action, reason));
  }

  private static LoadException unauthorized(String action, String reason) {
    return new LoadException(
        LoadException.Kind.UNAUTHORIZED,
        "Cannot %s: %s. Check user and password, and grant the user LOAD and SELECT on the table."
            .formatted(action, reason));
  }

  private LoadException unavailable(String action, String reason, CallException e) {
    return new LoadException(
        LoadException.Kind.UNAVAILABLE, "Cannot %s: %s".formatted(action, reason), shown(e));
  }

  private static LoadException unreadable(String action, UnreadableAnswer e, String remedy) {
    return new LoadException(
        LoadException.Kind.UNREADABLE_ANSWER,
        "Cannot %s: %s. %s".formatted(action, e.getMessage(), remedy));
  }

  private static LoadException allFailed(
      String action, List<String> failures, @Nullable LoadException last) {
    if (failures.size() == 1 && last != null) {
      return last;
    }
    return new LoadException(
        last == null ? LoadException.Kind.UNAVAILABLE : last.kind(),
        "Cannot %s: none of %d servers did it. %s"
            .formatted(action, failures.size(), String.join("; ", failures)),
        last);
  }

  private void checkInterrupt(String action, CallException e) {
    if (Thread.currentThread().isInterrupted()) {
      throw new LoadException(
          LoadException.Kind.INTERRUPTED,
          "Cannot %s: interrupted%s"
              .formatted(action, e.sent() ? "; it may have happened" : " before it was sent"),
          shown(e));
    }
  }

  private String describe(CallException e) {
    return secrets.scrub(String.valueOf(e.getMessage()), 300);
  }

  /** The cause if it says nothing secret, all the way down. */
  private @Nullable Throwable shown(CallException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      if (!secrets.hide(text).equals(text)) {
        return null;
      }
    }
    return e;
  }

  /**
   * The text behind {@link LoadAnswer#errorUrl}, cut at {@value #MAX_ERROR_LOG_BYTES} bytes. User
   * and password are not sent there.
   *
   * @throws LoadException if it cannot be read
   */
  public String errorLog(String url) {
    String action = "read the error log of a load";
    ServerAddress server;
    URI uri;
    try {
      uri = URI.create(Secrets.withoutUser(url));
      server = ServerAddress.of(uri);
    } catch (IllegalArgumentException e) {
      server = null;
      uri = null;
    }
    boolean downgraded = server != null && frontends.get(0).secure() && !server.secure();
    if (server == null || downgraded || !"/api/_load_error_log".equals(uri.getPath())) {
      throw new LoadException(
          LoadException.Kind.REDIRECT_REFUSED,
          "Cannot %s: its address is not one of a backend%s"
              .formatted(action, downgraded ? " that serves HTTPS" : ""));
    }
    Duration timeout = cluster.requestTimeout();
    try {
      HttpAnswer answer = caller.call(GET, uri, Map.of(), null, MAX_ERROR_LOG_BYTES, timeout);
      refuse(action, answer, LoadException.Kind.UNAVAILABLE);
      if (answer.redirects()) {
        throw new LoadException(
            LoadException.Kind.REDIRECT_REFUSED,
            "Cannot %s: %s redirects it".formatted(action, server));
      }
      return secrets.hide(answer.text());
    } catch (CallException e) {
      checkInterrupt(action, e);
      throw unavailable(action, describe(e), e);
    }
  }

  /** All servers, beginning with the one that answered last. */
  private static List<ServerAddress> inTurn(List<ServerAddress> servers, AtomicInteger first) {
    List<ServerAddress> turn = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      turn.add(servers.get(Math.floorMod(first.get() + i, servers.size())));
    }
    return turn;
  }

  private void remember(List<ServerAddress> servers, ServerAddress server) {
    if (servers == frontends) {
      frontend.set(servers.indexOf(server));
    }
  }

  private static String path(String name) {
    return UrlEscapers.urlPathSegmentEscaper().escape(name);
  }

  /** Breaks off what still runs. */
  @Override
  public void close() {
    caller.close();
  }
}
