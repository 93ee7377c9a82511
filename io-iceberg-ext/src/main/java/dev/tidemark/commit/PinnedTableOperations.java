package dev.tidemark.commit;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * One attempt at a table: a base that does not move, and one compare-and-swap on it.
 *
 * <p>Iceberg answers a conflict by applying the same change to the refreshed table, without looking
 * whether it still makes sense there. Nothing that this class throws is a {@link
 * CommitFailedException}, so that this never happens. Iceberg also deletes the manifests of an
 * attempt after any failure marked as cleanable, even where the attempt may have landed (a resent
 * request that is answered "conflict" or "unavailable"); only a conflict that was looked into is
 * marked so here.
 */
final class PinnedTableOperations implements TableOperations {
  private final TableOperations delegate;
  private final boolean comparesWholeMetadata;
  private final TableMetadata base;
  private @Nullable TableMetadata committed;
  private boolean armed;

  PinnedTableOperations(TableOperations delegate, boolean comparesWholeMetadata) {
    this.delegate = delegate;
    this.comparesWholeMetadata = comparesWholeMetadata;
    // Loaded just now: asking again would cost another request and tell nothing more.
    this.base = delegate.current();
  }

  /** The same table at another metadata version, which nothing can be committed on. */
  PinnedTableOperations(PinnedTableOperations other, TableMetadata base) {
    this.delegate = other.delegate;
    this.comparesWholeMetadata = other.comparesWholeMetadata;
    this.base = base;
  }

  /** The pinned base; null if the table is gone. */
  TableMetadata base() {
    return base;
  }

  boolean comparesWholeMetadata() {
    return comparesWholeMetadata;
  }

  /** Lets the next commit through, once. */
  void arm() {
    armed = true;
  }

  @Override
  public TableMetadata current() {
    return committed == null ? base : committed;
  }

  @Override
  public TableMetadata refresh() {
    return current();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a base is one loaded object, as in every TableOperations
  public void commit(TableMetadata expected, TableMetadata metadata) {
    if (!armed) {
      throw new IllegalStateException(
          "Cannot change the table here: a commit is being prepared. Change it outside of the hook.");
    }
    armed = false;
    if (expected != base) {
      throw new IllegalStateException("Cannot commit: the change was not made on the pinned base");
    }
    try {
      delegate.commit(expected, metadata);
    } catch (CommitFailedException e) {
      throw conflict(e, metadata);
    } catch (ForbiddenException | NotAuthorizedException e) {
      throw new Refused(e);
    } catch (RuntimeException e) {
      throw new OutcomeUnknown(e);
    }
    committed = metadata;
  }

  private RuntimeException conflict(CommitFailedException failure, TableMetadata metadata) {
    // A cause means that something else went wrong than the comparison: a rename, for instance,
    // that may have happened.
    if (!comparesWholeMetadata || failure.getCause() != null) {
      return new Conflict(failure);
    }
    try {
      TableMetadata now = delegate.refresh();
      boolean landed =
          metadata.snapshots().stream()
              .map(snapshot -> snapshot.snapshotId())
              .filter(id -> base.snapshot(id) == null)
              .anyMatch(id -> now == null || now.snapshot(id) != null);
      return landed ? new Conflict(failure) : new CleanConflict(failure);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return new Conflict(failure);
    }
  }

  @Override
  public FileIO io() {
    return delegate.io();
  }

  @Override
  public EncryptionManager encryption() {
    return delegate.encryption();
  }

  @Override
  public String metadataFileLocation(String fileName) {
    return delegate.metadataFileLocation(fileName);
  }

  @Override
  public LocationProvider locationProvider() {
    return delegate.locationProvider();
  }

  @Override
  public TableOperations temp(TableMetadata uncommitted) {
    return delegate.temp(uncommitted);
  }

  @Override
  public long newSnapshotId() {
    return delegate.newSnapshotId();
  }

  /** The base is not current any more, or the attempt is reported to have lost. */
  static class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Conflict(RuntimeException cause) {
      super(cause);
    }
  }

  /** A conflict after which the attempt's snapshot was seen not to be there. */
  static final class CleanConflict extends Conflict implements CleanableFailure {
    private static final long serialVersionUID = 1L;

    CleanConflict(RuntimeException cause) {
      super(cause);
    }
  }

  /** The catalog does not let this principal make this change. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(RuntimeException cause) {
      super(cause);
    }
  }

  /** The attempt may have landed, or may land yet. */
  static final class OutcomeUnknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutcomeUnknown(RuntimeException cause) {
      super(cause);
    }
  }
}
