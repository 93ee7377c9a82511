package dev.tidemark.upsert;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.candidates.testing.InMemoryShardImages;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicReference;

/** Opens stores in memory; remembers with which options the last one was opened. */
public final class InMemoryProvider implements CandidateStoreProvider, Serializable {
  static final AtomicReference<CandidateStoreOptions> LAST = new AtomicReference<>();

  @Override
  public boolean inMemory() {
    return true;
  }

  @Override
  public CandidateStore open(CandidateStoreOptions options) {
    LAST.set(options);
    return InMemoryCandidateStore.create();
  }

  @Override
  public ShardImages images() {
    return new InMemoryShardImages();
  }
}
