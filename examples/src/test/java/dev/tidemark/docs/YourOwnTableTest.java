package dev.tidemark.docs;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Follows docs/your-own-table.md to the letter, from top to bottom in a fresh folder: its commands
 * are one shell's, and what it says to save is saved.
 */
@RunWith(JUnit4.class)
public class YourOwnTableTest {
  static final String PAGE = "docs/your-own-table.md";

  private static final Pattern SAVE_AS = Pattern.compile("Save this as `([^`]+)`:$");
  private static final String END = "END_OF_WHAT_IS_SAVED";
  private static final int MOST_MINUTES = 5;

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  @Test
  public void pageLeadsToTableThatFinalizes() throws Exception {
    Path script = temp.newFile("page.sh").toPath();
    Files.writeString(script, script());
    File output = temp.newFile("output");
    File folder = temp.newFolder();
    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString())
            .directory(folder)
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().put("TIDEMARK", Snippet.root().toString());

    Process process = builder.start();

    boolean ended = process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String said = Files.readString(output.toPath()) + logs(folder);
    assertThat(said, ended, is(true));
    assertThat(said, process.exitValue(), is(0));
    assertThat(said, containsString("FINALIZED power.readings"));
    assertThat(said, not(containsString("Exception")));
  }

  /** What the commands wrote into files, where it says what went wrong. */
  private static String logs(File folder) throws Exception {
    StringBuilder logs = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder.toPath(), 2)) {
      for (Path log : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        logs.append(log).append(":\n").append(Files.readString(log));
      }
    }
    return logs.toString();
  }

  /** Stops at the first command that fails, and leaves nothing running. */
  private static String script() throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add("set -e");
    lines.add("trap 'kill $(jobs -p) || true' EXIT");
    int saved = 0;
    int commands = 0;
    for (Snippet snippet : Snippet.in(Snippet.root(), Snippet.root().resolve(PAGE))) {
      Matcher save = SAVE_AS.matcher(snippet.before());
      if (save.find()) {
        lines.add("cat > " + save.group(1) + " <<'" + END + "'\n" + snippet.text() + END);
        saved++;
      } else if (snippet.is("sh")) {
        lines.add(snippet.text());
        commands += snippet.commands().size();
      } else {
        throw new IllegalStateException(snippet + " is neither saved nor run");
      }
    }
    assertThat("saved files", saved, greaterThan(0));
    assertThat("commands", commands, greaterThan(8));
    return String.join("\n", lines) + "\n";
  }
}
