package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import dev.tidemark.candidates.CandidateStoreOptions;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a transform says of its stores; the runner's options decide on the rest.
 *
 * @param memoryBytes null if nothing is said
 * @param directory null if nothing is said
 */
record StoreChoice(@Nullable Long memoryBytes, @Nullable String directory) implements Serializable {
  static final StoreChoice NONE = new StoreChoice(null, null);

  StoreChoice withMemoryBytes(long bytes) {
    return new StoreChoice(
        CandidateStoreOptions.defaults().withMemoryBytes(bytes).memoryBytes(), directory);
  }

  StoreChoice withDirectory(String directory) {
    checkArgument(!directory.isEmpty(), "Invalid directory of stores: it must not be empty");
    return new StoreChoice(memoryBytes, directory);
  }

  CandidateStoreOptions over(CandidateStoreOptions options) {
    CandidateStoreOptions chosen =
        memoryBytes == null ? options : options.withMemoryBytes(memoryBytes);
    return directory == null ? chosen : chosen.withDirectory(directory);
  }
}
