package dev.tidemark.commit;

import java.time.Clock;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Commits that are a compare-and-swap on a base that was looked at: after a conflict or an unknown
 * outcome the table is loaded anew, and the attempt finds out from the new base what is left to do.
 *
 * <p>Thread-safe. It keeps no state between runs.
 */
public final class PinnedCommits {
  /** One attempt. It looks at the base, and commits at most once. */
  @FunctionalInterface
  public interface Attempt<T> {
    /** Makes the attempt; what it returns ends the run. */
    T on(PinnedTable table);
  }

  private final CommitLoop loop;

  /** Commits with its own clock and its own way to wait. */
  public PinnedCommits(TableAccess access, Clock clock, Sleeper sleeper) {
    this.loop = new CommitLoop(access, clock, sleeper);
  }

  /**
   * Makes attempts until one comes to an end, within the table's {@code commit.retry.*} properties.
   *
   * @throws CommitException if none does
   */
  public <T> T run(TableIdentifier table, Attempt<T> attempt) {
    return loop.run(table, operations -> attempt.on(new PinnedTable(operations, table.toString())));
  }
}
