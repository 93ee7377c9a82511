package dev.tidemark.doris.emulator;

import dev.tidemark.doris.emulator.Fault.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One load at a backend, from its headers to its answer. */
final class Load {

  private static final Pattern LABEL = Pattern.compile("^[-_A-Za-z0-9:]{1,128}$");
  private static final List<String> FORMATS = List.of("csv", "json", "arrow");
  private static final Duration UNREAD = Duration.ofSeconds(10);

  private final Exchange exchange;
  private final RequestHead head;
  private final Call call;
  private final @Nullable Fault fault;
  private final Settings settings;
  private final Cluster cluster;
  private final ErrorLogs errorLogs;
  private final boolean groupCommit;
  private final boolean twoPhase;
  private final String label;
  private final long started = System.nanoTime();

  Load(
      Exchange exchange,
      Call call,
      @Nullable Fault fault,
      Settings settings,
      Cluster cluster,
      ErrorLogs errorLogs) {
    this.exchange = exchange;
    this.head = exchange.head();
    this.call = call;
    this.fault = fault;
    this.settings = settings;
    this.cluster = cluster;
    this.errorLogs = errorLogs;
    this.twoPhase = "true".equals(head.header("two_phase_commit"));
    this.groupCommit = groupCommit();
    this.label = label();
  }

  private boolean groupCommit() {
    String mode = head.header("group_commit", "off_mode").toLowerCase(Locale.ROOT);
    return (mode.equals("async_mode") || mode.equals("sync_mode"))
        && !twoPhase
        && !head.isTrue("partial_columns");
  }

  private String label() {
    boolean dropped =
        settings.dropLabelOfChunked()
            && head.chunked()
            && !head.header("group_commit", "").equalsIgnoreCase("off_mode");
    String given = dropped ? null : head.header("label");
    if (given != null && !given.isEmpty()) {
      return given;
    }
    return groupCommit ? "group_commit_" + UUID.randomUUID() : UUID.randomUUID().toString();
  }

  /** Does the load and returns its answer, or null if the connection has had its end. */
  @Nullable Response answer() throws IOException {
    LoadAnswer refused = checkHeaders();
    if (refused != null) {
      return Response.load(refused);
    }
    if (fault != null && fault.kind() == Kind.FAIL) {
      return Response.load(answer(-1).fail(fault.text()));
    }
    Transaction transaction;
    try {
      transaction =
          cluster.begin(call.database(), call.table(), label, twoPhase, Backend.timeout(head));
    } catch (LabelUsedException e) {
      return Response.load(answer(-1).labelUsed(e));
    } catch (LoadFailedException e) {
      return Response.load(answer(-1).fail(e.getMessage()));
    }
    return load(transaction);
  }

  /** What is wrong with the headers, in the order in which a backend looks, or null. */
  private @Nullable LoadAnswer checkHeaders() throws IOException {
    String problem = problem();
    return problem == null ? null : answer(-1).fail(problem);
  }

  private @Nullable String problem() throws IOException {
    String group = head.header("group_commit", "").toLowerCase(Locale.ROOT);
    if (!List.of("", "off_mode", "async_mode", "sync_mode").contains(group)) {
      return "[INVALID_ARGUMENT]group_commit can only be [async_mode, sync_mode, off_mode]";
    }
    if (groupCommit && head.header("label") != null) {
      return "[INVALID_ARGUMENT]label and group_commit can't be set at the same time";
    }
    Call.Credentials credentials = Call.Credentials.of(head);
    if (credentials == null) {
      return "[NOT_AUTHORIZED]no valid Basic authorization";
    }
    String format = head.header("format", "csv").toLowerCase(Locale.ROOT);
    if (!FORMATS.contains(format)) {
      return "[INTERNAL_ERROR]unknown data format, format=" + head.header("format");
    }
    long length = head.contentLength();
    if (length > settings.maxBodyBytes()) {
      return "[INTERNAL_ERROR]body size "
          + length
          + " exceed BE's conf `streaming_load_max_mb` "
          + settings.maxBodyBytes() / (1 << 20)
          + ". increase it if you are sure this load is reasonable";
    }
    if (length < 0 && !head.chunked()) {
      return "[INVALID_ARGUMENT]content_length is empty and transfer-encoding!=chunked, please set"
          + " content_length or transfer-encoding=chunked";
    }
    if (length >= 0 && head.chunked()) {
      return "[INVALID_ARGUMENT]please do not set both content_length and transfer-encoding";
    }
    if (!head.header("timeout", "1").matches("\\d{1,9}")) {
      return "[INVALID_ARGUMENT]Invalid timeout format";
    }
    if (!credentials.match(settings)) {
      return "[NOT_AUTHORIZED]TStatus: errCode = 2, detailMessage = Access denied for user '"
          + credentials.user()
          + "'@'127.0.0.1' (using password: YES)";
    }
    if (!LABEL.matcher(label).matches()) {
      return "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = Label format error. regex: "
          + LABEL
          + ", label: "
          + label;
    }
    return null;
  }

  private @Nullable Response load(Transaction transaction) throws IOException {
    try {
      LoadPlan plan = plan();
      Response answer = fault == null ? null : meet(fault, transaction, plan);
      return answer == null && exchange.isOpen() ? finish(transaction, plan) : answer;
    } catch (LoadFailedException e) {
      cluster.abortLoad(transaction, e.getMessage());
      return Response.load(failure(transaction, e.getMessage()));
    } catch (RejectedRowsException e) {
      cluster.abortLoad(transaction, e.getMessage());
      return Response.load(rejection(transaction, e));
    } catch (RefusedException e) {
      cluster.addViolation(e.getMessage());
      cluster.abortLoad(transaction, e.getMessage());
      return Response.load(
          failure(transaction, "[INTERNAL_ERROR]Refused by the emulator: " + e.getMessage()));
    } catch (IOException | RuntimeException e) {
      cluster.abortLoad(transaction, "connection lost");
      throw e;
    }
  }

