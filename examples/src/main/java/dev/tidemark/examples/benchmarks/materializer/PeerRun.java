package dev.tidemark.examples.benchmarks.materializer;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a peer on a load in a process of its own. */
final class PeerRun {
  private static final List<String> JVM =
      List.of(
          "-Xms3g",
          "-Xmx3g",
          "-XX:+UseG1GC",
          // The first use of memory costs as much as a row or more, depending on the machine.
          "-XX:+AlwaysPreTouch",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
  private static final long PATIENCE_MINUTES = 15;

  private final Path directory;
  private final String factor;
  private final String memoryMib;
  private int runs;

  PeerRun(Path directory, String factor, String memoryMib) {
    this.directory = directory;
    this.factor = factor;
    this.memoryMib = memoryMib;
  }

  Figures run(Peer peer, Load load) throws IOException, InterruptedException {
    String name = "run" + runs++;
    Path log = directory.resolve(name + ".log");
    Path files = Files.createDirectories(directory.resolve(name));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.add("-Djava.io.tmpdir=" + files);
    String more = Strings.nullToEmpty(System.getenv("PEER_JVM"));
    command.addAll(Splitter.on(' ').omitEmptyStrings().splitToList(more));
    command.add("-cp");
    command.add(peer.classPath());
    command.add(peer.mainClass());
    command.add(load.workload().label());
    command.add(Integer.toString(load.payloadLength()));
    command.add(factor);
    command.add(memoryMib);
    command.addAll(peer.arguments());
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IllegalStateException(
            "Cannot measure "
                + peer.label()
                + " on "
                + load
                + ": its process failed. See "
                + log
                + ".");
      }
    } finally {
      process.destroyForcibly();
      MoreFiles.deleteRecursively(files, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith(Measurement.LINE + " "))
        .map(Figures::parse)
        .findFirst()
        .orElseThrow();
  }
}
