package dev.tidemark.peers.doris;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One process for the tests of a JVM, since the first statement takes it seconds. */
final class SharedProcess {
  private static @Nullable ReleasedProcess process;

  private SharedProcess() {}

  static synchronized ReleasedProcess get() throws IOException {
    ReleasedProcess started = process;
    if (started == null) {
      started = ReleasedProcess.start(directory());
      process = started;
      Runtime.getRuntime().addShutdownHook(new Thread(started::close));
    }
    return started;
  }

  /** A directory below that of the build. */
  static Path directory() throws IOException {
    return Files.createTempDirectory("released");
  }
}
