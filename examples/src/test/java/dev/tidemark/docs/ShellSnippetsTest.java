package dev.tidemark.docs;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertThrows;

import com.google.common.base.Splitter;
import dev.tidemark.cli.TidemarkCommand;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.examples.yaml.YamlPipeline;
import dev.tidemark.flink.FlinkPipelineCheck;
import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.cli.CliFrontend;
import org.apache.flink.client.cli.DefaultCLI;
import org.apache.flink.configuration.Configuration;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Every shell command of README.md and docs is known, and is run here or by {@code .ci/run}; one
 * that is neither fails this test.
 */
@RunWith(JUnit4.class)
public class ShellSnippetsTest {
  @ClassRule public static final TemporaryFolder TEMP = new TemporaryFolder();

  private static final Pattern WORD = Pattern.compile("(?:[^ \"]|\"[^\"]*\")+");

  private static final DocumentedEmulator EMULATOR = new DocumentedEmulator();

  /** How a command that begins so is shown to work. The first that fits counts. */
  private static final Map<String, Check> CHECKS = new LinkedHashMap<>();

  static {
    CHECKS.put("examples/benchmarks/run.sh ", ShellSnippetsTest::benchmark);
    CHECKS.put("examples/", ShellSnippetsTest::runByCi);
    CHECKS.put("mvn -B -ntp verify", ShellSnippetsTest::runByCi);
    CHECKS.put("mvn -B -ntp -DskipTests package -pl ", ShellSnippetsTest::built);
    CHECKS.put("java -jar io-doris/target/", command -> EMULATOR.start(command));
    CHECKS.put("java -jar tidemark-bundle.jar yaml ", ShellSnippetsTest::yaml);
    CHECKS.put("curl ", command -> EMULATOR.curl(command));
    CHECKS.put("tidemark ", ShellSnippetsTest::tidemark);
    CHECKS.put("bin/tidemark ", ShellSnippetsTest::tidemark);
    CHECKS.put("flink stop ", ShellSnippetsTest::flinkStop);
    CHECKS.put("--", ShellSnippetsTest::pipelineOptions);
    CHECKS.put("python3 docs/ets1.py ", ShellSnippetsTest::sketchReader);
  }

  private static Path warehouse;

  /** Fails if a command does not do what it is there for. */
  @FunctionalInterface
  private interface Check {
    void run(String command) throws Exception;
  }

  @BeforeClass
  public static void createTable() throws Exception {
    warehouse = TEMP.newFolder().toPath();
    DocumentedTable.create(warehouse);
  }

  @AfterClass
  public static void stopEmulator() {
    EMULATOR.close();
  }

  @Test
  public void commandsOfTheDocumentationWork() throws Exception {
    List<String> failures = new ArrayList<>();
    int commands = 0;
    String page = "";
    for (Snippet snippet : Snippet.all()) {
      if (!snippet.is("sh") || snippet.file().equals(YourOwnTableTest.PAGE)) {
        continue;
      }
      if (!snippet.file().equals(page)) {
        // What a page does to the table is not there for the next one.
        DocumentedTable.restore(warehouse);
        page = snippet.file();
      }
      for (String command : snippet.commands()) {
        commands++;
        try {
          check(command);
        } catch (Exception | AssertionError e) {
          failures.add(snippet + ": " + command + "\n" + e);
        }
      }
    }
    assertThat("commands", commands, greaterThan(10));
    assertThat(String.join("\n", failures), failures, is(empty()));
  }

  /** A new command has to find a check of its own. */
  @Test
  public void commandThatNothingRunsIsRefused() {
    String refused =
        assertThrows(IllegalArgumentException.class, () -> check("rm -rf warehouse")).getMessage();

    assertThat(refused, startsWith("Nothing runs this command: rm -rf warehouse"));
  }

  @Test
  public void commandThatFailsIsFound() {
    assertThrows(AssertionError.class, () -> check("tidemark wait --table shop.orders"));
    assertThrows(AssertionError.class, () -> check("examples/benchmarks/run.sh unheard-of"));
    assertThrows(Exception.class, () -> check("--checkpointingIntervall=60000"));
  }

  private static void check(String command) throws Exception {
    for (Map.Entry<String, Check> check : CHECKS.entrySet()) {
      if (command.startsWith(check.getKey())) {
        check.getValue().run(command);
        return;
      }
    }
    throw new IllegalArgumentException(
        "Nothing runs this command: " + command + ". Add a check of it, or show another one");
  }

  private static void runByCi(String command) throws Exception {
    String script = Files.readString(Snippet.root().resolve(".ci/run"));
    assertThat(script, containsString(command));
  }

