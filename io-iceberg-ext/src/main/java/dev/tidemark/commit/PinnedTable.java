package dev.tidemark.commit;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.exceptions.CleanableFailure;

/** One attempt's view of a table: a base that does not move, and one commit on it. */
public final class PinnedTable {
  private final PinnedTableOperations operations;
  private final String name;

  PinnedTable(PinnedTableOperations operations, String name) {
    this.operations = operations;
    this.name = name;
  }

  /** The metadata version that the attempt is made on. */
  public TableMetadata base() {
    return operations.base();
  }

  /** The table as it is in that version. */
  public Table view() {
    return new BaseTable(operations, name);
  }

  /** The same table in another of its metadata versions, to read. */
  public PinnedTable at(String metadataFileLocation) {
    TableMetadata version = TableMetadataParser.read(operations.io(), metadataFileLocation);
    return new PinnedTable(new PinnedTableOperations(operations, version), name);
  }

  /** Starts a transaction on that version; its changes are staged until {@link #commit}. */
  public Transaction newTransaction() {
    return Transactions.newTransaction(name, operations);
  }

  /** How property writes of this table are fenced from now on, as property text. */
  public String fence(TidemarkKeys keys) {
    return PropertyWriter.fence(operations, keys).text();
  }

  /**
   * Commits a transaction of {@link #newTransaction}, once. Whatever is thrown has to leave the
   * attempt, which is then made again on a new base; it says "certainly not committed" only if it
   * is a {@link CleanableFailure}.
   */
  public void commit(Transaction transaction) {
    operations.arm();
    transaction.commitTransaction();
  }
}
