package dev.tidemark.commit;

/** Code of the caller that runs before and after a commit. */
public interface CommitHook {
  /**
   * Runs on every attempt, with what that attempt is about to commit. It may read the table and add
   * summary entries. Throwing aborts: nothing is committed, and the request may be sent again.
   */
  void beforeCommit(CommitContext context) throws Exception;

  /**
   * Runs after the commit, at least once per commit: also for one that an earlier request made.
   * What it throws is reported in {@link CommitOutcome#hookFailures()}; the commit stays.
   */
  default void afterCommit(CommitContext context) throws Exception {}
}
