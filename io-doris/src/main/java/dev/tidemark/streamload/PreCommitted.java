package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import java.io.Serializable;

/** A transaction that waits for its commit. It is gone when the server's time for that is over. */
@AutoValue
public abstract class PreCommitted implements Serializable {
  private static final long serialVersionUID = 1L;

  PreCommitted() {}

  /** Database of the table. */
  public abstract String database();

  /** The table. */
  public abstract String table();

  /** The load's label. */
  public abstract String label();

  /** The transaction. */
  public abstract long transactionId();

  /** Rows loaded. */
  public abstract long rows();

  /** Bytes of the body. */
  public abstract long bytes();

  /** A transaction, as {@link TwoPhaseProtocol#preCommit} returned it. */
  public static PreCommitted of(
      String database, String table, String label, long transactionId, long rows, long bytes) {
    return new AutoValue_PreCommitted(database, table, label, transactionId, rows, bytes);
  }
}
