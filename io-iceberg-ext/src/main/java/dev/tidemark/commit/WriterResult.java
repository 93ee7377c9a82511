package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.primitives.Longs;
import dev.tidemark.eventtime.EventTimeStats;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What one writer task hands over for one table: data files, and what was accumulated over their
 * rows.
 *
 * <p>Its identity is the sequence, given by the stage that lets results through to the commit, and
 * the digest of its file paths. A replay hands over the same pair; another digest under a known
 * sequence is other data.
 */
@AutoValue
public abstract class WriterResult {
  /** Position among all results of this writer id and table: 1, 2, 3 and so on without gaps. */
  public abstract long sequence();

  /** First eight bytes of the SHA-256 of the sorted file paths. */
  public abstract long digest();

  /** The files; may be empty. They may belong to several partition specs of the table. */
  public abstract ImmutableList<DataFile> files();

  /** UUID of the table the files were written for. */
  public abstract String tableUuid();

  /** Event time of the rows; null if it is not collected. */
  public abstract @Nullable EventTimeStats eventTime();

  /**
   * Outputs of further accumulators by name, as the request's {@link AccumulatorEntries} takes
   * them.
   */
  public abstract ImmutableMap<String, Object> accumulators();

  /** Rows in the files. */
  public abstract long rows();

  abstract Builder toBuilder();

  /**
   * A result without accumulated values.
   *
   * @throws IllegalArgumentException if the sequence is below 1 or a path occurs twice
   */
  public static WriterResult of(
      long sequence, String tableUuid, Iterable<? extends DataFile> files) {
    if (sequence < 1) {
      throw new IllegalArgumentException("Invalid sequence: %d (must be >= 1)".formatted(sequence));
    }
    ImmutableList<DataFile> copy = ImmutableList.copyOf(files);
    return new AutoValue_WriterResult.Builder()
        .setSequence(sequence)
        .setDigest(digestOf(copy))
        .setFiles(copy)
        .setTableUuid(tableUuid)
        .setAccumulators(ImmutableMap.of())
        .setRows(copy.stream().mapToLong(DataFile::recordCount).sum())
        .build();
  }

  /** This result under another sequence. */
  public WriterResult withSequence(long sequence) {
    if (sequence < 1) {
      throw new IllegalArgumentException("Invalid sequence: %d (must be >= 1)".formatted(sequence));
    }
    return toBuilder().setSequence(sequence).build();
  }

  /** This result with the event time of its rows. */
  public WriterResult withEventTime(EventTimeStats stats) {
    return toBuilder().setEventTime(stats).build();
  }

  /** This result with outputs of further accumulators. */
  public WriterResult withAccumulators(Map<String, ?> accumulators) {
    return toBuilder().setAccumulators(ImmutableMap.copyOf(accumulators)).build();
  }

  private static long digestOf(Iterable<DataFile> files) {
    ImmutableList.Builder<String> paths = ImmutableList.builder();
    files.forEach(file -> paths.add(file.location()));
    Hasher hasher = Hashing.sha256().newHasher();
    String previous = null;
    for (String path : ImmutableList.sortedCopyOf(paths.build())) {
      if (path.equals(previous)) {
        throw new IllegalArgumentException(
            "Invalid files: %s occurs twice (each file must occur once)".formatted(path));
      }
      previous = path;
      // The separator keeps {"ab", "c"} and {"a", "bc"} apart.
      hasher.putString(path, StandardCharsets.UTF_8).putByte((byte) 0);
    }
    return Longs.fromByteArray(hasher.hash().asBytes());
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setSequence(long sequence);

    abstract Builder setDigest(long digest);

    abstract Builder setFiles(ImmutableList<DataFile> files);

    abstract Builder setTableUuid(String uuid);

    abstract Builder setEventTime(@Nullable EventTimeStats stats);

    abstract Builder setAccumulators(ImmutableMap<String, Object> accumulators);

    abstract Builder setRows(long rows);

    abstract WriterResult build();
  }
}
