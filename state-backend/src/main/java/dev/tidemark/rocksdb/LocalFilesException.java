package dev.tidemark.rocksdb;

/** Local files failed. Nothing is lost: what they held is rebuilt from the runner's state. */
final class LocalFilesException extends RuntimeException {
  LocalFilesException(String doing, Throwable cause) {
    super(
        "Cannot "
            + doing
            + ": "
            + cause.getMessage()
            + ". The records are rebuilt from the runner's state when the bundle is retried; if this"
            + " repeats, check the free space and the health of the local disk.",
        cause);
  }
}
