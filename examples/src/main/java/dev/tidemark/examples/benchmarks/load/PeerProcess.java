package dev.tidemark.examples.benchmarks.load;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The process of a peer; it writes until it is closed. */
public final class PeerProcess implements AutoCloseable {
  private static final List<String> JVM =
      List.of(
          "-XX:+UseG1GC",
          // The first use of memory costs as much as a row or more, depending on the machine.
          "-XX:+AlwaysPreTouch",
          // What is recommended for writes to Doris; whoever uses Arrow may as well.
          "-Darrow.enable_unsafe_memory_access=true",
          "-Darrow.enable_null_check_for_get=false",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          // Spark's.
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
          "--add-opens=java.base/java.net=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.cs=ALL-UNNAMED",
          "--add-opens=java.base/sun.security.action=ALL-UNNAMED",
          "--add-opens=java.base/sun.util.calendar=ALL-UNNAMED",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
  private static final long LOOK_MILLIS = 200;

  private final Process process;
  private final Path output;

  private PeerProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts it.
   *
   * @param settings by name, see {@link PeerSettings}
   * @param heap size of its heap, as the JVM takes it
   * @param output file for its output
   */
  public static PeerProcess start(Peer peer, Map<String, String> settings, String heap, Path output)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.add("-Xms" + heap);
    command.add("-Xmx" + heap);
    String more = Strings.nullToEmpty(System.getenv("PEER_JVM"));
    command.addAll(Splitter.on(' ').omitEmptyStrings().splitToList(more));
    settings.forEach((name, value) -> command.add("-D" + PeerSettings.PREFIX + name + "=" + value));
    command.add("-D" + PeerSettings.PREFIX + "options=" + String.join(",", peer.options()));
    command.add("-cp");
    command.add(classPath(peer));
    command.add(peer.mainClass());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new PeerProcess(process, output);
  }

  /** Waits for the line in which the meter tells the region; its values by name. */
  public ImmutableMap<String, Long> awaitRegion(Duration patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < deadline) {
      for (String line : Files.readAllLines(output)) {
        if (line.startsWith(RegionMeter.LINE + " ")) {
          return values(line);
        }
      }
      checkAlive();
    }
    throw new IllegalStateException(
        "Cannot measure peer: it did not finish its region within "
            + patience
            + ". See "
            + output
            + ".");
  }

  /** Waits a little; fails if the process has ended. */
  public void checkAlive() throws InterruptedException {
    if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException(
          "Cannot measure peer: its process ended with "
              + process.exitValue()
              + ". See "
              + output
              + ".");
    }
  }

  /** The CPU that it took so far, with all of its threads. */
  public Duration cpu() {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Cannot measure peer: the system does not tell the CPU of process "
                        + process.pid()
                        + ". Run the suite on Linux."));
  }

  /** The most memory that it had resident so far, in bytes; 0 where the system does not tell. */
  public long peakResidentBytes() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(CharMatcher.inRange('0', '9').retainFrom(line)) << 10;
      }
    }
    return 0;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String classPath(Peer peer) {
    String classPath = System.getProperty(peer.classPathProperty());
    if (classPath == null) {
      throw new IllegalStateException(
          "Cannot run peer "
              + peer.name()
              + ": system property "
              + peer.classPathProperty()
              + " is missing. Run the suite with examples/benchmarks/run.sh, which sets it.");
    }
    return classPath;
  }

  private static ImmutableMap<String, Long> values(String line) {
    ImmutableMap.Builder<String, Long> values = ImmutableMap.builder();
    for (String word : Splitter.on(' ').split(line)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), Long.valueOf(word.substring(equals + 1)));
      }
    }
    return values.buildOrThrow();
  }
}
