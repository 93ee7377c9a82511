package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSet;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a write asks of the tables it writes to. */
@AutoValue
abstract class LoadRules implements Serializable {
  LoadRules() {}

  /** Whether there are deletes among what is written. */
  abstract boolean changes();

  /** Whether columns are forwarded as they are, so that their types must be those of the server. */
  abstract boolean forwarded();

  /** Whether columns that are not written keep their values. */
  abstract boolean partialUpdate();

  abstract @Nullable String sequenceColumn();

  /** Columns that may be left out though they are NOT NULL, since the table has a default. */
  abstract ImmutableSet<String> defaultedColumns();

  abstract DatetimeEncoding datetimeEncoding();

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder changes(boolean changes);

    abstract Builder forwarded(boolean forwarded);

    abstract Builder partialUpdate(boolean partialUpdate);

    abstract Builder sequenceColumn(@Nullable String column);

    abstract Builder defaultedColumns(ImmutableSet<String> columns);

    abstract Builder datetimeEncoding(DatetimeEncoding encoding);

    abstract LoadRules build();
  }

  static Builder builder() {
    return new AutoValue_LoadRules.Builder()
        .changes(false)
        .forwarded(false)
        .partialUpdate(false)
        .sequenceColumn(null)
        .defaultedColumns(ImmutableSet.of())
        .datetimeEncoding(DatetimeEncoding.WALL_CLOCK);
  }
}
