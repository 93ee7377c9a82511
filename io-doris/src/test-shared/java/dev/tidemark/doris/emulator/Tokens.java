package dev.tidemark.doris.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The words of a statement, one after the other. */
final class Tokens {

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s+|--[^\\n]*|`(?<quoted>[^`]+)`|'(?<single>(?:[^'\\\\]|\\\\.)*)'"
              + "|\"(?<doubled>(?:[^\"\\\\]|\\\\.)*)\"|(?<number>-?\\d+(?:\\.\\d+)?(?![\\p{L}\\p{N}_$@]))"
              + "|(?<word>[\\p{L}\\p{N}_$@]+)|(?<sign>[().,<>=:;*])");

  /**
   * One word.
   *
   * @param literal whether it was in quotes
   */
  private record Token(String text, boolean literal) {}

  private final String statement;
  private final List<Token> tokens = new ArrayList<>();
  private int position;

  Tokens(String statement) {
    this.statement = statement;
    Matcher matcher = TOKEN.matcher(statement);
    int end = 0;
    while (end < statement.length()) {
      if (!matcher.find() || matcher.start() != end) {
        throw new StatementException(
            "Syntax error at position " + end + " of statement: " + statement);
      }
      end = matcher.end();
      add(matcher);
    }
  }

  private void add(Matcher matcher) {
    String single = matcher.group("single");
    String doubled = matcher.group("doubled");
    if (single != null) {
      tokens.add(new Token(unescape(single), true));
    } else if (doubled != null) {
      tokens.add(new Token(unescape(doubled), true));
    } else {
      for (String group : List.of("quoted", "word", "number", "sign")) {
        String text = matcher.group(group);
        if (text != null) {
          tokens.add(new Token(text, false));
        }
      }
    }
  }

  private static String unescape(String text) {
    return text.replaceAll("\\\\(.)", "$1");
  }

  boolean hasNext() {
    return position < tokens.size();
  }

  String next() {
    if (!hasNext()) {
      throw new StatementException("Syntax error: unexpected end of statement: " + statement);
    }
    return tokens.get(position++).text();
  }

  int nextInt() {
    String text = next();
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw error("a number", text);
    }
  }

  /** The text of a literal in quotes. */
  String nextLiteral() {
    if (hasNext() && !tokens.get(position).literal()) {
      throw error("a literal", tokens.get(position).text());
    }
    return next();
  }

  @Nullable String peek() {
    return hasNext() ? tokens.get(position).text() : null;
  }

  /** Goes on behind some words if they come next, whatever their case. */
  boolean skip(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (position + i >= tokens.size()
          || tokens.get(position + i).literal()
          || !tokens.get(position + i).text().equalsIgnoreCase(words[i])) {
        return false;
      }
    }
    position += words.length;
    return true;
  }

  void expect(String... words) {
    if (!skip(words)) {
      throw error(String.join(" ", words), hasNext() ? tokens.get(position).text() : "the end");
    }
  }

  private StatementException error(String expected, String found) {
    return new StatementException(
        "Syntax error: expected " + expected + " but found " + found + " in: " + statement);
  }
}
