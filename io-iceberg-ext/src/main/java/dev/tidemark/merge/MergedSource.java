package dev.tidemark.merge;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a merge took over from one change table. */
@AutoValue
public abstract class MergedSource implements Serializable {
  /** The source's name. */
  public abstract String name();

  /** The snapshot merged before, exclusive; null if all of the table was read. */
  public abstract @Nullable Long fromSnapshotId();

  /** The snapshot merged now, inclusive; null if the table has none. */
  public abstract @Nullable Long toSnapshotId();

  /** The source's watermark in the metadata version that was read; null if it counts for none. */
  public abstract @Nullable Long finalizedUntilMillis();

  /** Data files of changes read. */
  public abstract int files();

  /** Changes read. */
  public abstract long changes();

  static MergedSource of(
      String name,
      @Nullable Long from,
      @Nullable Long to,
      @Nullable Long finalizedUntilMillis,
      int files,
      long changes) {
    return new AutoValue_MergedSource(name, from, to, finalizedUntilMillis, files, changes);
  }
}
