package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.candidates.MaterializerStatistics;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class UnmatchedLogTest {
  private final MaterializerStatistics statistics = new MaterializerStatistics();
  private final UnmatchedLog log = new UnmatchedLog();

  @Test
  public void messageCountsWhatCameSinceTheLastOne() {
    statistics.unmatchedKeyAbsent = 1;
    assertThat(log.message(3, 0xab, statistics, 0), notNullValue());
    statistics.unmatchedKeyAbsent = 5;
    statistics.unmatchedKeyKnown = 2;
    assertThat(
        log.message(7, 0xbeef, statistics, 60_000),
        startsWith(
            "6 retractions found no candidate since the last message: 2 of keys that have others, 4 of keys"
                + " that have none. One of them: shard 7, hash of the sink key 0000beef."));
  }

  @Test
  public void nothingIsSaidWithinAMinute() {
    log.message(3, 1, statistics, 10);
    assertThat(log.message(3, 1, statistics, 60_009), nullValue());
    assertThat(log.message(3, 1, statistics, 60_010), notNullValue());
  }

  @Test
  public void clockThatIsSetBackSilencesNothing() {
    log.message(3, 1, statistics, 1_000_000);
    assertThat(log.message(3, 1, statistics, 5), notNullValue());
  }
}
