package dev.tidemark.rocksdb;

import com.google.auto.service.AutoService;
import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Opens stores that keep records in memory up to a budget and the rest in local files. */
@AutoService(CandidateStoreProvider.class)
public final class RocksDbCandidateStoreProvider implements CandidateStoreProvider {
  private static final ShardImages IMAGES =
      new ShardImages() {
        @Override
        public Records readFrom(int shard, ShardState state) {
          return ShardImage.readFrom(shard, state);
        }

        @Override
        public Records readFrom(InputStream in) throws IOException {
          return ShardImage.readFrom(in);
        }

        @Override
        public Sink writeTo(int shard, ShardState state) {
          return ShardImage.writeTo(shard, state);
        }

        @Override
        public Sink writeTo(OutputStream out) throws IOException {
          return ShardImage.writeTo(out);
        }
      };

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

  @Override
  public ShardImages images() {
    return IMAGES;
  }

  static Path directory(CandidateStoreOptions options) {
    String directory = options.directory();
    return Path.of(directory == null ? System.getProperty("java.io.tmpdir") : directory);
  }
}
