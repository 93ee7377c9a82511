package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.upsert.WaitingChanges.Arrived;
import java.util.ArrayList;
import java.util.List;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WaitingChangesTest {
  private static final ChangeOrder ORDER = ChangeOrder.column("seq");

  /** Changes as name, timestamp and sequence. */
  private static Arrived batch(long arrival, Object... changes) {
    KeyedChanges.Builder builder = KeyedChanges.builder();
    for (int i = 0; i < changes.length; i += 3) {
      builder.add(
          ChangeKind.INSERT,
          new byte[] {(byte) (char) changes[i]},
          null,
          new byte[0],
          true,
          ChangeContextTest.encode(
              Instant.ofEpochMilli((int) changes[i + 1]), null, (long) (int) changes[i + 2]));
    }
    return new Arrived(arrival, builder.build());
  }

  private static String names(KeyedChanges changes) {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < changes.size(); i++) {
      names.append((char) changes.data()[changes.keyOffset(i)]);
    }
    return names.toString();
  }

  private static List<String> due(WaitingChanges waiting) {
    List<String> names = new ArrayList<>();
    waiting.dueBatches().forEach(changes -> names.add(names(changes)));
    return names;
  }

  @Test
  public void whatIsBeforeTheTimeIsSortedBySequence() {
    WaitingChanges waiting =
        WaitingChanges.split(
            ORDER, List.of(batch(0, 'c', 5, 30, 'a', 9, 10), batch(1, 'b', 1, 20)), 10);
    assertThat(due(waiting), is(List.of("abc")));
    assertThat(waiting.kept(), is(List.of()));
  }

  @Test
  public void equalSequencesStayInTheOrderOfArrival() {
    WaitingChanges waiting =
        WaitingChanges.split(
            ORDER,
            List.of(batch(2, 'd', 0, 1), batch(1, 'b', 0, 1, 'c', 0, 1), batch(0, 'a', 0, 1)),
            10);
    assertThat(due(waiting), is(List.of("abcd")));
  }

  @Test
  public void whatIsAtTheTimeIsKeptUnderItsArrival() {
    WaitingChanges waiting =
        WaitingChanges.split(
            ORDER, List.of(batch(4, 'a', 9, 1, 'b', 10, 0, 'c', 11, 0), batch(5, 'd', 10, 0)), 10);
    assertThat(due(waiting), is(List.of("a")));
    assertThat(waiting.kept().size(), is(2));
    assertThat(waiting.kept().get(0).arrival(), is(4L));
    assertThat(names(waiting.kept().get(0).changes()), is("bc"));
    assertThat(names(waiting.kept().get(1).changes()), is("d"));
  }

  @Test
  public void batchesThatComeOutAreBounded() {
    Object[] changes = new Object[3 * (WaitingChanges.MAX_BATCH_ROWS + 1)];
    for (int i = 0; i < changes.length; i += 3) {
      changes[i] = 'x';
      changes[i + 1] = 0;
      changes[i + 2] = i;
    }
    List<KeyedChanges> due =
        WaitingChanges.split(ORDER, List.of(batch(0, changes)), 1).dueBatches();
    assertThat(due.size(), is(2));
    assertThat(due.get(0).size(), is(WaitingChanges.MAX_BATCH_ROWS));
    assertThat(due.get(1).size(), is(1));
  }

  @Test
  public void extremesAreThoseOfTimestamps() {
    KeyedChanges changes = batch(0, 'a', 7, 0, 'b', -3, 0, 'c', 4, 0).changes();
    assertThat(WaitingChanges.oldestMillis(changes), is(-3L));
    assertThat(WaitingChanges.newestMillis(changes), is(7L));
  }
}
