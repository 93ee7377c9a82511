package dev.tidemark.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what went wrong and what to do, without any secret. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private static final Pattern OPTION = Pattern.compile("--[A-Za-z-]{1,40}|-[A-Za-z]");

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    boolean unmatched = failure instanceof UnmatchedArgumentException;
    String message =
        unmatched
            ? unmatched(command, ((UnmatchedArgumentException) failure).getUnmatched())
            : String.valueOf(failure.getMessage());
    print(
        command,
        "%s Try '%s --help'."
            .formatted(sentence(message), command.getCommandSpec().qualifiedName()),
        // Its stack quotes the arguments.
        unmatched ? null : failure);
    return ExitCodes.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult parseResult) {
    boolean own =
        failure instanceof IllegalArgumentException
            || failure.getClass().getName().startsWith("dev.tidemark.");
    String message = failure.getMessage();
    String said =
        own && message != null
            ? message
            : "Cannot %s: %s%s. Run it again with --debug for the stack."
                .formatted(
                    command.getCommandName(),
                    failure.getClass().getSimpleName(),
                    message == null ? "" : ": " + message);
    print(command, said, failure);
    return ExitCodes.ERROR;
  }

  /** A text without line breaks and other control characters. */
  static String line(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ").replaceAll("\\p{Cntrl}", "?");
  }

  private static void print(CommandLine command, String message, @Nullable Exception failure) {
    UnaryOperator<String> scrub = UnaryOperator.identity();
    boolean debug = false;
    Object verb = command.getCommand();
    if (verb instanceof TableVerb tableVerb) {
      scrub = tableVerb.table()::scrub;
      debug = tableVerb.debug();
    }
    PrintWriter err = command.getErr();
    err.println("tidemark: " + line(scrub.apply(message)));
    if (debug && failure != null) {
      StringWriter stack = new StringWriter();
      failure.printStackTrace(new PrintWriter(stack, true));
      err.print(scrub.apply(stack.toString()));
    }
    err.flush();
  }

  /** Names of options only: a mistyped one may have been followed by a password. */
  private static String unmatched(CommandLine command, List<String> arguments) {
    if (!(command.getCommand() instanceof TableVerb)) {
      return "Unknown verb or option: give one of "
          + String.join(", ", command.getSubcommands().keySet());
    }
    Set<String> names = new LinkedHashSet<>();
    for (String argument : arguments) {
      Matcher name = OPTION.matcher(argument);
      names.add(name.lookingAt() ? name.group() : "(a value)");
    }
    return "Unknown argument: " + String.join(" ", names);
  }

  private static String sentence(String message) {
    return message.endsWith(".") ? message : message + ".";
  }
}
