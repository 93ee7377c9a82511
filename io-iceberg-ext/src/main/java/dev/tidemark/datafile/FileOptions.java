package dev.tidemark.datafile;

import com.google.auto.value.AutoValue;
import com.google.common.base.Preconditions;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** How {@link TableFileWriter} sizes, names and buffers the files of one bundle. */
@AutoValue
public abstract class FileOptions implements Serializable {
  private static final int DEFAULT_MAX_OPEN_WRITERS = 128;
  private static final long DEFAULT_MAX_BUFFERED_BYTES = 256L << 20;
  private static final int DEFAULT_SPILL_BUFFER_BYTES = 16 << 20;

  abstract @Nullable Long targetFileSizeBytes();

  abstract int maxOpenWriters();

  abstract long maxBufferedBytes();

  abstract int spillBufferBytes();

  abstract @Nullable String spillDirectory();

  abstract String fileNamePrefix();

  /** The defaults that each setter names. */
  public static FileOptions defaults() {
    return new AutoValue_FileOptions.Builder()
        .setMaxOpenWriters(DEFAULT_MAX_OPEN_WRITERS)
        .setMaxBufferedBytes(DEFAULT_MAX_BUFFERED_BYTES)
        .setSpillBufferBytes(DEFAULT_SPILL_BUFFER_BYTES)
        .setFileNamePrefix("")
        .build();
  }

  /**
   * Size at which a file is closed and the next one begun, in bytes (at least 1). Default: the
   * table's {@code write.target-file-size-bytes}. A file exceeds it by what arrives between two
   * looks, at most a thousand rows or about a megabyte.
   */
  public FileOptions withTargetFileSizeBytes(long bytes) {
    Preconditions.checkArgument(
        bytes >= 1, "Invalid target file size: %s (must be at least 1 byte)", bytes);
    return toBuilder().setTargetFileSizeBytes(bytes).build();
  }

  /**
   * Partitions that are written at once (at least 1, default 128). Rows of further partitions wait
   * in the spill file and are written one partition after another when the bundle ends. Raising it
   * saves local disk traffic and costs memory: a writer takes tens of kilobytes per column.
   */
  public FileOptions withMaxOpenWriters(int writers) {
    Preconditions.checkArgument(
        writers >= 1, "Invalid number of open writers: %s (must be at least 1)", writers);
    return toBuilder().setMaxOpenWriters(writers).build();
  }

  /**
   * Memory that all open writers of a bundle may hold, in bytes (at least 1, default 256 MiB).
   * Above it the largest file is closed early and new partitions are spilled. Raising it gives
   * larger row groups where many partitions receive much data at once.
   */
  public FileOptions withMaxBufferedBytes(long bytes) {
    Preconditions.checkArgument(
        bytes >= 1, "Invalid buffered bytes: %s (must be at least 1)", bytes);
    return toBuilder().setMaxBufferedBytes(bytes).build();
  }

  /**
   * Memory in front of the spill file, in bytes (1 to 1 GiB, default 16 MiB). Bundles whose spilled
   * rows stay below it touch no local disk.
   */
  public FileOptions withSpillBufferBytes(int bytes) {
    Preconditions.checkArgument(
        bytes >= 1 && bytes <= 1 << 30,
        "Invalid spill buffer: %s (must be from 1 byte to 1 GiB)",
        bytes);
    return toBuilder().setSpillBufferBytes(bytes).build();
  }

  /** Local directory of the spill file. Default: {@code java.io.tmpdir}. */
  public FileOptions withSpillDirectory(String directory) {
    Preconditions.checkArgument(
        !directory.isEmpty(), "Invalid spill directory: empty (must be a local path)");
    return toBuilder().setSpillDirectory(directory).build();
  }

  /**
   * First part of the operation id in file names, to find the files of one pipeline ({@code
   * [A-Za-z0-9_-]}, at most 64 characters, default none). A random part per writer follows, so that
   * no attempt ever writes to the path of another.
   */
  public FileOptions withFileNamePrefix(String prefix) {
    Preconditions.checkArgument(
        prefix.matches("[A-Za-z0-9_-]{0,64}"),
        "Invalid file name prefix: %s (must be at most 64 of A-Z, a-z, 0-9, _ and -)",
        prefix);
    return toBuilder().setFileNamePrefix(prefix).build();
  }

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTargetFileSizeBytes(Long bytes);

    abstract Builder setMaxOpenWriters(int writers);

    abstract Builder setMaxBufferedBytes(long bytes);

    abstract Builder setSpillBufferBytes(int bytes);

    abstract Builder setSpillDirectory(String directory);

    abstract Builder setFileNamePrefix(String prefix);

    abstract FileOptions build();
  }
}
