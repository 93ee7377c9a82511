package dev.tidemark.streamload;

/** How a backend answered a load. */
public enum LoadStatus {
  /** Loaded and visible; pre-committed if that was asked for. */
  SUCCESS,
  /** Committed, becomes visible later. Never to be sent again. */
  PUBLISH_TIMEOUT,
  /** The label is taken; {@link LoadAnswer#existingJobStatus} says by what. */
  LABEL_ALREADY_EXISTS,
  /** Not loaded. */
  FAIL
}
