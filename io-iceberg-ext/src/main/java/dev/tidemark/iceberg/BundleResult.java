package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.eventtime.EventTimeStats;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a writer made of the rows of one table in one bundle; immutable, on its way to the commit.
 */
@AutoValue
abstract class BundleResult {
  /** UUID of the table that the files were written for. */
  abstract String tableUuid();

  /** Data files as opaque bytes. */
  abstract ImmutableList<byte[]> files();

  abstract long rows();

  abstract @Nullable EventTimeStats eventTime();

  /** Encoded accumulators by name. */
  abstract ImmutableSortedMap<String, byte[]> accumulators();

  static BundleResult of(
      String tableUuid,
      Iterable<byte[]> files,
      long rows,
      @Nullable EventTimeStats eventTime,
      ImmutableSortedMap<String, byte[]> accumulators) {
    return new AutoValue_BundleResult(
        tableUuid, ImmutableList.copyOf(files), rows, eventTime, accumulators);
  }
}
