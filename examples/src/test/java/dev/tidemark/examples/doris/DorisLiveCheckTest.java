package dev.tidemark.examples.doris;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.doris.emulator.DatetimeBehaviour;
import dev.tidemark.doris.emulator.DorisEmulator;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The check of live clusters holds for the emulator, of which everything is known. */
@RunWith(JUnit4.class)
public class DorisLiveCheckTest {
  private static String check(DatetimeBehaviour behaviour) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DorisEmulator doris =
            DorisEmulator.builder()
                .user("admin")
                .password("s3cret")
                .datetimeBehaviour(behaviour)
                .start();
        PrintStream out = new PrintStream(bytes, true, UTF_8)) {
      int exit = new DorisLiveCheck(doris.frontend(), "admin", "s3cret", out).run();
      assertThat(bytes.toString(UTF_8), exit, is(0));
    }
    return bytes.toString(UTF_8);
  }

  @Test
  public void allChecksHoldForTheEmulator() throws Exception {
    String text = check(DatetimeBehaviour.WALL_CLOCK);
    assertThat(text, containsString("stored as meant with WALL_CLOCK"));
    assertThat(text, containsString("All checks hold."));
    assertThat(text, not(containsString("s3cret")));
  }

  @Test
  public void legacyTimestampsAreFoundOut() throws Exception {
    assertThat(
        check(DatetimeBehaviour.LEGACY_PLUS_8),
        containsString("stored as meant with LEGACY_PLUS_8"));
  }
}