  /** The build that runs this test does it too; here it is only that there is such a module. */
  private static void built(String command) {
    String module = words(command).get(words(command).indexOf("-pl") + 1);
    assertThat(Files.exists(Snippet.root().resolve(module).resolve("pom.xml")), is(true));
  }

  /** A suite takes up to an hour, so only the script is run, up to where it would build. */
  private static void benchmark(String command) throws Exception {
    List<String> words = words(command);
    String script = Files.readString(Snippet.root().resolve(words.get(0)));
    assertThat(script, containsString("\n  " + words.get(1) + ")\n"));
    assertThat(run(List.of("bash", "-n", words.get(0))), is(0));
  }

  /** On the table of the documentation, which is somewhere else than it says. */
  private static void tidemark(String command) throws Exception {
    Path properties = TEMP.getRoot().toPath().resolve("lake.properties");
    Files.writeString(properties, "type=hadoop\nwarehouse=" + warehouse + "\n");
    List<String> words = new ArrayList<>(words(command).subList(1, words(command).size()));
    words.replaceAll(
        word -> {
          if (word.startsWith("warehouse=")) {
            return "warehouse=" + warehouse;
          }
          if (word.endsWith(".html")) {
            return TEMP.getRoot().toPath().resolve(word).toString();
          }
          return word.equals("lake.properties")
              ? properties.toString()
              : word.replaceAll("^'(.*)'$", "$1");
        });
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(output, true, StandardCharsets.UTF_8);
    int exit = TidemarkCommand.execute(print, print, words.toArray(new String[0]));
    assertThat(output.toString(StandardCharsets.UTF_8), exit, is(0));
  }

  /** By Flink's own command line, of a job that runs. */
  private static void flinkStop(String command) throws Exception {
    try (EmbeddedFlink flink = EmbeddedFlink.start()) {
      TidemarkFlinkOptions options = flink.options(1, 500);
      Pipeline pipeline = Pipeline.create(options);
      pipeline.apply(Read.from(IdSource.of(Long.MAX_VALUE, 10, false)));
      JobID job = flink.submit(pipeline);
      Path folder = TEMP.newFolder().toPath();
      // A savepoint is taken once all tasks run.
      flink.savepoint(job, folder);
      List<String> words = new ArrayList<>(words(command).subList(1, words(command).size()));
      words.replaceAll(word -> word.equals("<folder>") ? folder.toString() : word);
      words.replaceAll(word -> word.equals("<job>") ? job.toHexString() : word);
      words.addAll(1, List.of("--jobmanager", options.getFlinkMaster()));
      CliFrontend cli = new CliFrontend(new Configuration(), List.of(new DefaultCLI()));
      assertThat(cli.parseAndRun(words.toArray(new String[0])), is(0));
      assertThat(flink.await(job, 60).isSuccess(), is(true));
    }
  }

  /** Options that are shown on their own come to those that every pipeline has. */
  private static void pipelineOptions(String command) {
    TidemarkFlinkOptions options =
        PipelineOptionsFactory.fromArgs(words(command).toArray(new String[0]))
            .withValidation()
            .as(TidemarkFlinkOptions.class);
    if (options.getCheckpointingInterval() <= 0) {
      options.setCheckpointingInterval(60_000L);
    }
    TidemarkFlink.configure(options);
    assertThat(new FlinkPipelineCheck().problems(options), is(empty()));
  }

  /** Up to where the pipeline would run; YamlExamplesTest runs those of the examples. */
  private static void yaml(String command) {
    // What is in single quotes has double quotes, and no spaces.
    List<String> words = Splitter.on(' ').splitToList(command.replace("'", ""));
    List<String> args = new ArrayList<>(words.subList(words.indexOf("yaml") + 1, words.size()));
    args.replaceAll(arg -> arg.replace("examples/yaml/", Snippet.root() + "/examples/yaml/"));
    assertThat(YamlPipeline.of(args.toArray(new String[0])).getOptions().getJobName(), not(""));
  }

  private static void sketchReader(String command) throws Exception {
    List<String> words = new ArrayList<>(words(command));
    words.set(2, EventTimeSketch.of(3_600_000, 0, 1, 2).toText());
    assertThat(run(words), is(0));
  }

  private static int run(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .directory(Snippet.root().toFile())
            .redirectErrorStream(true)
            .redirectOutput(TEMP.newFile())
            .start();
    assertThat(command.toString(), process.waitFor(60, TimeUnit.SECONDS), is(true));
    return process.exitValue();
  }

  /** The words of a command; one in double quotes may have spaces. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(word.group().replace("\"", ""));
    }
    return words;
  }
}
