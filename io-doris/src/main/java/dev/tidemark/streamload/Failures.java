package dev.tidemark.streamload;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.Set;

/** Turns failed attempts into verdicts and exceptions. */
final class Failures {
  private Failures() {}

  /** What to do after an attempt that threw. */
  static Verdict verdict(LoadException failure) {
    return switch (failure.kind()) {
      case UNKNOWN_OUTCOME, UNREADABLE_ANSWER -> Verdict.SETTLE;
      case UNAVAILABLE -> Verdict.RETRY;
      case OVERLOADED -> Verdict.SLOW;
      case REJECTED -> Verdict.REJECT;
      case REFUSED,
          UNAUTHORIZED,
          LABEL_CONFLICT,
          REWOUND,
          LOST_TRANSACTION,
          REDIRECT_REFUSED,
          DISOBEYED,
          INTERRUPTED ->
          Verdict.FATAL;
    };
  }

  /** What to do after a backend said that a load failed. */
  static Verdict verdict(LoadRequest request, LoadAnswer answer) {
    // The label is the user's words, not the server's.
    return Messages.verdict(answer.message().replace(request.label(), ""));
  }

  /** The exception for a load that a backend said failed. */
  static LoadException failed(
      StreamLoadClient client, LoadRequest request, LoadAnswer answer, Verdict verdict) {
    String action =
        "load into table %s.%s with label %s"
            .formatted(request.database(), request.table(), request.label());
    if (verdict == Verdict.REJECT) {
      return rejected(client, request, answer);
    }
    String reason = "Cannot %s: %s".formatted(action, answer.message());
    if (verdict == Verdict.FATAL) {
      return Messages.denies(answer.message())
          ? new LoadException(
              LoadException.Kind.UNAUTHORIZED, reason + ". Grant the user LOAD on the table.")
          : new LoadException(LoadException.Kind.REFUSED, reason);
    }
    return new LoadException(
        verdict == Verdict.SLOW ? LoadException.Kind.OVERLOADED : LoadException.Kind.UNAVAILABLE,
        reason);
  }

  private static RejectedException rejected(
      StreamLoadClient client, LoadRequest request, LoadAnswer answer) {
    String log = "";
    String trouble = "";
    String url = answer.errorUrl();
    if (url != null) {
      try {
        log = client.errorLog(url);
      } catch (LoadException e) {
        // Reasons are a comfort; that the load was rejected is certain without them.
        trouble = " Its error log could not be read: " + e.getMessage() + ".";
      }
    }
    if (log.isBlank()) {
      log = answer.firstError();
    }
    ImmutableList<String> reasons =
        ImmutableList.copyOf(
            Splitter.onPattern("\r?\n").omitEmptyStrings().trimResults().split(log));
    Set<String> columns = Messages.columnsIn(reasons);
    return new RejectedException(
        "Cannot load into table %s.%s with label %s: the server filtered %d of %d rows%s. Nothing was loaded; mend the rows, route them elsewhere, or allow a share of them by the header max_filter_ratio.%s"
            .formatted(
                request.database(),
                request.table(),
                request.label(),
                answer.filteredRows(),
                answer.totalRows(),
                columns.isEmpty() ? "" : "; its log names the columns " + columns,
                trouble),
        request.label(),
        answer.totalRows(),
        answer.filteredRows(),
        reasons);
  }

  /** Checks that a successful load was done as asked; a server may drop a label or a mode. */
  static void checkObeyed(StreamLoadClient client, LoadRequest request, LoadAnswer answer) {
    boolean labelKept = answer.label().equals(request.label());
    if (labelKept && answer.twoPhase() == request.twoPhase()) {
      return;
    }
    String undone = "Its rows are in the table";
    if (answer.twoPhase() && answer.transactionId() >= 0) {
      client.abort(request.database(), answer.transactionId());
      undone = "Its transaction was aborted";
    }
    throw new LoadException(
        LoadException.Kind.DISOBEYED,
        "Cannot load into table %s.%s with label %s: the server loaded it %s. %s. Look for a proxy that drops headers, and for group commit on the table."
            .formatted(
                request.database(),
                request.table(),
                request.label(),
                labelKept
                    ? "without regard to two_phase_commit"
                    : "under label '" + answer.label() + "'",
                undone));
  }
}
