package dev.tidemark.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes elements that are well-formed both as HTML and as XML. Every text and attribute passes
 * through here, and nothing of it can become markup: names of tables and writers are anybody's.
 */
final class Markup {
  private static final char REPLACEMENT = '\uFFFD';

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Opens an element; attributes are pairs of name and value. */
  Markup open(String tag, Object... attributes) {
    start(tag, attributes);
    out.append('>');
    open.push(tag);
    return this;
  }

  /** Closes the element opened last. */
  Markup close() {
    out.append("</").append(open.pop()).append(">\n");
    return this;
  }

  /** An element without content; of HTML only those that never have any. */
  Markup leaf(String tag, Object... attributes) {
    start(tag, attributes);
    out.append("/>");
    return this;
  }

  /** An element that holds a text. */
  Markup element(String tag, String text, Object... attributes) {
    return open(tag, attributes).text(text).close();
  }

  Markup text(String text) {
    escape(text);
    return this;
  }

  /** What {@link #toString} of another one gave, or what is known to be harmless. */
  Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  private void start(String tag, Object... attributes) {
    if (attributes.length % 2 != 0) {
      throw new IllegalArgumentException(
          "Invalid attributes of <%s>: %d values (must be pairs)"
              .formatted(tag, attributes.length));
    }
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(value(attributes[i + 1]));
      out.append('"');
    }
  }

  private static String value(Object value) {
    return value instanceof Double number ? number(number) : String.valueOf(value);
  }

  /** A coordinate: a tenth of a pixel is enough. */
  static String number(double number) {
    String text = String.format(Locale.ROOT, "%.1f", number);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  private void escape(String text) {
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\n', '\t' -> out.append(' ');
                default -> {
                  if (isPlain(point)) {
                    out.appendCodePoint(point);
                  } else {
                    out.append(REPLACEMENT);
                  }
                }
              }
            });
  }

  /** No control characters, which XML forbids, and none that turn the direction of what follows. */
  private static boolean isPlain(int point) {
    boolean turnsDirection =
        (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    boolean noCharacter = (point & 0xFFFE) == 0xFFFE || (point >= 0xD800 && point <= 0xDFFF);
    return !Character.isISOControl(point) && !turnsDirection && !noCharacter;
  }

  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("Elements are open: " + open);
    }
    return out.toString();
  }
}
