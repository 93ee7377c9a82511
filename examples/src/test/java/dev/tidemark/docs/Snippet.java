package dev.tidemark.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A fenced block of the documentation.
 *
 * @param file from the root of the checkout
 * @param line where its text begins, from 1
 * @param language what stands behind the fence; empty for plain text
 * @param before the last line of text above it
 */
record Snippet(String file, int line, String language, String text, String before) {
  private static final String FENCE = "```";
  private static final Pattern EXCERPT =
      Pattern.compile("^From \\[.*\\]\\(\\.\\./(\\S+\\.java)\\):$");

  /** All blocks of README.md and docs. */
  static List<Snippet> all() throws IOException {
    Path root = root();
    List<Path> files = new ArrayList<>(List.of(root.resolve("README.md")));
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(files::add);
    }
    List<Snippet> snippets = new ArrayList<>();
    for (Path file : files) {
      snippets.addAll(in(root, file));
    }
    return snippets;
  }

  /** Surefire runs in the module's folder, an IDE in the root. */
  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("docs")) ? here : here.getParent();
  }

  static List<Snippet> in(Path root, Path file) throws IOException {
    List<Snippet> snippets = new ArrayList<>();
    String language = null;
    String before = "";
    int begin = 0;
    StringBuilder text = new StringBuilder();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.startsWith(FENCE)) {
        if (language != null) {
          text.append(line).append('\n');
        } else if (!line.isBlank()) {
          before = line;
        }
      } else if (language == null) {
        language = line.substring(FENCE.length()).strip();
        begin = i + 2;
        text.setLength(0);
      } else {
        String name = root.relativize(file).toString();
        snippets.add(new Snippet(name, begin, language, text.toString(), before));
        language = null;
      }
    }
    if (language != null) {
      throw new IllegalStateException(file + ":" + begin + ": the block has no end");
    }
    return snippets;
  }

  boolean is(String other) {
    return language.equals(other);
  }

  /**
   * The source file that it is a part of, by the link in the line above it; null if it is none's.
   */
  @Nullable Path excerptOf() {
    Matcher link = EXCERPT.matcher(before);
    return link.find() ? root().resolve(link.group(1)) : null;
  }

  /** The commands in it: lines without comments, with those that a backslash continues. */
  List<String> commands() {
    String joined = text.replaceAll("\\\\\\n\\s*", " ");
    return joined
        .lines()
        .map(line -> line.replaceAll("(^|\\s)#\\s.*$", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }

  @Override
  public String toString() {
    return file + ":" + line;
  }
}
