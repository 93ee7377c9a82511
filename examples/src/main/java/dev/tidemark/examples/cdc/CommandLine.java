package dev.tidemark.examples.cdc;

import com.google.common.base.Joiner;
import dev.tidemark.flink.TidemarkFlink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.options.ExperimentalOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** Reads and checks the options of a command line, and sets what they imply. */
final class CommandLine {
  /** Names a JSON object of options; what stands on the command line goes before it. */
  private static final String FILE = "--parameterFile=";

  /**
   * KafkaIO's reading by a source: it keeps its place when a job is rescaled, its splittable
   * function does not.
   */
  private static final String LEGACY_READ = "use_deprecated_read";

  private CommandLine() {}

  /**
   * Reads the options.
   *
   * @throws IllegalArgumentException with everything that is wrong, each naming its option
   */
  static CdcOptions parse(String... args) {
    List<String> all = withFile(args);
    CdcOptions options = options(all);
    if (all.stream().noneMatch(arg -> arg.startsWith("--runner="))
        || options.getRunner().equals(FlinkRunner.class)) {
      TidemarkFlink.configure(options);
    }
    ExperimentalOptions.addExperiment(options.as(ExperimentalOptions.class), LEGACY_READ);
    OptionsCheck.check(options);
    return options;
  }

  private static CdcOptions options(List<String> args) {
    try {
      return PipelineOptionsFactory.fromArgs(args.toArray(new String[0])).as(CdcOptions.class);
    } catch (RuntimeException e) {
      // Beam stops at the first one, and does not always say which it is.
      List<String> problems = new ArrayList<>();
      for (String arg : args) {
        String problem = problem(arg);
        if (problem != null) {
          problems.add(problem);
        }
      }
      if (problems.isEmpty()) {
        throw e;
      }
      throw refusal(problems);
    }
  }

  private static String problem(String arg) {
    try {
      PipelineOptionsFactory.fromArgs(arg).as(CdcOptions.class);
      return null;
    } catch (RuntimeException e) {
      String name = name(arg);
      Parameters.Spec spec = Parameters.all().get(name);
      return spec == null
          ? String.format("Option --%s: %s", name, e.getMessage())
          : String.format(
              "Option --%s is '%s'; it must be %s", name, value(arg), OptionsCheck.expects(spec));
    }
  }

  private static String name(String arg) {
    int end = arg.indexOf('=');
    return arg.substring(arg.startsWith("--") ? 2 : 0, end < 0 ? arg.length() : end);
  }

  private static String value(String arg) {
    return arg.substring(arg.indexOf('=') + 1);
  }

  static IllegalArgumentException refusal(List<String> problems) {
    return new IllegalArgumentException(
        String.format(
            "Cannot run the pipeline: %s wrong.%n- %s",
            problems.size() == 1 ? "one option is" : problems.size() + " options are",
            Joiner.on(String.format("%n- ")).join(problems)));
  }

  private static List<String> withFile(String... args) {
    List<String> fromFile = new ArrayList<>();
    List<String> given = new ArrayList<>();
    for (String arg : args) {
      if (arg.startsWith(FILE)) {
        fromFile.addAll(read(value(arg)));
      } else {
        given.add(arg);
      }
    }
    fromFile.removeIf(arg -> given.stream().anyMatch(other -> name(other).equals(name(arg))));
    fromFile.addAll(given);
    return fromFile;
  }

  private static List<String> read(String file) {
    try {
      List<String> args = new ArrayList<>();
      JsonTexts.parse("--parameterFile", Files.readString(Path.of(file)))
          .forEach((name, value) -> args.add("--" + name + "=" + value));
      return args;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot read the options of --parameterFile=%s: %s. Correct the path",
              file, e.getMessage()),
          e);
    }
  }
}
