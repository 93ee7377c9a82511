package dev.tidemark.examples.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Path;

/** A process that measures one candidate: takes the name of a stream, answers with one round. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;

  private ChildJvm(Process process) {
    this.process = process;
    this.requests = new OutputStreamWriter(process.getOutputStream(), UTF_8);
    this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  static ChildJvm start(SketchCandidate candidate) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ChildJvm(
        new ProcessBuilder(
                java,
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                SketchBenchmark.class.getName(),
                candidate.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  SketchCandidate.Round run(SketchStream stream) throws IOException {
    requests.write(stream.name() + "\n");
    requests.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException(
          "Cannot measure " + stream + ": the child process ended. See its error output above.");
    }
    return SketchCandidate.Round.parse(answer);
  }

  /** Ends the child by ending its input. */
  @Override
  public void close() throws IOException {
    requests.close();
    answers.close();
    process.destroy();
  }
}
