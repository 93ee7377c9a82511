package dev.tidemark.commit;

import java.time.Clock;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Writes table properties that depend on what the table says, without losing a concurrent write.
 *
 * <p>A property update alone is not compared with anything by some catalogs (REST asserts the
 * table's UUID and no more), and Iceberg repeats it blindly on the others. Here a change is
 * computed from one base and lands on that base or not at all: either the catalog compares whole
 * metadata, or an empty snapshot on the branch goes with the change, which every other commit on
 * that branch conflicts with. The kind in use is a property itself. It goes from metadata to
 * snapshot once, in a commit of its own that writes nothing else, so that no writer relies on a
 * fence that another one does not see.
 *
 * <p>An empty snapshot at the head breaks writers of stock IcebergIO 2.67 on the same table.
 */
public final class FencedProperties {
  /** Computes a change from one metadata version of the table. */
  @FunctionalInterface
  public interface Change {
    /** The change; null or empty if nothing is to be written. Called on every attempt. */
    @Nullable PropertyChange from(TableMetadata base);
  }

  private final CommitLoop loop;

  /** Writes with its own clock and its own way to wait. */
  public FencedProperties(TableAccess access, Clock clock, Sleeper sleeper) {
    this.loop = new CommitLoop(access, clock, sleeper);
  }

  /** Writes through a catalog, which stays the caller's. */
  public static FencedProperties of(Catalog catalog) {
    return new FencedProperties(TableAccess.of(catalog), Clock.systemUTC(), Sleeper.threads());
  }

  /**
   * Applies a change, and returns the properties the table then has.
   *
   * @throws CommitException if it could not be applied, or is not known to be
   */
  public Map<String, String> update(TableIdentifier table, String branch, Change change) {
    TidemarkKeys keys = TidemarkKeys.forBranch(branch);
    while (true) {
      Map<String, String> written =
          loop.run(table, operations -> attempt(operations, table, keys, change));
      if (written != null) {
        return written;
      }
    }
  }

  /** One attempt; null after the fence was changed, as the change itself is still to be made. */
  private static @Nullable Map<String, String> attempt(
      PinnedTableOperations operations, TableIdentifier table, TidemarkKeys keys, Change change) {
    TableMetadata base = operations.base();
    PropertyChange wanted = change.from(base);
    if (wanted == null || wanted.isEmpty()) {
      return base.properties();
    }
    FenceKind fence = PropertyWriter.fence(operations, keys);
    if (fence == FenceKind.METADATA) {
      commitMetadata(operations, with(wanted, keys.fence(), fence.text()));
    } else if (fence.text().equals(base.properties().get(keys.fence()))) {
      commitSnapshot(operations, table, keys, wanted);
    } else {
      PropertyChange flip = PropertyChange.builder().set(keys.fence(), fence.text()).build();
      commitSnapshot(operations, table, keys, flip);
      return null;
    }
    return operations.current().properties();
  }

  private static PropertyChange with(PropertyChange change, String key, String value) {
    PropertyChange.Builder builder = PropertyChange.builder();
    change.sets().forEach(builder::set);
    change.removals().forEach(builder::remove);
    return builder.set(key, value).build();
  }

  private static void commitMetadata(PinnedTableOperations operations, PropertyChange change) {
    TableMetadata updated =
        TableMetadata.buildFrom(operations.base())
            .setProperties(change.sets())
            .removeProperties(change.removals())
            .build();
    operations.arm();
    operations.commit(operations.base(), updated);
  }

  private static void commitSnapshot(
      PinnedTableOperations operations,
      TableIdentifier table,
      TidemarkKeys keys,
      PropertyChange change) {
    Transaction transaction = Transactions.newTransaction(table.toString(), operations);
    AppendFiles empty = transaction.newFastAppend().toBranch(keys.branch());
    String note = change.note();
    empty.set(keys.advance(), note == null ? String.join(",", change.sets().keySet()) : note);
    change.summary().forEach(empty::set);
    empty.commit();
    UpdateProperties update = transaction.updateProperties();
    change.sets().forEach(update::set);
    change.removals().forEach(update::remove);
    update.commit();
    operations.arm();
    transaction.commitTransaction();
  }
}
