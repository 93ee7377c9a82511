package dev.tidemark.commit;

import java.time.Clock;
import java.util.List;
import org.apache.iceberg.catalog.Catalog;

/**
 * Commits results exactly once: a result that the table holds is recognised, and one that does not
 * follow on what it holds is refused.
 *
 * <p>Each attempt loads the table anew, drops what this very base holds already, runs the hooks and
 * makes one compare-and-swap of files, summary and properties. An unknown outcome is not a failure:
 * no file is deleted, the next attempt finds out. So a request may be sent again at any time, by
 * any process, grouped differently, and the outcome names the snapshots that hold its results
 * either way.
 *
 * <p>Thread-safe. It keeps no state between requests.
 */
public final class CommitProtocol {
  private final CommitLoop loop;
  private final Clock clock;

  /** A protocol with its own clock and its own way to wait. */
  public CommitProtocol(TableAccess access, Clock clock, Sleeper sleeper) {
    this.loop = new CommitLoop(access, clock, sleeper);
    this.clock = clock;
  }

  /** A protocol for a catalog, which stays the caller's. */
  public static CommitProtocol of(Catalog catalog) {
    return new CommitProtocol(TableAccess.of(catalog), Clock.systemUTC(), Sleeper.threads());
  }

  /**
   * Commits the results that the table does not hold yet.
   *
   * @throws CommitException if they are not committed, or not known to be; {@link
   *     CommitException#permanent()} tells whether sending them again can help
   */
  public CommitOutcome commit(CommitRequest request, List<CommitHook> hooks) {
    TidemarkKeys keys = TidemarkKeys.forBranch(request.branch());
    return run(request, keys, new StreamLedger(request, keys), hooks);
  }

  /**
   * Commits a batch under the name of its run and window, the first attempt of which wins: files of
   * later ones are reported in {@link CommitOutcome#orphanFiles()}. For runners without
   * checkpoints, where a retry makes new files. The sequences of the results number them within the
   * request.
   *
   * @param runId identifies the run across retries, such as an id fixed when the pipeline is
   *     constructed
   * @param window identifies the window within the run; {@code all} where there is one
   * @throws CommitException as {@link #commit} does
   * @throws IllegalArgumentException if run id or window are invalid
   */
  public CommitOutcome commitBatch(
      CommitRequest request, String runId, String window, List<CommitHook> hooks) {
    TidemarkKeys keys = TidemarkKeys.forBranch(request.branch());
    return run(request, keys, new BatchLedger(request, keys, runId, window), hooks);
  }

  private CommitOutcome run(
      CommitRequest request, TidemarkKeys keys, Ledger ledger, List<CommitHook> hooks) {
    if (request.results().isEmpty()) {
      return CommitOutcome.builder().build();
    }
    CommitAttempt attempt =
        new CommitAttempt(request, keys, ledger, new HookRunner(request, hooks), clock);
    return loop.run(request.table(), attempt);
  }
}