  private LoadPlan plan() throws LoadFailedException {
    TableDefinition table = cluster.definition(call.database(), call.table());
    if (table == null) {
      throw LoadFailedException.analysis("unknown table, tableName=" + call.table());
    }
    if (twoPhase && settings.twoPhaseUnsupported() && table.mergeOnWrite()) {
      throw LoadFailedException.internal("stream load 2pc is unsupported for mow table");
    }
    return LoadPlan.of(table, head, settings.arrow().matching());
  }

  /**
   * Lets a fault happen that takes the place of the load.
   *
   * @return the answer, or null if there is none, or if the load goes on
   */
  private @Nullable Response meet(Fault what, Transaction transaction, LoadPlan plan)
      throws IOException {
    switch (what.kind()) {
      case RESET -> {
        readSome(what);
        cluster.abortLoad(transaction, "connection reset");
        exchange.reset();
      }
      case CRASH -> {
        readSome(what);
        cluster.finishAfterPolls(
            transaction,
            what.polls(),
            () -> cluster.abortLoad(transaction, "coordinate BE is down"));
        exchange.reset();
      }
      case EARLY_ANSWER -> {
        exchange.sendContinue();
        readSome(what);
        cluster.abortLoad(transaction, what.text());
        exchange.write(Response.load(answer(transaction.id).fail(what.text())).bytes());
        exchange.finishUnread(UNREAD);
      }
      case LABEL_RACE -> {
        return race(what, transaction, plan);
      }
      default -> {}
    }
    return null;
  }

  private void readSome(Fault what) throws IOException {
    if (what.bytes() > 0) {
      exchange.sendContinue();
      exchange.readBody(what.bytes());
    }
  }

  /** Lets the load go on as that of another client, and tells this one that it is running. */
  private Response race(Fault what, Transaction transaction, LoadPlan plan) throws IOException {
    exchange.sendContinue();
    byte[] bytes = exchange.readBody(settings.maxBodyBytes()).bytes();
    Runnable end = () -> cluster.abortLoad(transaction, "connection reset");
    if (what.commits()) {
      try {
        LoadedContent content = new BodyReader(plan, head, settings).read(bytes);
        end = () -> finishQuietly(transaction, content);
      } catch (LoadFailedException | RefusedException | RejectedRowsException e) {
        String reason = e.getMessage();
        end = () -> cluster.abortLoad(transaction, reason);
      }
    }
    cluster.finishAfterPolls(transaction, what.polls(), end);
    return Response.load(
        answer(-1)
            .labelUsed(new LabelUsedException(label, transaction.id, TransactionState.PREPARE)));
  }

  private void finishQuietly(Transaction transaction, LoadedContent content) {
    try {
      cluster.finishLoad(transaction, content, false);
    } catch (LoadFailedException e) {
      cluster.abortLoad(transaction, e.getMessage());
    }
  }

  /** Reads the body, and commits or pre-commits what it has. */
  private @Nullable Response finish(Transaction transaction, LoadPlan plan)
      throws IOException, LoadFailedException, RefusedException, RejectedRowsException {
    if (fault == null || fault.kind() != Kind.NO_CONTINUE) {
      exchange.sendContinue();
    }
    RequestBody body = exchange.readBody(settings.maxBodyBytes());
    if (body.end() == RequestBody.End.TOO_LONG) {
      cluster.abortLoad(transaction, "body exceeds streaming_load_max_mb");
      exchange.reset();
      return null;
    }
    if (body.end() == RequestBody.End.SHORT) {
      throw LoadFailedException.internal(
          "receive body don't equal with body bytes, body_bytes="
              + head.contentLength()
              + ", receive_bytes="
              + body.bytes().length
              + ", id="
              + transaction.id);
    }
    if (fault != null && fault.kind() == Kind.FAIL_LOAD) {
      throw new LoadFailedException(fault.text());
    }
    LoadedContent content = new BodyReader(plan, head, settings).read(body.bytes());
    if (plan.partial()) {
      cluster.checkPartial(transaction, content.rows(), newKeysFail());
    }
    boolean publishLate = fault != null && fault.kind() == Kind.PUBLISH_TIMEOUT;
    cluster.finishLoad(transaction, content, publishLate);
    LoadAnswer answer =
        answer(transaction.id)
            .counts(content.total(), content.filtered(), content.bytes(), millis());
    return Response.load(publishLate && !twoPhase ? answer.publishTimeout() : answer);
  }

  private boolean newKeysFail() {
    return head.header("partial_update_new_key_behavior", "").equalsIgnoreCase("ERROR");
  }

  private LoadAnswer rejection(Transaction transaction, RejectedRowsException e) {
    RowCollector rows = e.rows();
    String path = errorLogs.add(rows.errors(), transaction.id);
    return answer(transaction.id)
        .fail(e.getMessage())
        .counts(rows.total(), rows.filtered(), exchange.bodyBytes(), millis())
        .errors("http://" + exchange.localAddress() + path, rows.errors().get(0));
  }

  private LoadAnswer failure(Transaction transaction, String message) {
    return answer(transaction.id).fail(message).counts(0, 0, exchange.bodyBytes(), millis());
  }

  private LoadAnswer answer(long txnId) {
    LoadAnswer answer = new LoadAnswer(txnId, label, head.header("comment"), twoPhase);
    return groupCommit ? answer.groupCommit() : answer;
  }

  private long millis() {
    return (System.nanoTime() - started) / 1_000_000;
  }
}
