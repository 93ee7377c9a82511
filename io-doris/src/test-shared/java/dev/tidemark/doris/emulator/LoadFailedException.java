package dev.tidemark.doris.emulator;

/** A load that Doris itself fails, with the message it has for that. */
final class LoadFailedException extends Exception {

  LoadFailedException(String message) {
    super(message);
  }

  /** As the frontend reports what it does not understand. */
  static LoadFailedException analysis(String detail) {
    return new LoadFailedException(
        "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = " + detail);
  }

  static LoadFailedException internal(String detail) {
    return new LoadFailedException("[INTERNAL_ERROR]" + detail);
  }
}
