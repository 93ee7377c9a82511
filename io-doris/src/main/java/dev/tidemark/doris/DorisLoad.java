package dev.tidemark.doris;

import com.google.auto.value.AutoValue;

/** A load whose rows are, or will certainly be, visible in the table. */
@AutoValue
public abstract class DorisLoad {
  DorisLoad() {}

  /** The database. */
  public abstract String database();

  /** The table. */
  public abstract String table();

  /** The load's label, unique within the database. */
  public abstract String label();

  /** Doris' number of the transaction, or -1 if the load was found done under its label. */
  public abstract long transactionId();

  /** Rows sent, deletes among them. */
  public abstract long rows();

  /** How many of the rows were deletes. */
  public abstract long deletes();

  /** Bytes sent. */
  public abstract long bytes();

  /** Milliseconds from the first attempt to the last answer; of a commit, without the load. */
  public abstract long durationMillis();

  /** Whether an earlier attempt turned out to have done it. */
  public abstract boolean replayed();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder database(String database);

    abstract Builder table(String table);

    abstract Builder label(String label);

    abstract Builder transactionId(long id);

    abstract Builder rows(long rows);

    abstract Builder deletes(long deletes);

    abstract Builder bytes(long bytes);

    abstract Builder durationMillis(long millis);

    abstract Builder replayed(boolean replayed);

    abstract DorisLoad build();
  }

  static Builder builder() {
    return new AutoValue_DorisLoad.Builder();
  }
}
