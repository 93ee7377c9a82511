package dev.tidemark.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what went wrong and what to do, without any secret. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    String message =
        failure instanceof UnmatchedArgumentException unmatched
            ? unmatched(unmatched.getUnmatched())
            : String.valueOf(failure.getMessage());
    print(
        command,
        "%s Try '%s --help'."
            .formatted(sentence(message), command.getCommandSpec().qualifiedName()),
        failure);
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

  private static void print(CommandLine command, String message, Exception failure) {
    UnaryOperator<String> scrub = UnaryOperator.identity();
    boolean debug = false;
    Object verb = command.getCommand();
    if (verb instanceof TableVerb tableVerb) {
      scrub = tableVerb.table()::scrub;
      debug = tableVerb.debug();
    }
    PrintWriter err = command.getErr();
    err.println("tidemark: " + line(scrub.apply(message)));
    if (debug) {
      StringWriter stack = new StringWriter();
      failure.printStackTrace(new PrintWriter(stack, true));
      err.print(scrub.apply(stack.toString()));
    }
    err.flush();
  }

  /** Values are left out: a mistyped option may have been followed by a password. */
  private static String unmatched(List<String> arguments) {
    StringBuilder names = new StringBuilder("Unknown argument:");
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      names.append(' ').append(equals < 0 ? argument : argument.substring(0, equals + 1) + "***");
    }
    return names.toString();
  }

  private static String sentence(String message) {
    return message.endsWith(".") ? message : message + ".";
  }
}
