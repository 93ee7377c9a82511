package dev.tidemark.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * References to secrets within texts: <code>${env:NAME}</code>, an environment variable, and <code>
 * ${file:/path}</code>, the content of a file without the line break at its end. Configurations
 * hold references only, so that no secret is in a job graph; workers resolve them.
 */
public final class Secrets {
  /** Matches a text that is a reference and nothing else. */
  public static final String REFERENCE = "\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^}]+)\\}";

  private static final Pattern REFERENCES = Pattern.compile(REFERENCE);

  private static final Pattern LINE_BREAK_AT_END = Pattern.compile("\\r?\\n\\z");

  private Secrets() {}

  /** What is left of a text without its references. */
  public static String withoutReferences(String text) {
    return REFERENCES.matcher(text).replaceAll("");
  }

  /** Whether there is a reference in a text. */
  public static boolean holdsReference(String text) {
    return REFERENCES.matcher(text).find();
  }

  /** Whether all references in a text can be resolved in this process. */
  public static boolean canResolve(String text) {
    Matcher matcher = REFERENCES.matcher(text);
    while (matcher.find()) {
      String target = target(matcher);
      if (isVariable(matcher)
          ? System.getenv(target) == null
          : !Files.isReadable(Path.of(target))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The text with the secrets in the place of references.
   *
   * @throws IllegalStateException if there is no such variable or file, naming it
   */
  public static String resolve(String text) {
    return REFERENCES.matcher(text).replaceAll(match -> Matcher.quoteReplacement(secret(match)));
  }

  private static String secret(MatchResult match) {
    String target = target(match);
    if (isVariable(match)) {
      String value = System.getenv(target);
      if (value == null) {
        throw new IllegalStateException(
            String.format(
                "Cannot resolve %s: the environment has no such variable. Set it for all processes of"
                    + " the cluster",
                match.group()));
      }
      return value;
    }
    try {
      return LINE_BREAK_AT_END.matcher(Files.readString(Path.of(target), UTF_8)).replaceFirst("");
    } catch (IOException e) {
      throw new IllegalStateException(
          String.format(
              "Cannot resolve %s: the file cannot be read. Mount it into all processes of the cluster",
              match.group()),
          e);
    }
  }

  private static boolean isVariable(MatchResult match) {
    return match.group(1).startsWith("env:");
  }

  private static String target(MatchResult match) {
    return match.group(1).substring(match.group(1).indexOf(':') + 1);
  }
}
