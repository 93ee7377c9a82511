package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class IsoTimesTest {
  private static final String[] REFUSED = {
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-00-01",
    "2026-01-00",
    "2026-1-1",
    "2026-01-01T",
    "2026-01-01T1",
    "2026-01-01T10",
    "2026-01-01T24:00",
    "2026-01-01T10:60",
    "2026-01-01T10:00:60",
    "2026-01-01T10:00:00.",
    "2026-01-01T10:00:00.Z",
    "2026-01-01T10:00:00ZZ",
    "2026-01-01T10:00:00+",
    "2026-01-01T10:00:00+1",
    "2026-01-01T10:00:00+01:",
    "2026-01-01T10:00:00+01:6",
    "2026-01-01T10:00:00+19:00",
    "2026-01-01T10:00:00 Z",
    "2026-01-01Z",
    "2026-01-01x",
    "+2026-01-01",
    " 2026-01-01",
    "20260101T100000Z",
    "\u0662\u0660\u0662\u0666-01-01",
  };

  @Test
  public void malformedTextsAreUnparsable() {
    for (String text : REFUSED) {
      assertThat(text, IsoTimes.millis(text, ZoneOffset.UTC), is(EventTimeExtractor.UNPARSABLE));
    }
  }

  @Test
  public void everyPrefixAndMutationReadsOrIsUnparsable() {
    String text = "2026-01-31T10:11:12.1314+05:45";
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder mutated = new StringBuilder(text);
      mutated.setCharAt(random.nextInt(text.length()), (char) (' ' + random.nextInt(95)));
      mutated.setLength(random.nextInt(text.length() + 1));
      long millis = IsoTimes.millis(mutated.toString(), ZoneOffset.UTC);
      assertThat(
          mutated.toString(),
          millis == EventTimeExtractor.UNPARSABLE || EventTimeExtractor.isEventTime(millis),
          is(true));
    }
  }

  @Test
  public void agreesWithJavaTime() {
    Random random = new Random(2);
    ZoneId zone = ZoneId.of("Australia/Lord_Howe");
    for (int i = 0; i < 20_000; i++) {
      long second = random.nextLong(-60_000_000_000L, 250_000_000_000L);
      Instant instant = Instant.ofEpochSecond(second, random.nextInt(1_000_000_000));
      int minutes = random.nextInt(36 * 60) - 18 * 60;
      OffsetDateTime offset = instant.atOffset(ZoneOffset.ofTotalSeconds(minutes * 60));
      long expected = instant.toEpochMilli();
      assertThat(IsoTimes.millis(instant.toString(), zone), is(expected));
      assertThat(IsoTimes.millis(offset.toString(), zone), is(expected));
      LocalDateTime local = offset.toLocalDateTime();
      assertThat(
          IsoTimes.millis(local.toString(), zone),
          is(local.atZone(zone).toInstant().toEpochMilli()));
    }
  }

  @Test
  public void offsetsWithAndWithoutColonAndMinutesAreRead() {
    long expected = Instant.parse("2026-01-01T10:00:00Z").toEpochMilli();
    for (String text :
        new String[] {
          "2026-01-01T12:00+02",
          "2026-01-01T12:00+0200",
          "2026-01-01t12:00:00+02:00",
          "2026-01-01 06:30:00.000000000-0330",
          "2026-01-01T10:00z"
        }) {
      assertThat(text, IsoTimes.millis(text, ZoneOffset.UTC), is(expected));
    }
  }
}
