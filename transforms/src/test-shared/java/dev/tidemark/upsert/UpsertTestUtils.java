package dev.tidemark.upsert;

import dev.tidemark.candidates.CandidateStoreProvider;
import java.time.Clock;

/** Sets what only tests set. */
public final class UpsertTestUtils {
  private UpsertTestUtils() {}

  /** Keeps candidates in the stores of a serializable provider, whatever is on the class path. */
  public static MaterializeUpserts withStores(
      MaterializeUpserts upserts, CandidateStoreProvider provider) {
    return upserts.withStoreProvider(provider);
  }

  /** Takes the time from a serializable clock. */
  public static MaterializeUpserts withClock(MaterializeUpserts upserts, Clock clock) {
    return upserts.withClock(clock);
  }
}
