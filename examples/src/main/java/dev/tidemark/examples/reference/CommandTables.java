package dev.tidemark.examples.reference;

import dev.tidemark.cli.TidemarkCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The verbs, options and exit codes of the command line, as its own help tells them. */
final class CommandTables {
  private static final Pattern VERB = Pattern.compile("^  ([a-z][a-z-]*)  ");

  private CommandTables() {}

  static String all() {
    String help = help("--help");
    StringBuilder all = new StringBuilder("\n```\n").append(help).append("```\n");
    for (String verb : verbs(help)) {
      all.append("\n### `tidemark ")
          .append(verb)
          .append("`\n\n```\n")
          .append(help(verb, "--help"))
          .append("```\n");
    }
    return all.append('\n').toString();
  }

  private static List<String> verbs(String help) {
    return help.lines()
        .dropWhile(line -> !line.startsWith("Commands:"))
        .map(VERB::matcher)
        .filter(matcher -> matcher.find())
        .map(matcher -> matcher.group(1))
        .toList();
  }

  private static String help(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8)) {
      TidemarkCommand.execute(stream, stream, args);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
