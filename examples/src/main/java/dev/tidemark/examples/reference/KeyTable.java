package dev.tidemark.examples.reference;

import dev.tidemark.commit.TidemarkKeys;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The keys that {@link TidemarkKeys} owns, with what it says of them. */
final class KeyTable {
  private static final String SOURCE =
      "io-iceberg-ext/src/main/java/dev/tidemark/commit/TidemarkKeys.java";

  /** A comment that says where the key is, and the method after it. */
  private static final Pattern KEY =
      Pattern.compile(
          "/\\*\\*((?:(?!\\*/)[\\s\\S])*?(?:Summary|Property)[^*]*(?:\\*(?!/)[^*]*)*)\\*/\\s*public String"
              + " (\\w+)\\(([^)]*)\\)");

  private KeyTable() {}

  static String of(Path root) throws IOException {
    List<String> rows = new ArrayList<>();
    String source = Files.readString(root.resolve(SOURCE));
    for (MatchResult key : KEY.matcher(source).results().toList()) {
      List<String> parameters = parameters(key.group(3));
      rows.add(
          "| `"
              + text(key.group(2), parameters)
              + "` | "
              + ReferencePage.cell(plain(key.group(1)))
              + " |\n");
    }
    rows.sort(null);
    return "| key | meaning |\n| --- | --- |\n" + String.join("", rows);
  }

  private static List<String> parameters(String declared) {
    return declared.isBlank()
        ? List.of()
        : Arrays.stream(declared.split(","))
            .map(parameter -> parameter.trim().replaceAll(".*\\s", ""))
            .toList();
  }

  /** The key with the names of what varies in it. */
  private static String text(String method, List<String> parameters) {
    Class<?>[] types = new Class<?>[parameters.size()];
    Object[] values = new Object[parameters.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = String.class;
      values[i] = "variable-" + parameters.get(i);
    }
    try {
      Method accessor = TidemarkKeys.class.getMethod(method, types);
      String key = (String) accessor.invoke(TidemarkKeys.main(), values);
      return key.replaceAll("variable-(\\w+?)(?:Id)?(?=[.]|$)", "<$1>");
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("Cannot tell the key of " + method, e);
    }
  }

  /** Javadoc as text. */
  private static String plain(String javadoc) {
    return javadoc
        .replaceAll("(?m)^\\s*\\*", " ")
        .replaceAll("\\{@(?:code|link)\\s+([^}]*)\\}", "`$1`")
        .replaceAll("\\s@\\w+[\\s\\S]*", "")
        .trim();
  }
}
