package dev.tidemark.once;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.io.BaseEncoding;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.util.CoderUtils;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class OnceCodersTest {
  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();
  private static final ArrivalCoder<String> ARRIVALS = ArrivalCoder.of(StringUtf8Coder.of());
  private static final HeldCoder<String> HELD = HeldCoder.of(ARRIVALS);
  private static final Coder<Numbering> NUMBERINGS = new Numbering.NumberingCoder();

  private static final Arrival<String> ELEMENT = Arrival.element("ab");
  private static final Arrival<String> BEAT =
      Arrival.heartbeat(Heartbeat.of(Instant.ofEpochMilli(-2), Instant.ofEpochMilli(258)));

  @Test
  public void arrivalOfAnElementKeepsItsBytes() throws Exception {
    assertGolden(ARRIVALS, ELEMENT, "10" + "026162");
  }

  @Test
  public void arrivalOfAHeartbeatKeepsItsBytes() throws Exception {
    assertGolden(ARRIVALS, BEAT, "11" + "fffffffffffffffe" + "0000000000000102");
  }

  @Test
  public void heldElementKeepsItsBytes() throws Exception {
    assertGolden(
        HELD,
        Held.of(-1, 300, 2, 1, ELEMENT),
        "01" + "ffffffffffffffff" + "ac02" + "02" + "01" + "10" + "026162");
  }

  @Test
  public void heldHeartbeatKeepsItsBytes() throws Exception {
    assertGolden(
        HELD,
        Held.of(5, 6, 0, 7, BEAT),
        "01"
            + "0000000000000005"
            + "06"
            + "00"
            + "07"
            + "11"
            + "fffffffffffffffe"
            + "0000000000000102");
  }

  @Test
  public void numberingKeepsItsBytes() throws Exception {
    assertGolden(NUMBERINGS, Numbering.of(300, 5), "01" + "ac02" + "05");
    assertGolden(NUMBERINGS, Numbering.START, "01" + "01" + "01");
  }

  @Test
  public void valuesSurviveInsideOtherValues() throws Exception {
    CoderProperties.coderDecodeEncodeEqual(ARRIVALS, ELEMENT);
    CoderProperties.coderDecodeEncodeEqual(ARRIVALS, BEAT);
    CoderProperties.coderDecodeEncodeEqual(HELD, Held.of(9, 8, 7, 6, ELEMENT));
    CoderProperties.coderDecodeEncodeEqual(NUMBERINGS, Numbering.of(Long.MAX_VALUE, 1));
    CoderProperties.coderSerializable(ARRIVALS);
    CoderProperties.coderSerializable(HELD);
    CoderProperties.coderSerializable(NUMBERINGS);
  }

  @Test
  public void unknownVersionsAreRefused() {
    assertRefused(ARRIVALS, "12" + "6162", "unknown version and kind 18");
    assertRefused(HELD, "02" + "00", "unknown version 2");
    assertRefused(NUMBERINGS, "02" + "0101", "unknown version 2");
    assertRefused(NUMBERINGS, "", "unknown version -1");
  }

  private static <T> void assertGolden(Coder<T> coder, T value, String hex) throws Exception {
    assertThat(HEX.encode(CoderUtils.encodeToByteArray(coder, value)), is(hex));
    assertThat(CoderUtils.decodeFromByteArray(coder, HEX.decode(hex)), is(value));
  }

  private static void assertRefused(Coder<?> coder, String hex, String message) {
    CoderException e =
        assertThrows(
            CoderException.class, () -> CoderUtils.decodeFromByteArray(coder, HEX.decode(hex)));
    assertThat(e.getMessage(), containsString(message));
  }
}
