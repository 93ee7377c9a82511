package dev.tidemark.commit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.commit.CommittedRecord.Anchor;
import dev.tidemark.commit.CommittedRecord.Entry;
import dev.tidemark.finalization.Attestation;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Stored texts: golden, round trips, and hostile ones. */
@RunWith(JUnit4.class)
public final class CommittedRecordTest {
  private static final CommittedRecord GOLDEN =
      new CommittedRecord(
          "0b9a3c1e-0000-4000-8000-000000000001",
          new Anchor(4, new Landing(1001, 11)),
          ImmutableSortedMap.of(
              5L, new Entry(0x0102030405060708L, new Landing(1002, 12)),
              6L, new Entry(-1L, new Landing(1002, 12)),
              9L, new Entry(7L, new Landing(-5L, 300))));

  private static final String GOLDEN_TEXT =
      "c1:JDBiOWEzYzFlLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMQEEAAAAAAAAA-kLAgAAAAAAAAPqDAIFAQIDBAUGBwgB____________________-6wCAQMAAAAAAAAABxFUmQU";

  private static final BatchRecord GOLDEN_BATCH =
      new BatchRecord(
          "u", ImmutableMap.of("batch:r:all", new BatchRecord.Entry(3, new Landing(4, 5), 6)));

  private static final String GOLDEN_BATCH_TEXT =
      "b1:AXUBC2JhdGNoOnI6YWxsAAAAAAAAAAMAAAAAAAAABAUGY36zKA";

  @Test
  public void recordTextIsGolden() {
    assertThat(GOLDEN.toText(), is(GOLDEN_TEXT));
    assertThat(CommittedRecord.fromText(GOLDEN_TEXT), is(GOLDEN));
  }

  @Test
  public void batchTextIsGolden() {
    assertThat(GOLDEN_BATCH.toText(), is(GOLDEN_BATCH_TEXT));
    assertThat(BatchRecord.fromText(GOLDEN_BATCH_TEXT), is(GOLDEN_BATCH));
  }

  @Test
  public void attestationTextIsGolden() {
    assertThat(AttestationText.toText(Attestation.of(-3L, 17)), is("a1:-3:17"));
    assertThat(AttestationText.toText(Attestation.of(null, 17)), is("a1::17"));
    assertThat(AttestationText.fromText("a1:-3:17"), is(Attestation.of(-3L, 17)));
    assertThat(AttestationText.fromText("a1::17"), is(Attestation.of(null, 17)));
    assertThrows(IllegalArgumentException.class, () -> AttestationText.fromText("a2:1:2"));
  }

  @Test
  public void randomRecordsRoundTrip() {
    Random random = new Random(42);
    for (int i = 0; i < 300; i++) {
      Map<Long, Entry> entries = new TreeMap<>();
      long sequence = random.nextInt(1_000);
      Landing landing = new Landing(random.nextLong(), random.nextInt(1_000));
      for (int n = random.nextInt(50); n > 0; n--) {
        sequence += 1 + random.nextInt(3);
        landing = random.nextInt(4) == 0 ? new Landing(random.nextLong(), n) : landing;
        entries.put(sequence, new Entry(random.nextLong(), landing));
      }
      Anchor anchor = random.nextBoolean() ? null : new Anchor(random.nextInt(9), landing);
      CommittedRecord record =
          new CommittedRecord("uuid", anchor, ImmutableSortedMap.copyOf(entries));
      assertThat(CommittedRecord.fromText(record.toText()), is(record));
    }
  }

  @Test
  public void everyFlippedBitAndEveryCutIsRefused() {
    for (int at = 0; at < GOLDEN_TEXT.length(); at++) {
      String cut = GOLDEN_TEXT.substring(0, at);
      assertThrows(IllegalArgumentException.class, () -> CommittedRecord.fromText(cut));
      for (int bit = 0; bit < 7; bit++) {
        char[] chars = GOLDEN_TEXT.toCharArray();
        chars[at] ^= (char) (1 << bit);
        String flipped = new String(chars);
        assertThrows(
            flipped, IllegalArgumentException.class, () -> CommittedRecord.fromText(flipped));
      }
    }
  }

