package dev.tidemark.candidates;

/**
 * The strategies of Flink SQL's sink upsert materializer. All give the same changes; they differ in
 * how upsert keys that contain FLOAT or DOUBLE are compared. How candidates are stored does not
 * depend on the strategy: a few in one record, many as linked nodes.
 */
public enum UpsertStrategy {
  /** Fields are compared as SQL does: 0.0 equals -0.0, NaN equals nothing. */
  LEGACY,
  /** As {@link #LEGACY}. */
  VALUE,
  /** Bytes are compared: 0.0 differs from -0.0, NaN equals NaN of the same bits. */
  MAP,
  /** As {@link #VALUE} for a list that is short, as {@link #MAP} for one that has grown. */
  ADAPTIVE
}
