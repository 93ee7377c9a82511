package dev.tidemark.docs;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The emulator as a program, and what is sent to it, at ports that are free. */
final class DocumentedEmulator implements AutoCloseable {
  private static final String FRONTEND = "frontend ";

  private Process process;
  private String frontend;

  /** From the class path of the tests, which has the classes of the jar. */
  void start(String command) throws IOException {
    String classes =
        command
            .replaceFirst(
                "java -jar \\S+-emulator\\.jar",
                "exec java -cp \"\\$EMULATOR\" dev.tidemark.doris.emulator.DorisEmulatorMain")
            .replaceAll("-port \\d+", "-port 0");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", classes).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("EMULATOR", Jvm.classPath());
    process = builder.start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    while (line != null && !line.startsWith(FRONTEND)) {
      line = output.readLine();
    }
    assertThat("line with the frontend", line, is(notNullValue()));
    frontend = line.substring(FRONTEND.length());
  }

  void curl(String command) throws IOException, InterruptedException {
    assertThat("emulator", frontend, is(notNullValue()));
    Process curl =
        new ProcessBuilder("bash", "-c", command.replace("127.0.0.1:8030", frontend))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(curl.waitFor(30, TimeUnit.SECONDS), is(true));
    assertThat(answer, curl.exitValue(), is(0));
    assertThat(answer.replaceAll("\\s", ""), containsString("\"code\":0"));
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
