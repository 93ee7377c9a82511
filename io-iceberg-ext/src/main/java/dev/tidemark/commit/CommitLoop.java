package dev.tidemark.commit;

import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts at a table, each on a base loaded anew, until one comes to an end.
 *
 * <p>A conflict and an unknown outcome are answered alike: load again, and let the attempt find out
 * from the new base what is left to do. Waits grow by half-jittered doubling within the table's
 * {@code commit.retry.*} properties.
 */
final class CommitLoop {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLoop.class);

  /** One attempt. It looks at the base, and makes at most one compare-and-swap. */
  @FunctionalInterface
  interface Attempt<T> {
    T on(PinnedTableOperations operations);
  }

  private final TableAccess access;
  private final Clock clock;
  private final Sleeper sleeper;

  CommitLoop(TableAccess access, Clock clock, Sleeper sleeper) {
    this.access = access;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  <T> T run(TableIdentifier table, Attempt<T> attempt) {
    Retries retries = new Retries(clock.millis());
    boolean unknown = false;
    for (int failures = 0; ; failures++) {
      RuntimeException failure;
      boolean loaded = false;
      try {
        PinnedTableOperations operations = load(table);
        loaded = true;
        retries.read(operations.base());
        return attempt.on(operations);
      } catch (CommitException e) {
        throw e;
      } catch (PinnedTableOperations.Refused e) {
        throw forbidden(table, e);
      } catch (PinnedTableOperations.OutcomeUnknown e) {
        unknown = true;
        failure = e;
        LOG.warn(
            "Outcome of a commit to table {} is unknown. Looking for it, then trying again",
            table,
            e);
      } catch (ForbiddenException | NotAuthorizedException e) {
        throw forbidden(table, e);
      } catch (NoSuchTableException | NoSuchNamespaceException e) {
        throw missing(table, e);
      } catch (ValidationException | IllegalArgumentException e) {
        if (loaded) {
          throw new CommitException(
              CommitException.Kind.INVALID_FILES,
              "Cannot commit to table %s: %s. Write files for a schema and a partition spec that the table has."
                  .formatted(table, e.getMessage()),
              e);
        }
        failure = e;
      } catch (RuntimeException e) {
        failure = e;
      }
      if (failures >= retries.limit || clock.millis() - retries.startMillis > retries.totalMillis) {
        throw exhausted(table, failure, unknown, failures + 1);
      }
      pause(table, retries.waitMillis(failures), unknown);
    }
  }

  private PinnedTableOperations load(TableIdentifier table) {
    TableOperations operations = access.operations(table);
    PinnedTableOperations pinned =
        new PinnedTableOperations(operations, access.comparesWholeMetadata(operations));
    if (pinned.base() == null) {
      throw missing(table, null);
    }
    return pinned;
  }

  private void pause(TableIdentifier table, long millis, boolean unknown) {
    try {
      sleeper.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommitException(
          unknown ? CommitException.Kind.UNKNOWN_OUTCOME : CommitException.Kind.INTERRUPTED,
          "Cannot commit to table %s: interrupted between attempts%s. Send the same results again."
              .formatted(table, unknown ? "; an earlier attempt may have landed" : ""),
          e);
    }
  }

  private static CommitException exhausted(
      TableIdentifier table, RuntimeException failure, boolean unknown, int attempts) {
    if (unknown) {
      return new CommitException(
          CommitException.Kind.UNKNOWN_OUTCOME,
          "Cannot tell whether the commit to table %s landed, after %d attempts. Nothing was deleted; send the same results again."
              .formatted(table, attempts),
          failure);
    }
    if (failure instanceof PinnedTableOperations.Conflict) {
      return new CommitException(
          CommitException.Kind.CONFLICT,
          "Cannot commit to table %s: other commits won %d attempts. Send the same results again, or raise %s."
              .formatted(table, attempts, TableProperties.COMMIT_NUM_RETRIES),
          failure);
    }
    return new CommitException(
        CommitException.Kind.UNAVAILABLE,
        "Cannot commit to table %s: catalog or storage failed in %d attempts. Nothing was committed; send the same results again."
            .formatted(table, attempts),
        failure);
  }

  private static CommitException forbidden(TableIdentifier table, RuntimeException cause) {
    return new CommitException(
        CommitException.Kind.FORBIDDEN,
        "Cannot change table %s: the catalog refuses it. Grant this principal the right to commit and to set properties."
            .formatted(table),
        cause);
  }

  private static CommitException missing(TableIdentifier table, @Nullable RuntimeException cause) {
    return new CommitException(
        CommitException.Kind.TABLE_MISSING,
        "Cannot commit to table %s: it does not exist. Restore it, or take it out of the pipeline."
            .formatted(table),
        cause);
  }

  /** How often and how long, by the table's own properties. */
  private static final class Retries {
    private final long startMillis;
    private int limit = TableProperties.COMMIT_NUM_RETRIES_DEFAULT;
    private long minMillis = TableProperties.COMMIT_MIN_RETRY_WAIT_MS_DEFAULT;
    private long maxMillis = TableProperties.COMMIT_MAX_RETRY_WAIT_MS_DEFAULT;
    private long totalMillis = TableProperties.COMMIT_TOTAL_RETRY_TIME_MS_DEFAULT;

    Retries(long startMillis) {
      this.startMillis = startMillis;
    }

    void read(TableMetadata base) {
      limit =
          base.propertyAsInt(
              TableProperties.COMMIT_NUM_RETRIES, TableProperties.COMMIT_NUM_RETRIES_DEFAULT);
      minMillis =
          base.propertyAsLong(
              TableProperties.COMMIT_MIN_RETRY_WAIT_MS,
              TableProperties.COMMIT_MIN_RETRY_WAIT_MS_DEFAULT);
      maxMillis =
          base.propertyAsLong(
              TableProperties.COMMIT_MAX_RETRY_WAIT_MS,
              TableProperties.COMMIT_MAX_RETRY_WAIT_MS_DEFAULT);
      totalMillis =
          base.propertyAsLong(
              TableProperties.COMMIT_TOTAL_RETRY_TIME_MS,
              TableProperties.COMMIT_TOTAL_RETRY_TIME_MS_DEFAULT);
    }

    long waitMillis(int failures) {
      long wait = Math.min(maxMillis, minMillis << Math.min(failures, 20));
      return Math.round(wait * (0.5 + ThreadLocalRandom.current().nextDouble() / 2));
    }
  }
}
