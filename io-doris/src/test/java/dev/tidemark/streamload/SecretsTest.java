package dev.tidemark.streamload;

import static dev.tidemark.streamload.NoSecrets.noSecrets;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class SecretsTest {
  private final Secrets secrets = new Secrets(Fixtures.USER, Fixtures.PASSWORD);

  @Test
  public void spellingsAreHidden() {
    String encoded = URLEncoder.encode(Fixtures.PASSWORD, StandardCharsets.UTF_8);
    String text =
        "%s | %s | %s | %s"
            .formatted(
                Fixtures.PASSWORD, encoded, encoded.replace("+", "%20"), secrets.authorization());
    assertThat(secrets.hide(text), is("*** | *** | *** | Basic ***"));
    assertThat(secrets.hide(text), noSecrets());
  }

  @Test
  public void userInformationOfAnybodyIsCutOutOfUrls() {
    assertThat(
        secrets.hide("see http://other:word@be:8040/x and https://a@b:1/y@z"),
        is("see http://be:8040/x and https://b:1/y@z"));
  }

  @Test
  public void passwordsThatProtectNothingDoNotGarbleTexts() {
    Secrets weak = new Secrets("root", "1");
    assertThat(
        weak.hide("1 of 11 rows, root:1 at http://root:1@be-1:1"),
        is("1 of 11 rows, *** at http://be-1:1"));
    assertThat(new Secrets("root", "").hide("nothing to hide"), is("nothing to hide"));
  }

  @Test
  public void textIsScrubbedBeforeItIsCut() {
    assertThat(secrets.scrub("x\r\n" + Fixtures.PASSWORD + "yz", 6), is("x ***y…"));
  }
}
