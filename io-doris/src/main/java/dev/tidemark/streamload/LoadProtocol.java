package dev.tidemark.streamload;

import java.time.Clock;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads that are visible at once, made idempotent by labels that name their content.
 *
 * <p>Each attempt uses the request's label, so the server itself takes no load twice. An attempt
 * whose outcome is not known is settled by the label's state before the next one. A label found
 * committed is success only if it carries the digest of this very content ({@link
 * Labels#forContent}); under another one, something else is in the table. Thread-safe.
 */
public final class LoadProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(LoadProtocol.class);

  private final StreamLoadClient client;
  private final RetryPolicy policy;
  private final LoadListener listener;
  private final Clock clock;
  private final Sleeper sleeper;

  private LoadProtocol(
      StreamLoadClient client,
      RetryPolicy policy,
      LoadListener listener,
      Clock clock,
      Sleeper sleeper) {
    this.client = client;
    this.policy = policy;
    this.listener = listener;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** A protocol that waits as this policy says. */
  public static LoadProtocol of(
      StreamLoadClient client,
      RetryPolicy policy,
      LoadListener listener,
      Clock clock,
      Sleeper sleeper) {
    return new LoadProtocol(client, policy, listener, clock, sleeper);
  }

  /**
   * Loads, and returns when the rows are, or will certainly be, visible.
   *
   * @throws RejectedException if rows were filtered
   * @throws LoadException otherwise; its kind says whether to make the same request again
   */
  public LoadResult load(LoadRequest request) {
    if (request.twoPhase()) {
      throw new IllegalArgumentException(
          "Cannot load with label %s: the request is one for two phases"
              .formatted(request.label()));
    }
    Attempts attempts =
        new Attempts(
            policy,
            listener,
            clock,
            sleeper,
            "load into table %s.%s with label %s"
                .formatted(request.database(), request.table(), request.label()));
    while (true) {
      attempts.begin();
      LoadResult result = attempt(request, attempts);
      if (result != null) {
        return result;
      }
    }
  }

  /** Null if another attempt is to be made; it has waited for that. */
  private @Nullable LoadResult attempt(LoadRequest request, Attempts attempts) {
    LoadAnswer answer;
    try {
      answer = client.load(request);
    } catch (LoadException e) {
      Verdict verdict = Failures.verdict(e);
      if (verdict == Verdict.FATAL) {
        throw e;
      }
      LOG.warn("Attempt {} failed ({}): {}", attempts.made(), verdict, e.getMessage());
      if (verdict == Verdict.SETTLE) {
        return settle(request, attempts, e);
      }
      attempts.pause(verdict, e);
      return null;
    }
    return switch (answer.status()) {
      case SUCCESS, PUBLISH_TIMEOUT -> {
        Failures.checkObeyed(client, request, answer);
        yield result(request, attempts, answer.transactionId(), answer.loadedRows(), false);
      }
      case LABEL_ALREADY_EXISTS -> labelTaken(request, attempts, answer);
      case FAIL -> {
        Verdict verdict = Failures.verdict(request, answer);
        LoadException failure = Failures.failed(client, request, answer, verdict);
        if (failure.permanent()) {
          throw failure;
        }
        LOG.warn("Attempt {} failed ({}): {}", attempts.made(), verdict, failure.getMessage());
        if (verdict == Verdict.SETTLE) {
          yield settle(request, attempts, failure);
        }
        attempts.pause(verdict, failure);
        yield null;
      }
    };
  }

  private @Nullable LoadResult labelTaken(
      LoadRequest request, Attempts attempts, LoadAnswer answer) {
    LoadException taken =
        new LoadException(
            LoadException.Kind.UNKNOWN_OUTCOME,
            "Label %s of database %s is in use: %s"
                .formatted(request.label(), request.database(), answer.message()));
    return switch (answer.existingJobStatus()) {
      case "FINISHED" ->
          committed(request, attempts, Messages.transactionOfLabel(answer.message()));
      case "PRECOMMITTED" -> throw preCommitted(request);
      default -> settle(request, attempts, taken);
    };
  }

  /** Finds out from the label what an attempt came to; null if it is to be made again. */
  private @Nullable LoadResult settle(
      LoadRequest request, Attempts attempts, LoadException failure) {
    attempts.outcomeUnknown();
    LabelState state;
    try {
      state = Settling.await(client, request.database(), request.label(), attempts);
    } catch (LoadException e) {
      Verdict verdict = Failures.verdict(e);
      if (verdict == Verdict.FATAL) {
        throw e;
      }
      // The same label again finds out as well.
      attempts.pause(verdict, e);
      return null;
    }
    listener.settled(state);
    LOG.info("Label {} of database {} is {}", request.label(), request.database(), state);
    return switch (state) {
      case COMMITTED, VISIBLE -> committed(request, attempts, null);
      case PRECOMMITTED -> throw preCommitted(request);
      case UNKNOWN, ABORTED -> {
        attempts.outcomeKnown();
        attempts.pause(Verdict.SETTLE, failure);
        yield null;
      }
      case PREPARE -> {
        attempts.pause(Verdict.SETTLE, failure);
        yield null;
      }
    };
  }

  private LoadResult committed(
      LoadRequest request, Attempts attempts, @Nullable Long transactionId) {
    if (!Labels.carriesContent(request)) {
      throw new LoadException(
          LoadException.Kind.LABEL_CONFLICT,
          "Cannot load into table %s.%s: label %s is committed, and its content is not known to be this one's. Use another label prefix, or labels that carry the content's digest."
              .formatted(request.database(), request.table(), request.label()));
    }
    return result(request, attempts, transactionId == null ? -1 : transactionId, -1, true);
  }

  private static LoadException preCommitted(LoadRequest request) {
    return new LoadException(
        LoadException.Kind.LABEL_CONFLICT,
        "Cannot load into table %s.%s: a transaction under label %s waits for its commit, and this load has none. Let the pipeline that opened it end, or use another label prefix."
            .formatted(request.database(), request.table(), request.label()));
  }

  private static LoadResult result(
      LoadRequest request, Attempts attempts, long transactionId, long rows, boolean foundDone) {
    return LoadResult.of(
        request.label(),
        transactionId,
        rows,
        request.bodyBytes(),
        attempts.made(),
        foundDone,
        attempts.elapsedMillis());
  }
}
