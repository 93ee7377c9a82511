package dev.tidemark.rocksdb;

import com.google.auto.service.AutoService;
import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import java.nio.file.Path;

/** Opens stores that keep records in memory up to a budget and the rest in local files. */
@AutoService(CandidateStoreProvider.class)
public final class RocksDbCandidateStoreProvider implements CandidateStoreProvider {
  /** For {@link java.util.ServiceLoader}. */
  public RocksDbCandidateStoreProvider() {}

  @Override
  public boolean inMemory() {
    return false;
  }

  @Override
  public CandidateStore open(CandidateStoreOptions options) {
    return RocksDbCandidateStore.open(StoreLimits.of(options.memoryBytes()), directory(options));
  }

  static Path directory(CandidateStoreOptions options) {
    String directory = options.directory();
    return Path.of(directory == null ? System.getProperty("java.io.tmpdir") : directory);
  }
}
