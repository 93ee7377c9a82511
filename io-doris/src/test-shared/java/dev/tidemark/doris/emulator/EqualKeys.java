package dev.tidemark.doris.emulator;

/**
 * What becomes of two rows with one key in one load to a UNIQUE table without a sequence column.
 */
public enum EqualKeys {
  /** The later one in the body wins, as it mostly does in Doris. */
  LAST_WINS,
  /** The load is refused, as Doris does not promise which of them wins. */
  REFUSE
}
