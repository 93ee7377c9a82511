package dev.tidemark.upsert;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import java.util.concurrent.atomic.AtomicReference;

/** Opens stores in memory; remembers with which options the last one was opened. */
public final class InMemoryProvider implements CandidateStoreProvider {
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
}
