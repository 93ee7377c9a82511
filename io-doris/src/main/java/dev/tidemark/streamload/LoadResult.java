package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import java.io.Serializable;

/** A load whose rows are, or will certainly be, visible in the table. */
@AutoValue
public abstract class LoadResult implements Serializable {
  private static final long serialVersionUID = 1L;

  LoadResult() {}

  /** The load's label. */
  public abstract String label();

  /** The transaction, or -1 if the load was found done and its number is not known. */
  public abstract long transactionId();

  /** Rows loaded, or -1 if the load was found done. */
  public abstract long loadedRows();

  /** Bytes of the body. */
  public abstract long bytes();

  /** How often the body was sent. */
  public abstract int attempts();

  /** Whether an earlier attempt turned out to have loaded it. */
  public abstract boolean foundDone();

  /** From the first attempt to the end. */
  public abstract long durationMillis();

  static LoadResult of(
      String label,
      long transactionId,
      long loadedRows,
      long bytes,
      int attempts,
      boolean foundDone,
      long durationMillis) {
    return new AutoValue_LoadResult(
        label, transactionId, loadedRows, bytes, attempts, foundDone, durationMillis);
  }
}
