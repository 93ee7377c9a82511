package dev.tidemark.upsert;

import com.google.auto.value.AutoValue;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.Shards;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.runner.Runners;
import java.io.Serializable;
import java.time.Clock;
import org.apache.beam.sdk.values.PCollection;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a stage that keeps candidates needs to know. */
@AutoValue
abstract class CandidateSettings implements Serializable {
  CandidateSettings() {}

  abstract UpsertSemantics semantics();

  /** Whether thresholds are those that suit the store. */
  abstract boolean thresholdsOfStore();

  /** Whether NaN is compared as Flink does with a state backend of the store's kind. */
  abstract boolean nanOfStore();

  abstract int shards();

  abstract StoreChoice store();

  /** What stores may use. */
  abstract CandidateStoreOptions storeOptions();

  /** The keys of the shards. */
  abstract ShardKeys keys();

  abstract StateMoves moves();

  abstract Clock clock();

  /** A serializable provider of stores for tests; null for the one on the class path. */
  abstract @Nullable CandidateStoreProvider provider();

  static Builder builder() {
    return new AutoValue_CandidateSettings.Builder()
        .thresholdsOfStore(false)
        .nanOfStore(false)
        .store(StoreChoice.NONE)
        .storeOptions(CandidateStoreOptions.defaults())
        .keys(ShardKeys.PLAIN)
        .moves(StateMoves.NONE)
        .clock(Clock.systemUTC());
  }

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder semantics(UpsertSemantics semantics);

    abstract Builder thresholdsOfStore(boolean ofStore);

    abstract Builder nanOfStore(boolean ofStore);

    abstract Builder shards(int shards);

    abstract Builder store(StoreChoice store);

    abstract Builder storeOptions(CandidateStoreOptions options);

    abstract Builder keys(ShardKeys keys);

    abstract Builder moves(StateMoves moves);

    abstract Builder clock(Clock clock);

    abstract Builder provider(@Nullable CandidateStoreProvider provider);

    abstract CandidateSettings build();
  }

  /** On the runner of an input. */
  CandidateSettings on(PCollection<?> input) {
    return toBuilder()
        .storeOptions(store().over(Runners.candidateStores(input.getPipeline().getOptions())))
        .keys(ShardKeys.of(Runners.keyGroups(input), shards()))
        .build();
  }

  /** With moves that were looked at. */
  CandidateSettings resolved() {
    return toBuilder().moves(moves().resolve(this)).build();
  }

  CandidateStoreProvider findProvider() {
    CandidateStoreProvider provider = provider();
    return provider == null ? CandidateStores.provider() : provider;
  }

  /** The semantics on a store; what state is bound to includes the number of shards. */
  UpsertSemantics semantics(boolean inMemory) {
    UpsertSemantics semantics =
        semantics().withDescription(Shards.describe(shards(), semantics().description()));
    if (nanOfStore() && semantics.floatKey()) {
      semantics = semantics.withFloatUpsertKey(inMemory);
    }
    if (!thresholdsOfStore()) {
      return semantics;
    }
    return inMemory
        ? semantics.withThresholds(UpsertSemantics.MEMORY_HIGH, UpsertSemantics.MEMORY_LOW)
        : semantics.withThresholds(UpsertSemantics.ROCKSDB_HIGH, UpsertSemantics.ROCKSDB_LOW);
  }
}
