package dev.tidemark.docs;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;

/** A snippet as something that compiles: a class as it is, else within one. */
final class JavaSource extends SimpleJavaFileObject {
  private static final Pattern CLASS =
      Pattern.compile("^public (?:final )?class (\\w+)", Pattern.MULTILINE);
  private static final String HEADER =
      String.join(
          " ",
          "import java.math.BigDecimal; import java.net.URI; import java.time.ZoneId; import java.time.temporal.ChronoUnit;",
          "import java.util.*; import dev.tidemark.action.*; import dev.tidemark.arrow.*; import dev.tidemark.catalog.*;",
          "import dev.tidemark.change.*; import dev.tidemark.doris.*;",
          "import dev.tidemark.doris.emulator.*; import dev.tidemark.eventtime.*;",
          "import dev.tidemark.finalization.*; import dev.tidemark.flink.*;",
          "import dev.tidemark.iceberg.*; import dev.tidemark.merge.*; import dev.tidemark.operator.*;",
          "import dev.tidemark.report.*; import dev.tidemark.sensor.*;",
          "import dev.tidemark.upsert.*;",
          "import org.apache.arrow.memory.BufferAllocator; import org.apache.beam.sdk.Pipeline;",
          "import org.apache.beam.sdk.io.FileSystems; import org.apache.beam.sdk.io.kafka.KafkaIO;",
          "import org.apache.beam.sdk.options.PipelineOptionsFactory;",
          "import org.apache.beam.sdk.transforms.*; import org.apache.beam.sdk.values.*;",
          "import org.apache.beam.sdk.transforms.errorhandling.BadRecord;",
          "import org.apache.iceberg.catalog.TableIdentifier;");

  private final Snippet snippet;
  private final String source;

  private JavaSource(Snippet snippet, String name, String source) {
    super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
    this.snippet = snippet;
    this.source = source;
  }

  static JavaSource of(Snippet snippet, int number) {
    Matcher declared = CLASS.matcher(snippet.text());
    if (declared.find()) {
      return new JavaSource(snippet, declared.group(1), snippet.text());
    }
    String name = "Snippet" + number;
    String source =
        "%s import %s.Duration; class %s extends dev.tidemark.docs.SnippetContext { void run() throws Exception { %s } }"
            .formatted(HEADER, durations(snippet.text()), name, statements(snippet.text()));
    return new JavaSource(snippet, name, source);
  }

  /** Beam's durations are Joda's, the sensor's are Java's. */
  private static String durations(String text) {
    return text.contains("Duration.of") ? "java.time" : "org.joda.time";
  }

  private static String statements(String text) {
    String given = text.replaceAll("= \\.\\.\\.;", "= null;").replaceAll("(?m)^\\s*\\.\\.\\.$", "");
    String code = given.replaceAll("(?m)(^|\\s)//.*$", "").strip();
    if (code.endsWith(";") || code.endsWith("}")) {
      return given;
    }
    String start = code.startsWith(".") ? "TidemarkIcebergIO.writeRows()" : "";
    return "Object it = " + start + given + "\n;";
  }

  /** A line of this source as a place in the documentation. */
  String place(long line) {
    return snippet.file() + ":" + (snippet.line() + line - 1);
  }

  @Override
  public CharSequence getCharContent(boolean ignoreEncodingErrors) {
    return source;
  }
}
