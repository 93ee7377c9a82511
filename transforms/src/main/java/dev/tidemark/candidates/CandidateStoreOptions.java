package dev.tidemark.candidates;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a store may use. */
@AutoValue
public abstract class CandidateStoreOptions implements Serializable {
  /** The default of {@link #memoryBytes}: 256 MiB. */
  public static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  /** The least that works for one process: 1 MiB. */
  public static final long MIN_MEMORY_BYTES = 1L << 20;

  CandidateStoreOptions() {}

  /**
   * The memory for all stores of a process together, on and off the heap: records, caches, write
   * buffers and filters. The first store to open in a process decides.
   */
  public abstract long memoryBytes();

  /** The local directory for files; null for the directory {@code java.io.tmpdir}. */
  public abstract @Nullable String directory();

  /** The defaults. */
  public static CandidateStoreOptions defaults() {
    return new AutoValue_CandidateStoreOptions(DEFAULT_MEMORY_BYTES, null);
  }

  /** Sets the memory for all stores of a process. Default: {@link #DEFAULT_MEMORY_BYTES}. */
  public CandidateStoreOptions withMemoryBytes(long bytes) {
    checkArgument(
        bytes >= MIN_MEMORY_BYTES,
        "Invalid memory of candidate stores: %s bytes (must be >= %s)",
        bytes,
        MIN_MEMORY_BYTES);
    return new AutoValue_CandidateStoreOptions(bytes, directory());
  }

  /** Sets the local directory for files. Default: the directory {@code java.io.tmpdir}. */
  public CandidateStoreOptions withDirectory(String directory) {
    return new AutoValue_CandidateStoreOptions(memoryBytes(), directory);
  }
}
