package dev.tidemark.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody looks on. */
final class Terminal {
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /** Whether standard error is a terminal that can move its cursor. */
  static boolean isStandardError() {
    return !"dumb".equals(System.getenv("TERM")) && isDevice();
  }

  /**
   * Java tells of input and output only, so the kernel is asked; where it does not answer as Linux
   * does, there is no bar.
   */
  private static boolean isDevice() {
    try {
      return Files.readSymbolicLink(STANDARD_ERROR).toString().matches("/dev/(pts/|tty|console).*");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
