package dev.tidemark.candidates;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;

/** How candidates are matched, stored, bounded and forgotten. */
@AutoValue
public abstract class UpsertSemantics implements Serializable {
  /** The default thresholds in memory, high and low: 400 and 300. */
  public static final int MEMORY_HIGH = 400;

  /** See {@link #MEMORY_HIGH}. */
  public static final int MEMORY_LOW = 300;

  /** The default thresholds on RocksDB, high and low: 50 and 40. */
  public static final int ROCKSDB_HIGH = 50;

  /** See {@link #ROCKSDB_HIGH}. */
  public static final int ROCKSDB_LOW = 40;

  /** What happens to an addition where a key has as many candidates as it may have. */
  public enum HardBound {
    /** The bundle fails. */
    FAIL,
    /** The oldest candidate is dropped and counted. */
    DROP_OLDEST
  }

  UpsertSemantics() {}

  /** The strategy. */
  public abstract UpsertStrategy strategy();

  /** Whether changes carry an identity of their own, the input upsert key. */
  public abstract boolean hasUpsertKey();

  /**
   * Whether identities are those of an upsert key with floating-point fields: a byte (1 if a field
   * is NaN, else 0), the length of the normalised form as a varint, the normalised form (0.0 for
   * -0.0), the exact form.
   */
  public abstract boolean floatKey();

  /**
   * Whether NaN equals nothing even where bytes are compared, as with Flink's heap backend; on its
   * RocksDB backend NaN equals NaN of the same bits.
   */
  public abstract boolean nanNeverEqual();

  /** A list is stored as linked nodes from this number of candidates on. */
  public abstract int high();

  /** A list of linked nodes goes back into one record at this number of candidates. */
  public abstract int low();

  /** How long a key is kept after its last successful change, in milliseconds; 0 for ever. */
  public abstract long ttlMillis();

  /** Lists longer than this are counted; 0 for no bound. */
  public abstract int softBound();

  /** No list is longer than this; 0 for no bound. */
  public abstract int hardBound();

  /** What happens at {@link #hardBound}. */
  public abstract HardBound atHardBound();

  /**
   * What the state is bound to: shards, keys, schema and encoding. State that was written under
   * another description is refused.
   */
  public abstract String description();

  /** Semantics of a strategy, without upsert key, bounds and time to live. */
  public static UpsertSemantics of(UpsertStrategy strategy) {
    return new AutoValue_UpsertSemantics.Builder()
        .strategy(strategy)
        .hasUpsertKey(false)
        .floatKey(false)
        .nanNeverEqual(false)
        .high(ROCKSDB_HIGH)
        .low(ROCKSDB_LOW)
        .ttlMillis(0)
        .softBound(0)
        .hardBound(0)
        .atHardBound(HardBound.FAIL)
        .description("")
        .build();
  }

  /** Takes identities from an upsert key. Default: full rows. */
  public UpsertSemantics withUpsertKey() {
    return toBuilder().hasUpsertKey(true).build();
  }

  /** Takes identities from an upsert key with floating-point fields. */
  public UpsertSemantics withFloatUpsertKey(boolean nanNeverEqual) {
    return toBuilder().hasUpsertKey(true).floatKey(true).nanNeverEqual(nanNeverEqual).build();
  }

  /**
   * Sets the thresholds. Default: {@link #ROCKSDB_HIGH} and {@link #ROCKSDB_LOW}.
   *
   * @throws IllegalArgumentException unless {@code 0 <= low < high}
   */
  public UpsertSemantics withThresholds(int high, int low) {
    checkArgument(
        0 <= low && low < high,
        "Invalid thresholds: high %s and low %s (must be 0 <= low < high)",
        high,
        low);
    return toBuilder().high(high).low(low).build();
  }

  /** Sets the time to live in milliseconds. Default: 0, for ever. */
  public UpsertSemantics withTtlMillis(long ttlMillis) {
    checkArgument(ttlMillis >= 0, "Invalid time to live: %s ms (must be >= 0)", ttlMillis);
    return toBuilder().ttlMillis(ttlMillis).build();
  }

  /** Sets the soft bound. Default: 0, none. */
  public UpsertSemantics withSoftBound(int candidates) {
    checkArgument(candidates >= 0, "Invalid soft bound: %s candidates (must be >= 0)", candidates);
    return toBuilder().softBound(candidates).build();
  }

  /** Sets the hard bound and what happens there. Default: 0, none. */
  public UpsertSemantics withHardBound(int candidates, HardBound policy) {
    checkArgument(candidates >= 0, "Invalid hard bound: %s candidates (must be >= 0)", candidates);
    return toBuilder().hardBound(candidates).atHardBound(policy).build();
  }

  /** Sets the description. Default: empty. */
  public UpsertSemantics withDescription(String description) {
    return toBuilder().description(description).build();
  }

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder strategy(UpsertStrategy strategy);

    abstract Builder hasUpsertKey(boolean hasUpsertKey);

    abstract Builder floatKey(boolean floatKey);

    abstract Builder nanNeverEqual(boolean nanNeverEqual);

    abstract Builder high(int high);

    abstract Builder low(int low);

    abstract Builder ttlMillis(long ttlMillis);

    abstract Builder softBound(int softBound);

    abstract Builder hardBound(int hardBound);

    abstract Builder atHardBound(HardBound atHardBound);

    abstract Builder description(String description);

    abstract UpsertSemantics build();
  }
}
