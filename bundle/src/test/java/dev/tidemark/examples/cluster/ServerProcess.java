package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that writes its output to a file, from which it says what happened when it fails. */
final class ServerProcess implements AutoCloseable {
  private static final int TAIL_BYTES = 6_000;
  private static final Duration BOOT = Duration.ofSeconds(90);

  private final String name;
  private final Process process;
  private final Path log;

  private ServerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a JVM.
   *
   * @param options of the JVM, its class path and class or jar, and the program's arguments
   */
  static ServerProcess java(String name, Path log, List<String> options) throws IOException {
    return java(name, log, options, Map.of());
  }

  /** Starts a JVM of another JDK. */
  static ServerProcess java(Path jdk, String name, Path log, List<String> options)
      throws IOException {
    ProcessBuilder builder =
        builder(jdk, options, Map.of())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return started(name, builder, log);
  }

  /** Starts a JVM with further variables of the environment. */
  static ServerProcess java(
      String name, Path log, List<String> options, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        builder(options, environment)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return started(name, builder, log);
  }

  /** Starts a JVM whose input and output are the test's; only what it says as errors is logged. */
  static ServerProcess talking(String name, Path log, List<String> options) throws IOException {
    ProcessBuilder builder =
        builder(options, Map.of()).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return started(name, builder, log);
  }

  private static ProcessBuilder builder(List<String> options, Map<String, String> environment) {
    return builder(Path.of(System.getProperty("java.home")), options, environment);
  }

  private static ProcessBuilder builder(
      Path jdk, List<String> options, Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    command.add(jdk.resolve("bin").resolve("java").toString());
    command.add("-Duser.timezone=UTC");
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder;
  }

  private static ServerProcess started(String name, ProcessBuilder builder, Path log)
      throws IOException {
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new ServerProcess(name, process, log);
  }

  Process process() {
    return process;
  }

  /** Waits for a line that begins with a text; the rest of it. */
  String awaitLine(String prefix) throws Exception {
    List<String> found = new ArrayList<>();
    Poll.until(
        name + " says " + prefix.trim(),
        BOOT,
        () -> {
          // The process may have said it before it ended.
          boolean alive = process.isAlive();
          for (String line : Files.readString(log, UTF_8).split("\n", -1)) {
            if (line.startsWith(prefix)) {
              found.add(line.substring(prefix.length()).trim());
              return true;
            }
          }
          if (!alive) {
            throw new IllegalStateException(
                name + " ended with " + process.exitValue() + ":\n" + tail());
          }
          return false;
        },
        this::tail);
    return found.get(0);
  }

  /** Waits for the end of the process; its exit code. */
  int awaitEnd(Duration patience) throws InterruptedException {
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException(
          name + " did not end within " + patience + ". Its last lines:\n" + tail());
    }
    return process.exitValue();
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String output() throws IOException {
    return Files.readString(log, UTF_8);
  }

  /** The last lines of the log. */
  String tail() {
    return tail(log);
  }

  static String tail(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      return "--- " + log + "\n" + new String(bytes, UTF_8);
    } catch (IOException e) {
      return "--- " + log + ": " + e;
    }
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
}
