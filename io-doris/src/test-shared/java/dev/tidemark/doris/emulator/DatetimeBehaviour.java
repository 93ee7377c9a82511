package dev.tidemark.doris.emulator;

/** How a backend reads an Arrow timestamp without a zone. */
public enum DatetimeBehaviour {
  /** Newer versions: as it stands. */
  WALL_CLOCK,
  /** Older versions: as an instant, shown in the zone +08:00. */
  LEGACY_PLUS_8
}
