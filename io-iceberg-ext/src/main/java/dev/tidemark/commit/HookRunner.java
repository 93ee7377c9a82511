package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import org.apache.iceberg.Table;

/** Runs the caller's code around a commit. */
final class HookRunner {
  private final CommitRequest request;
  private final ImmutableList<CommitHook> hooks;

  HookRunner(CommitRequest request, List<CommitHook> hooks) {
    this.request = request;
    this.hooks = ImmutableList.copyOf(hooks);
  }

  ImmutableMap<String, String> accumulators(List<WriterResult> results) {
    AccumulatorEntries entries = request.accumulatorEntries();
    if (entries == null) {
      return ImmutableMap.of();
    }
    try {
      return ImmutableMap.copyOf(entries.entries(results));
    } catch (RuntimeException e) {
      throw failed("merging accumulators failed", e);
    }
  }

  /** Runs the hooks before a commit, and returns the summary entries they added. */
  ImmutableMap<String, String> before(
      Table table,
      String commitId,
      ImmutableList<WriterResult> results,
      ImmutableMap<String, String> accumulators) {
    HookContext context = new HookContext(table, commitId, results, accumulators, null);
    for (CommitHook hook : hooks) {
      try {
        hook.beforeCommit(context);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failed("interrupted in hook " + hook.getClass().getName(), e);
      } catch (Exception e) {
        throw failed("hook " + hook.getClass().getName() + " refused", e);
      }
    }
    return context.summary();
  }

  /** Runs the hooks after a commit, and adds what they throw. */
  void after(
      Table table,
      String commitId,
      ImmutableList<WriterResult> results,
      ImmutableMap<String, String> accumulators,
      long snapshotId,
      ImmutableList.Builder<Exception> failures) {
    HookContext context = new HookContext(table, commitId, results, accumulators, snapshotId);
    for (CommitHook hook : hooks) {
      try {
        hook.afterCommit(context);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failures.add(e);
      } catch (Exception e) {
        failures.add(e);
      }
    }
  }

  private CommitException failed(String what, Exception cause) {
    return new CommitException(
        CommitException.Kind.HOOK_FAILED,
        "Cannot commit to table %s: %s. Nothing was committed; send the same results again."
            .formatted(request.table(), what),
        cause);
  }
}
