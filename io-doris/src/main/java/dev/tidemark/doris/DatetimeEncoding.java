package dev.tidemark.doris;

/**
 * What the server takes the timestamps of an Arrow batch for. The protocol does not tell which of
 * the two a server does, so that this has to be set for the server at hand.
 */
public enum DatetimeEncoding {
  /** The server takes a timestamp without a zone for wall-clock time, as recent releases do. */
  WALL_CLOCK,

  /**
   * The server adds eight hours to each timestamp, as releases up to about 4.1.3 do. The write
   * takes away eight hours, so that what is stored is what was meant. Such servers break on
   * timestamps before 1970, so rows with one are refused.
   */
  LEGACY_PLUS_8
}
