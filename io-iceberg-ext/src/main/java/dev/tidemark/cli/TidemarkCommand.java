package dev.tidemark.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tidemark}; see the package for its exit codes. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    versionProvider = TidemarkCommand.Version.class,
    synopsisSubcommandLabel = "VERB",
    description =
        "Tells until when an Iceberg table is finalized, waits for it, and lets operators act on it.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:finalized, or done",
      "1:error",
      "2:wrong usage",
      "3:not finalized yet, not covered, or invalidated",
      "4:timed out",
      "5:finalized, and late data was seen (only with --fail-on-late)",
      "6:doctor found an error (with --fail-on warning: or a warning)"
    })
public final class TidemarkCommand implements Runnable {
  @Spec private CommandSpec spec;

  private TidemarkCommand() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(execute(System.out, System.err, args));
  }

  /**
   * Runs the command within a program.
   *
   * @return the exit code, as the package documentation lists them
   */
  public static int execute(PrintStream out, PrintStream err, String... args) {
    CommandLine command = commandLine(Environment.system());
    command.setOut(new PrintWriter(out, false, StandardCharsets.UTF_8));
    command.setErr(new PrintWriter(err, false, StandardCharsets.UTF_8));
    int code = command.execute(args);
    command.getOut().flush();
    command.getErr().flush();
    return code;
  }

  static CommandLine commandLine(Environment environment) {
    Errors errors = new Errors();
    return new CommandLine(new TidemarkCommand())
        .addSubcommand(new CheckCommand(environment))
        .addSubcommand(new WaitCommand(environment))
        .addSubcommand(new ShowCommand(environment))
        .addSubcommand(new HistoryCommand(environment))
        .addSubcommand(new ReportCommand(environment))
        .addSubcommand(new SimulateCommand(environment))
        .addSubcommand(new DoctorCommand(environment))
        .addSubcommand(new PauseCommand(environment))
        .addSubcommand(new ResumeCommand(environment))
        .addSubcommand(new ResetCommand(environment))
        .addSubcommand(new WritersCommand(environment))
        .addSubcommand(new DisableCommand(environment))
        .addSubcommand(new CopyWatermarkCommand(environment))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Missing verb: give one of %s."
            .formatted(String.join(", ", spec.commandLine().getSubcommands().keySet())));
  }

  /** The version in the manifest of the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = TidemarkCommand.class.getPackage().getImplementationVersion();
      return new String[] {"tidemark " + (version == null ? "(version not known)" : version)};
    }
  }
}