  @Test
  public void laterVersionNamesTheRemedy() {
    IllegalArgumentException given =
        assertThrows(IllegalArgumentException.class, () -> CommittedRecord.fromText("c2:AAAA"));
    assertThat(given.getMessage(), containsString("or a newer one"));
  }

  @Test
  public void trimmingKeepsTheNewestForgottenAsAnchor() {
    CommittedRecord trimmed = GOLDEN.trim(7);

    assertThat(trimmed.anchor(), is(new Anchor(6, new Landing(1002, 12))));
    assertThat(trimmed.entries().firstKey(), is(9L));
    assertThat(trimmed.through(), is(9L));
    assertThat(GOLDEN.trim(100).through(), is(9L));
  }

  @Test
  public void sequencesReadAsRanges() {
    assertThat(SequenceRanges.toText(ImmutableSortedSet.of(5L, 6L, 7L, 10L)), is("5-7,10"));
    assertThat(SequenceRanges.toText(ImmutableSortedSet.of(3L)), is("3"));
    assertThat(SequenceRanges.last("5-7,10"), is(10L));
    assertThat(SequenceRanges.last("1-20"), is(20L));
    assertThat(SequenceRanges.last("batch:r:7"), is(0L));
    assertThat(SequenceRanges.contains("5-7,10", 8), is(false));
  }

  @Test
  public void randomRangesHoldJustTheirSequences() {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      TreeSet<Long> sequences = new TreeSet<>();
      for (int n = 0; n < 10; n++) {
        sequences.add(1L + random.nextInt(30));
      }
      String text = SequenceRanges.toText(sequences);
      for (long sequence = 0; sequence < 35; sequence++) {
        assertThat(text, SequenceRanges.contains(text, sequence), is(sequences.contains(sequence)));
      }
      assertThat(SequenceRanges.last(text), is(sequences.last()));
    }
  }

  @Test
  public void chunksReadBackAndLeaveNothingOver() {
    PropertyChunks chunks = PropertyChunks.numbered("k", 8);
    Map<String, String> properties = new HashMap<>();
    Random random = new Random(1);
    for (int length : new int[] {0, 1, 20_000, 3_892, 3_893, 7_784, 31_136, 5}) {
      String text =
          random
              .ints(length, 'a', 'z')
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      PropertyChange.Builder builder = PropertyChange.builder();
      chunks.write(text, properties, builder);
      PropertyChange change = builder.build();
      properties.putAll(change.sets());
      properties.keySet().removeAll(change.removals());
      assertThat(chunks.read(properties), is(text));
      assertThat(properties.size(), is(Math.max(1, (length + 3_891) / 3_892)));
      properties.values().forEach(value -> assertThat(value.length(), lessThan(4_000)));
    }
  }

  @Test
  public void missingChunkIsNoticed() {
    PropertyChunks chunks = PropertyChunks.headed("k", 8);
    Map<String, String> properties = Map.of("k", "2;abc");

    IllegalArgumentException given =
        assertThrows(IllegalArgumentException.class, () -> chunks.read(properties));

    assertThat(given.getMessage(), containsString("k.1: missing"));
    assertThat(chunks.read(Map.of()), is(nullValue()));
    assertThrows(IllegalArgumentException.class, () -> chunks.read(Map.of("k", "9;abc")));
    assertThrows(IllegalArgumentException.class, () -> chunks.read(Map.of("k", "abc")));
  }

  @Test
  public void textAboveTheCapacityIsRefused() {
    PropertyChunks chunks = PropertyChunks.headed("k", 1);

    assertThrows(
        IllegalArgumentException.class,
        () -> chunks.write("x".repeat(4_000), Map.of(), PropertyChange.builder()));
  }
}
