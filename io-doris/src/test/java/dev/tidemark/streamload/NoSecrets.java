package dev.tidemark.streamload;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.hamcrest.Description;
import org.hamcrest.Matcher;
import org.hamcrest.TypeSafeMatcher;

/** Looks for the tests' password in texts, in all the spellings it could have. */
final class NoSecrets extends TypeSafeMatcher<String> {
  private static final List<String> SPELLINGS =
      List.of(
          Fixtures.PASSWORD,
          URLEncoder.encode(Fixtures.PASSWORD, StandardCharsets.UTF_8),
          URLEncoder.encode(Fixtures.PASSWORD, StandardCharsets.UTF_8).replace("+", "%20"),
          "S3cr3t",
          Base64.getEncoder()
              .encodeToString(
                  (Fixtures.USER + ":" + Fixtures.PASSWORD).getBytes(StandardCharsets.UTF_8)));

  static Matcher<String> noSecrets() {
    return new NoSecrets();
  }

  /** Everything a failure prints, with causes and suppressed ones. */
  static String printed(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Override
  protected boolean matchesSafely(String text) {
    return SPELLINGS.stream().noneMatch(text::contains);
  }

  @Override
  public void describeTo(Description description) {
    description.appendText("a text without the password in any spelling");
  }
}
