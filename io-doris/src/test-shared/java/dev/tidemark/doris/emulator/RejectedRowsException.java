package dev.tidemark.doris.emulator;

/** A load of which more rows were filtered than it allows. */
final class RejectedRowsException extends Exception {

  private final RowCollector rows;

  RejectedRowsException(RowCollector rows) {
    super("[DATA_QUALITY_ERROR]too many filtered rows");
    this.rows = rows;
  }

  RowCollector rows() {
    return rows;
  }
}
