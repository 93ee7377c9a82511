package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A backend's answer to a load. Texts have no credentials in them, but may have values of rows. */
@AutoValue
public abstract class LoadAnswer {
  LoadAnswer() {}

  /** How the load ended. */
  public abstract LoadStatus status();

  /** The transaction, or -1 if none was begun. */
  public abstract long transactionId();

  /** The label that was used; another than the one sent if the server dropped it. */
  public abstract String label();

  /** Whether the transaction waits for its commit. */
  public abstract boolean twoPhase();

  /** RUNNING, PRECOMMITTED or FINISHED where a label is taken; empty if the server does not say. */
  public abstract String existingJobStatus();

  /** The server's message. */
  public abstract String message();

  /** Rows of the body. */
  public abstract long totalRows();

  /** Rows loaded. */
  public abstract long loadedRows();

  /** Rows filtered because of their data. */
  public abstract long filteredRows();

  /** Rows left out by a {@code where} header. */
  public abstract long unselectedRows();

  /** Bytes of the body, as the server counted them. */
  public abstract long loadBytes();

  /** What the server took. */
  public abstract long loadMillis();

  /** Where the reasons for filtered rows are, or null. */
  public abstract @Nullable String errorUrl();

  /** The first of these reasons, or empty. */
  public abstract String firstError();

  static Builder builder() {
    return new AutoValue_LoadAnswer.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setStatus(LoadStatus status);

    abstract Builder setTransactionId(long id);

    abstract Builder setLabel(String label);

    abstract Builder setTwoPhase(boolean twoPhase);

    abstract Builder setExistingJobStatus(String status);

    abstract Builder setMessage(String message);

    abstract Builder setTotalRows(long rows);

    abstract Builder setLoadedRows(long rows);

    abstract Builder setFilteredRows(long rows);

    abstract Builder setUnselectedRows(long rows);

    abstract Builder setLoadBytes(long bytes);

    abstract Builder setLoadMillis(long millis);

    abstract Builder setErrorUrl(@Nullable String url);

    abstract Builder setFirstError(String error);

    abstract LoadAnswer build();
  }
}
