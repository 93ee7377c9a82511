package dev.tidemark.once;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;

import java.util.ArrayList;
import java.util.List;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RetryDelaysTest {
  private final RetryDelays<String> delays = new RetryDelays<>();

  @Test
  public void delayDoublesUpToAMinute() {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      seconds.add(delays.failed("a").getStandardSeconds());
    }

    assertThat(seconds, contains(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L));
  }

  @Test
  public void delayStaysAMinuteHoweverOftenItFails() {
    for (int i = 0; i < 10_000; i++) {
      delays.failed("a");
    }

    assertThat(delays.failed("a"), is(Duration.standardMinutes(1)));
  }

  @Test
  public void successForgetsTheFailuresOfItsKeyAlone() {
    delays.failed("a");
    delays.failed("b");
    delays.succeeded("a");

    assertThat(delays.failed("a"), is(Duration.standardSeconds(1)));
    assertThat(delays.failed("b"), is(Duration.standardSeconds(2)));
  }
}
