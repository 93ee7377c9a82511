package dev.tidemark.cli;

/** What the command returns to the shell. */
final class ExitCodes {
  static final int FINALIZED = 0;
  static final int ERROR = 1;
  static final int USAGE = 2;
  static final int NOT_FINALIZED = 3;
  static final int TIMED_OUT = 4;
  static final int LATE = 5;
  static final int FOUND = 6;

  private ExitCodes() {}
}
