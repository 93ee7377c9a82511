package dev.tidemark.peers.doris;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process that has the released connector and its Flink on its class path, and nothing else. */
final class ReleasedProcess implements AutoCloseable {
  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;
  private final Path directory;
  private int scripts;

  private ReleasedProcess(Process process, Path directory) {
    this.process = process;
    this.directory = directory;
    this.requests = new OutputStreamWriter(process.getOutputStream(), UTF_8);
    this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /**
   * Starts it.
   *
   * @param directory for its log and its scripts
   */
  static ReleasedProcess start(Path directory) throws IOException {
    // The connector has a class of flink-python in a form of its own, and has to come before it.
    Path target = Path.of(System.getProperty("tidemark.peers.target"));
    String classPath =
        target.resolve("classes")
            + ":"
            + Files.readString(target.resolve("released.classpath")).trim()
            + ":"
            + target.resolve("released-lib")
            + "/*";
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "--add-opens=java.base/java.time=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/java.net=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Djava.io.tmpdir=" + directory,
                "-Duser.timezone=UTC",
                "-cp",
                classPath,
                ReleasedClient.class.getName())
            .redirectError(directory.resolve("released.log").toFile())
            .start();
    return new ReleasedProcess(process, directory);
  }

  /** Runs a script to its end. */
  void run(Script script) throws IOException {
    String failure = outcome(script);
    if (!failure.isEmpty()) {
      throw new AssertionError("The released connector failed: " + failure);
    }
  }

  /** Runs a script that is expected to fail, and returns the exception with its causes. */
  String fail(Script script) throws IOException {
    String failure = outcome(script);
    if (failure.isEmpty()) {
      throw new AssertionError("The released connector did not fail.");
    }
    return failure;
  }

  /** Begins a script whose outcome nobody will see since the process is going to be killed. */
  void begin(Script script) throws IOException {
    send(script);
  }

  /** Ends the process without notice. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  private String outcome(Script script) throws IOException {
    Path path = send(script);
    String line;
    while ((line = answers.readLine()) != null) {
      if (line.equals(ReleasedClient.DONE)) {
        return "";
      }
      if (line.equals(ReleasedClient.FAILED)) {
        return Files.readString(Path.of(path + ReleasedClient.FAILURE_SUFFIX));
      }
    }
    throw new AssertionError(
        "The process of the released connector ended. Its log: "
            + List.of(Files.readString(directory.resolve("released.log"))));
  }

  private Path send(Script script) throws IOException {
    Path path = directory.resolve("script" + scripts++ + ".properties");
    script.write(path);
    requests.write(path + "\n");
    requests.flush();
    return path;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
