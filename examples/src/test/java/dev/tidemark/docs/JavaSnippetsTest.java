package dev.tidemark.docs;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Every Java block of README.md and docs compiles; one that is said to be from a file is in it, and
 * that compiles with its module.
 */
@RunWith(JUnit4.class)
public class JavaSnippetsTest {
  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  @Test
  public void javaOfTheDocumentationCompiles() throws Exception {
    List<Snippet> snippets =
        Snippet.all().stream().filter(each -> each.is("java") && each.excerptOf() == null).toList();
    assertThat("Java blocks", snippets.size(), greaterThan(20));

    assertThat(errors(snippets), is(empty()));
  }

  @Test
  public void excerptsAreInTheirFiles() throws Exception {
    List<String> missing = new ArrayList<>();
    int excerpts = 0;
    for (Snippet snippet : Snippet.all()) {
      Path file = snippet.excerptOf();
      if (file != null) {
        excerpts++;
        if (!squeezed(Files.readString(file)).contains(squeezed(snippet.text()))) {
          missing.add(snippet + " is not in " + file);
        }
      }
    }
    assertThat("excerpts", excerpts, greaterThan(1));
    assertThat(missing, is(empty()));
  }

  /** The code may stand elsewhere in the line. */
  private static String squeezed(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }

  /** The check is worth nothing if it takes what is wrong. */
  @Test
  public void javaThatDoesNotCompileIsFoundInItsLine() throws Exception {
    String text = "Policies.allOf(\n    Policies.minOfMaxes())\n";
    Snippet wrong = new Snippet("docs/wrong.md", 10, "java", text, "");

    assertThat(errors(List.of(wrong)), hasItem(startsWith("docs/wrong.md:11: ")));
  }

  private List<String> errors(List<Snippet> snippets) throws Exception {
    List<JavaSource> sources = new ArrayList<>();
    for (Snippet snippet : snippets) {
      sources.add(JavaSource.of(snippet, sources.size()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-d", temp.newFolder().toString(), "-cp", Jvm.classPath());
    compiler.getTask(null, null, found, options, null, sources).call();
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(JavaSnippetsTest::place)
        .toList();
  }

  private static String place(Diagnostic<? extends JavaFileObject> error) {
    String place =
        error.getSource() instanceof JavaSource source
            ? source.place(error.getLineNumber())
            : String.valueOf(error.getSource());
    return place + ": " + error.getMessage(null);
  }
}
