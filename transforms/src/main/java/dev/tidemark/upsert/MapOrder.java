package dev.tidemark.upsert;

/** In which order {@link RowEncoding} writes the entries of a map. */
public enum MapOrder {
  /** Sorted by their bytes, so that maps with equal entries have equal bytes. */
  SORTED,
  /** As the map yields them. Maps with the same entries in another order have other bytes. */
  AS_GIVEN
}
