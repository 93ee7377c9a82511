package dev.tidemark.streamload;

import static dev.tidemark.streamload.NoSecrets.noSecrets;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What is logged at the most talkative level, by the client and by the libraries below it. */
@RunWith(JUnit4.class)
public final class LogsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void credentialsAreNotLoggedAtAnyLevel() throws IOException, InterruptedException {
    File output = folder.newFile();
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                "-cp",
                System.getProperty("java.class.path"),
                TalkativeProgram.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    try {
      assertThat(program.waitFor(2, TimeUnit.MINUTES), is(true));
    } finally {
      program.destroyForcibly();
    }
    String text = Files.readString(output.toPath());
    assertThat(text, program.exitValue(), is(0));
    // The loggers were on, the loads went well and badly.
    assertThat(text, containsString("DEBUG org.apache.hc.client5"));
    assertThat(text, containsString("came to LoadResult"));
    assertThat(text, containsString("came to PreCommitted"));
    assertThat(text, containsString("failed by " + LostTransactionException.class.getName()));
    assertThat(text, containsString("another path"));
    assertThat(text, noSecrets());
  }
}
