package dev.tidemark.upsert;

import dev.tidemark.candidates.CandidateStoreProvider;

/** Sets what only tests set. */
public final class UpsertTestUtils {
  private UpsertTestUtils() {}

  /** Keeps candidates in the stores of a serializable provider, whatever is on the class path. */
  public static MaterializeUpserts withStores(
      MaterializeUpserts upserts, CandidateStoreProvider provider) {
    return upserts.withStoreProvider(provider);
  }
}
