package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.DAY;
import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.facts;
import static dev.tidemark.finalization.FinalizationTestUtils.stats;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WriterWindowCodecTest {

  private static final boolean LONG = Boolean.getBoolean("tidemark.long");

  /** Extremes, quantiles, counts, a watermark; then facts that are not known; then bounds only. */
  private static final WriterWindow PLAIN =
      WriterWindow.empty("eu")
          .add(
              CommitFacts.of(
                      "eu",
                      1234567890123456789L,
                      T0,
                      stats(T0 - HOUR, T0 - MINUTE).withPastCount(1).withFutureCount(2),
                      T0 - 2 * HOUR)
                  .withoutSketch())
          .add(CommitFacts.unknown("eu", -5, T0 + MINUTE, 300))
          .add(CommitFacts.ofBounds("eu", 6, T0 + 2 * MINUTE, 10, T0 - DAY, T0 + MINUTE));

  private static final String PLAIN_TEXT =
      "w1:AmV1AwsBqoTM3o-9iKIigPCO65RnAgECAAD_ubcDoIjYAQQGAQAKADIA9AOgiNgBtgcA3gcAAa6MPAL_8-4GAAEJwKkHrAIAAAAA"
          + "AQEMwKkHCgAAAAD_wsFS4IydKQAAPM5tXg";

  private static final WriterWindow SKETCHED =
      WriterWindow.empty("us").add(facts("us", 1, T0, T0 - HOUR, T0 - MINUTE));

  private static final String SKETCHED_TEXT =
      "w1:AnVzAQUBAoDwjuuUZwIAAAAA_7m3A6CI2AEEBgEACgAyAPQDoIjYAbYHAN4HADKe7Hg"
          + "~ets1:ATI8PAKAttfnlGegiNgBAgABoIjYAQGAWxrQ";

  @Test
  public void textIsTheOneOfVersionOne() {
    assertThat(PLAIN.toText(), is(PLAIN_TEXT));
    assertThat(SKETCHED.toText(), is(SKETCHED_TEXT));
  }

  @Test
  public void textOfVersionOneReadsBack() {
    assertThat(WriterWindow.fromText(PLAIN_TEXT), is(PLAIN));
    assertThat(WriterWindow.fromText(SKETCHED_TEXT), is(SKETCHED));
  }

  @Test
  public void emptyWindowReadsBack() {
    WriterWindow empty = WriterWindow.empty("a-writer_2");

    assertThat(WriterWindow.fromText(empty.toText()), is(empty));
  }

  @Test
  public void anyWindowReadsBack() {
    Random random = new Random(42);
    for (int round = 0; round < (LONG ? 5_000 : 200); round++) {
      WriterWindow window = randomWindow(random);

      assertThat(WriterWindow.fromText(window.toText()), is(window));
    }
  }

  @Test
  public void extremeTimesReadBack() {
    WriterWindow window =
        WriterWindow.of(
            "eu",
            java.util.List.of(
                CommitFacts.ofBounds(
                    "eu", Long.MIN_VALUE, Long.MAX_VALUE, 2, Long.MIN_VALUE, Long.MAX_VALUE),
                CommitFacts.of("eu", Long.MAX_VALUE, Long.MIN_VALUE, stats(T0), Long.MAX_VALUE)));

    assertThat(WriterWindow.fromText(window.toText()), is(window));
  }

  @Test
  public void commitTakesAboutFortyCharacters() {
    WriterWindow one =
        WriterWindow.empty("eu")
            .add(CommitFacts.ofBounds("eu", Long.MAX_VALUE / 3, T0, 100_000, T0 - HOUR, T0));
    WriterWindow two =
        one.add(
            CommitFacts.ofBounds("eu", Long.MAX_VALUE / 5, T0 + MINUTE, 100_000, T0 - HOUR, T0));

    assertThat(two.toText().length() - one.toText().length(), is(lessThan(48)));
  }

  @Test
  public void everySingleChangedCharacterIsRefused() {
    for (String text : new String[] {PLAIN.toText(), SKETCHED.toText()}) {
      for (int i = 0; i < text.length(); i++) {
        String changed =
            text.substring(0, i) + (text.charAt(i) == 'A' ? 'B' : 'A') + text.substring(i + 1);
        assertRefused(changed);
      }
    }
  }

  @Test
  public void everyCutIsRefused() {
    for (String text : new String[] {PLAIN.toText(), SKETCHED.toText()}) {
      for (int length = 0; length < text.length(); length++) {
        assertRefused(text.substring(0, length));
      }
    }
  }

  @Test
  public void randomBodiesWithAValidChecksumAreRefusedOrCanonical() {
    Random random = new Random(99);
    byte[] good = body(PLAIN.toText());
    for (int round = 0; round < (LONG ? 500_000 : 20_000); round++) {
      byte[] bad = Arrays.copyOf(good, random.nextBoolean() ? good.length : random.nextInt(99));
      for (int change = random.nextInt(4); change >= 0 && bad.length > 0; change--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      String text = text(bad);
      try {
        assertThat(WriterWindow.fromText(text).toText(), is(text));
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage(), containsString("Cannot read a writer window"));
      }
    }
  }

  @Test
  public void announcedSizesAreCheckedBeforeAnythingIsAllocated() {
    byte[] huge = {
      2, 'e', 'u', (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x7, 0, 0, 0, 0, 0
    };

    assertThat(assertRefused(text(huge)).getMessage(), containsString("more is announced"));
  }

  @Test
  public void numbersWithNeedlessBytesAreRefused() {
    byte[] padded = {(byte) 0x82, 0, 'e', 'u', 0};

    assertThat(assertRefused(text(padded)).getMessage(), containsString("not canonical"));
  }

  @Test
  public void otherVersionsAndForeignTextsAreRefused() {
    assertRefused("");
    assertRefused("w2:" + PLAIN.toText().substring(3));
    assertRefused("ets1:AAAA");
    assertRefused(" " + PLAIN.toText());
    assertRefused(PLAIN.toText() + "=");
    assertRefused(PLAIN.toText() + "\n");
    assertRefused(PLAIN.toText() + "~ets1:");
    assertRefused("w1:" + "A".repeat(WriterWindowCodec.MAX_CHARS));
  }

  @Test
  public void sketchesOfOtherCommitsAreRefused() {
    WriterWindow other = WriterWindow.empty("us").add(facts("us", 1, T0, T0 - 5 * HOUR));
    String swapped =
        SKETCHED.toText().substring(0, SKETCHED.toText().indexOf('~'))
            + other.toText().substring(other.toText().indexOf('~'));

    assertRefused(swapped);
  }

  private static IllegalArgumentException assertRefused(String text) {
    return assertThrows(text, IllegalArgumentException.class, () -> WriterWindow.fromText(text));
  }

  private static byte[] body(String text) {
    byte[] all = Base64.getUrlDecoder().decode(text.substring(3));
    return Arrays.copyOf(all, all.length - 4);
  }

  private static String text(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    byte[] all =
        ByteBuffer.allocate(body.length + 4).put(body).putInt((int) crc.getValue()).array();
    return "w1:" + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  private static WriterWindow randomWindow(Random random) {
    WriterWindow window = WriterWindow.empty("w" + random.nextInt(9));
    long at = T0;
    for (int i = random.nextInt(12); i > 0; i--) {
      at += random.nextInt(1_000_000) - 100_000;
      window = window.add(randomFacts(window.writer(), at, random));
    }
    return random.nextBoolean() ? window : window.trim(Lookback.standard());
  }

  private static CommitFacts randomFacts(String writer, long at, Random random) {
    long snapshot = random.nextLong();
    if (random.nextInt(9) == 0) {
      return CommitFacts.unknown(writer, snapshot, at, 1 + random.nextInt(9));
    }
    long span = random.nextInt(5) == 0 ? 900 * DAY : 9 * HOUR;
    long[] times = random.longs(1 + random.nextInt(400), at - span, at).toArray();
    CommitFacts facts =
        CommitFacts.of(
            writer,
            snapshot,
            at,
            stats(times)
                .withPastCount(random.nextInt(3))
                .withFutureCount(random.nextInt(3))
                .withNullCount(random.nextInt(3))
                .withUnparsableCount(random.nextInt(3)),
            random.nextBoolean() ? at - random.nextInt(1_000_000) : null);
    facts = random.nextBoolean() ? facts : facts.withoutSketch();
    facts = random.nextInt(3) > 0 ? facts : facts.withoutQuantiles();
    return random.nextInt(3) > 0 ? facts : facts.withoutBuckets();
  }
}
