package dev.tidemark.change;

/**
 * What to do with an update that leaves out a large (TOAST) value it did not touch. Sources that
 * tell the whole row (PostgreSQL's {@code REPLICA IDENTITY FULL}) do not leave out any.
 */
public enum UnavailableValues {
  /** The record goes to the error output. */
  FAIL,
  /** The value is taken from the before image; without one the record goes to the error output. */
  FILL_FROM_BEFORE,
  /**
   * The column is null and listed by {@link Change#unknownColumns()}. All columns but the key
   * become nullable. A consumer has to keep the value that it holds for the key.
   */
  EMIT_UNKNOWN
}
