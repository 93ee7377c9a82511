package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.CharMatcher;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * Reads policies from text: {@code name(argument, ...)}, where an argument is a literal or another
 * policy.
 */
final class PolicyParser {

  private static final int MAX_CHARS = 2_000;
  private static final int MAX_DEPTH = 8;
  private static final CharMatcher WORD =
      CharMatcher.inRange('a', 'z')
          .or(CharMatcher.inRange('A', 'Z'))
          .or(CharMatcher.inRange('0', '9'))
          .or(CharMatcher.is('.'));

  /** A word and, where it was followed by parentheses, what they hold. */
  private record Term(String word, @Nullable List<Term> arguments) {}

  private final String text;
  private final Lookback whereLeftOut;
  private int at;

  private PolicyParser(String text, Lookback whereLeftOut) {
    this.text = text;
    this.whereLeftOut = whereLeftOut;
  }

  static FinalizationPolicy parse(String text, Lookback whereLeftOut) {
    try {
      checkArgument(text.length() <= MAX_CHARS, "more than %s characters", MAX_CHARS);
      PolicyParser parser = new PolicyParser(text, whereLeftOut);
      Term term = parser.term(0);
      parser.skipBlanks();
      checkArgument(parser.at == text.length(), "something follows at character %s", parser.at);
      return parser.policy(term);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw new IllegalArgumentException(
          "Cannot read a finalization policy: "
              + e.getMessage()
              + ". Use minOfMins(commits, duration), percentile(fraction, commits, duration),"
              + " lateBudget(records, commits, duration), lateBudgetFraction(fraction, commits,"
              + " duration), inputWatermark(holdback) or allOf(policy, ...)",
          e);
    }
  }

  private Term term(int depth) {
    checkArgument(depth <= MAX_DEPTH, "nested more than %s deep", MAX_DEPTH);
    skipBlanks();
    int start = at;
    while (at < text.length() && WORD.matches(text.charAt(at))) {
      at++;
    }
    checkArgument(at > start, "a word is missing at character %s", at);
    String word = text.substring(start, at);
    if (!accept('(')) {
      return new Term(word, null);
    }
    List<Term> arguments = new ArrayList<>();
    if (!accept(')')) {
      do {
        arguments.add(term(depth + 1));
      } while (accept(','));
      checkArgument(accept(')'), "a comma or a parenthesis is missing at character %s", at);
    }
    return new Term(word, arguments);
  }

  private boolean accept(char expected) {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == expected) {
      at++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private FinalizationPolicy policy(Term term) {
    List<Term> arguments = term.arguments();
    checkArgument(arguments != null, "%s is no policy", term.word());
    return switch (term.word()) {
      case "minOfMins" -> Policies.minOfMins(lookback(arguments, 0));
      case "percentile" -> Policies.percentile(fraction(arguments), lookback(arguments, 1));
      case "lateBudget" ->
          Policies.lateBudget(Long.parseLong(first(arguments)), lookback(arguments, 1));
      case "lateBudgetFraction" ->
          Policies.lateBudgetFraction(fraction(arguments), lookback(arguments, 1));
      case "inputWatermark" -> {
        checkArgument(arguments.size() == 1, "inputWatermark takes one argument");
        yield Policies.inputWatermark(duration(first(arguments)));
      }
      case "allOf" ->
          Policies.allOf(arguments.stream().map(this::policy).toArray(FinalizationPolicy[]::new));
      default -> throw new IllegalArgumentException(term.word() + " is no known policy");
    };
  }

  private Lookback lookback(List<Term> arguments, int from) {
    int size = arguments.size() - from;
    checkArgument(
        size == 0 || size == 2 || size == 3,
        "a lookback takes commits, a duration and perhaps a minimum of commits");
    if (size == 0) {
      return whereLeftOut;
    }
    Lookback lookback =
        Lookback.of(
            Integer.parseInt(literal(arguments.get(from))),
            duration(literal(arguments.get(from + 1))));
    return size == 2
        ? lookback
        : lookback.withMinCommits(Integer.parseInt(literal(arguments.get(from + 2))));
  }

  private static double fraction(List<Term> arguments) {
    return Double.parseDouble(first(arguments));
  }

  private static Duration duration(String literal) {
    return Duration.millis(java.time.Duration.parse(literal).toMillis());
  }

  private static String first(List<Term> arguments) {
    checkArgument(!arguments.isEmpty(), "an argument is missing");
    return literal(arguments.get(0));
  }

  private static String literal(Term term) {
    checkArgument(term.arguments() == null, "%s(...) stands where a number belongs", term.word());
    return term.word();
  }
}
