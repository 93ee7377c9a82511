package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.io.BaseEncoding;
import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import dev.tidemark.change.LogPosition.Step;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ChangeContextTest {
  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();
  private static final LogPosition POSITION = LogPosition.of(0x1DD7C28, Step.REMOVE, 300);

  private static KeyedChanges change(byte[] context) {
    return KeyedChanges.builder()
        .add(ChangeKind.INSERT, new byte[] {1}, null, new byte[] {2, 3}, true, context)
        .build();
  }

  private static KeyedChanges change(@Nullable LogPosition position, @Nullable Long sequence) {
    return change(encode(Instant.ofEpochMilli(5), position, sequence));
  }

  static byte[] encode(Instant timestamp, @Nullable LogPosition position, @Nullable Long sequence) {
    EncodingBuffer buffer = new EncodingBuffer();
    ChangeContext.encode(timestamp, position, sequence, buffer);
    return buffer.toByteArray();
  }

  @Test
  public void contextKeepsItsBytes() {
    assertThat(
        HEX.encode(encode(Instant.ofEpochMilli(-2), POSITION, 7L)),
        is("13" + "fffffffffffffffe" + "0000000001dd7c2801000000000000012c" + "8000000000000007"));
  }

  @Test
  public void contextIsReadBack() {
    KeyedChanges change = change(POSITION, null);
    assertThat(ChangeContext.timestampMillis(change, 0), is(5L));
    assertThat(ChangeContext.position(change, 0), is(POSITION));
    assertThat(ChangeContext.position(change(null, null), 0), nullValue());
  }

  @Test
  public void sequencesSortAsNumbers() {
    long[] ascending = {Long.MIN_VALUE, -1, 0, 1, 255, 256, Long.MAX_VALUE};
    for (int i = 1; i < ascending.length; i++) {
      assertAscending(
          ChangeOrder.column("seq"),
          change(POSITION, ascending[i - 1]),
          change(null, ascending[i]));
    }
  }

  @Test
  public void positionsSortAsInTheLog() {
    LogPosition[] ascending = {
      LogPosition.of(1, Step.ADD, 9),
      LogPosition.of(2, Step.SNAPSHOT_READ, 5),
      LogPosition.of(2, Step.REMOVE, 0),
      LogPosition.of(2, Step.REMOVE, 256),
      LogPosition.of(2, Step.ADD, 1),
      LogPosition.of(-1, Step.SNAPSHOT_READ, 0)
    };
    for (int i = 1; i < ascending.length; i++) {
      assertAscending(
          ChangeOrder.POSITION, change(ascending[i - 1], null), change(ascending[i], 3L));
    }
  }

  private static void assertAscending(ChangeOrder order, KeyedChanges first, KeyedChanges second) {
    assertThat(ChangeContext.compare(order, first, 0, second, 0), lessThan(0));
    assertThat(ChangeContext.compare(order, second, 0, first, 0), greaterThan(0));
    assertThat(ChangeContext.compare(order, second, 0, second, 0), is(0));
  }

  @Test
  public void missingSequenceIsRefused() {
    assertThrows(
        CorruptStateException.class,
        () ->
            ChangeContext.compare(
                ChangeOrder.column("seq"), change(POSITION, 1L), 0, change(POSITION, null), 0));
  }

  @Test
  public void contextOfAnotherVersionIsRefused() {
    CorruptStateException e =
        assertThrows(
            CorruptStateException.class,
            () -> ChangeContext.timestampMillis(change(new byte[] {0x20, 0, 0}), 0));
    assertThat(e.getMessage(), containsString("Cannot read the context of a change"));
  }
}
