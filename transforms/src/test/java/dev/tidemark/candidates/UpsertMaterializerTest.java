package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.candidates.testing.CountingRecords;
import dev.tidemark.change.ChangeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public final class UpsertMaterializerTest {
  private static final UpsertSemantics ROWS = UpsertSemantics.of(UpsertStrategy.LEGACY);
  private static final UpsertSemantics KEYED = ROWS.withUpsertKey();
  private static final UpsertSemantics LINKED = KEYED.withThresholds(1, 0);
  private static final UpsertSemantics LINKED_ROWS = ROWS.withThresholds(1, 0);

  @Test
  public void firstAdditionInsertsAndFurtherOnesUpdate() {
    for (UpsertSemantics semantics : List.of(KEYED, LINKED)) {
      assertThat(
          Shard.of(semantics).send("+U k 1 a", "+I k 2 b", "+I other 1 c"),
          contains("+I a", "+U b", "+I c"));
    }
  }

  @Test
  public void additionReplacesInItsSlotEvenWhereThatIsNotTheLast() {
    for (UpsertSemantics semantics : List.of(KEYED, LINKED)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k 1 a", "+I k 2 b");

      assertThat(shard.send("+U k 1 c"), contains("+U c"));
      assertThat(shard.send("-D k 2 b"), contains("+U c"));
      assertThat(shard.statistics().olderSlotReplacements, is(1L));
    }
  }

  @Test
  public void retractionOfTheOnlyCandidateDeletesWithItsOwnPayload() {
    for (UpsertSemantics semantics : List.of(KEYED, LINKED)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k 1 stored");

      assertThat(shard.send("-D k 1 retracted"), contains("-D retracted"));
    }
  }

  @Test
  public void incompleteRetractionDeletesWithTheStoredPayload() {
    for (UpsertSemantics semantics : List.of(KEYED, LINKED)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k 1 stored");

      assertThat(shard.send("-D k 1 ?"), contains("-D stored"));
    }
  }

  @Test
  public void retractionOfTheLastBringsUpTheOneBefore() {
    for (UpsertSemantics semantics : List.of(KEYED, LINKED)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k 1 a", "+I k 2 b");

      assertThat(shard.send("-D k 2 ?"), contains("+U a"));
      assertThat(shard.statistics().rollbacks, is(1L));
    }
  }

  @Test
  public void retractionOfAnOlderCandidateIsSilent() {
    for (UpsertSemantics semantics : List.of(KEYED, LINKED)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k 1 a", "+I k 2 b");

      assertThat(shard.send("-U k 1 a", "-D k 2 b"), contains("", "-D b"));
      assertThat(shard.statistics().silent, is(1L));
    }
  }

  @Test
  public void unmatchedRetractionChangesNothing() {
    Shard shard = Shard.of(KEYED);
    shard.send("+I k 1 a");
    CountingRecords counts = shard.count();

    assertThat(shard.send("-D k 2 a", "-D absent 1 a"), contains("", ""));
    assertThat(counts.puts + counts.removes, is(0));
    assertThat(shard.statistics().unmatchedKeyKnown, is(1L));
    assertThat(shard.statistics().unmatchedKeyAbsent, is(1L));
  }

  @Test
  public void equalRowsAreKeptApartAndTheFirstGoesFirst() {
    for (UpsertSemantics semantics : List.of(ROWS, LINKED_ROWS)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k a", "+I k b", "+I k a");

      assertThat(shard.send("-D k a"), contains(""));
      assertThat(shard.send("-D k a"), contains("+U b"));
    }
  }

  @Test
  public void equalRowsInSuccessionAreStoredAsACount() {
    for (UpsertSemantics semantics : List.of(ROWS, LINKED_ROWS)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k " + "a".repeat(1000));
      for (int i = 0; i < 40; i++) {
        shard.send("+I k " + "a".repeat(1000));
      }

      assertThat(bytes(shard), is(lessThan(1200)));
      assertThat(shard.statistics().candidatesDelta, is(41L));
      shard.check();
    }
  }

  /** FLINK-39740: the released operator gives a number twice after the second addition of 1. */
  @Test
  public void additionAfterReplacementOfAnOlderSlotTakesANewPlace() {
    Shard shard = Shard.of(LINKED);
    shard.send("+I k 1 a", "+I k 2 b", "+U k 1 c", "+I k 3 d");

    assertThat(shard.check().lists.values().toString(), is(hexes("c", "b", "d")));
    assertThat(shard.send("-D k 3 d", "-D k 2 b"), contains("+U b", "+U c"));
  }

  @Test
  public void numberOfARemovedLastNodeIsNotUsedAgain() {
    Shard shard = Shard.of(LINKED.withThresholds(2, 0));
    shard.send("+I k 1 a", "+I k 2 b");
    shard.send("-D k 2 b");
    shard.send("+I k 3 c");

    assertThat(shard.records().containsKey(RecordKeys.node(0, 1)), is(false));
    assertThat(shard.records().containsKey(RecordKeys.node(0, 2)), is(true));
  }

  @Test
  public void listThatGrowsAgainIsANewOne() {
    Shard shard = Shard.of(LINKED);
    shard.send("+I k 1 a");
    shard.send("-D k 1 a");
    shard.send("+I k 1 a");

    assertThat(shard.records().containsKey(RecordKeys.node(1, 0)), is(true));
    shard.check();
  }

  @Test
  public void emptiedKeyLeavesNoRecord() {
    for (UpsertSemantics semantics : List.of(KEYED, LINKED)) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k 1 a", "+I k 2 b", "+I k 3 c");
      shard.send("-D k 1 a", "-D k 2 b", "-D k 3 c");

      assertThat(shard.records().size(), is(2));
      assertThat(shard.statistics().keysDelta, is(0L));
      assertThat(shard.statistics().candidatesDelta, is(0L));
    }
  }

  @Test
  public void keyThatEndsWhereItBeganIsNotWritten() {
    for (UpsertSemantics semantics : List.of(KEYED, KEYED.withThresholds(2, 1))) {
      Shard shard = Shard.of(semantics);
      shard.send("+I k 1 a", "+I k 2 b", "+I k 3 c");
      CountingRecords counts = shard.count();
      shard.send("+I k 4 d", "+U k 4 e", "-D k 4 e", "+I new 1 a", "-D new 1 a");

      // The head of a list of linked nodes keeps the highest number that was given.
      assertThat(counts.puts, is(semantics == KEYED ? 0 : 1));
      assertThat(counts.removes, is(0));
    }
  }

  @Test
  public void batchOfSmallListsIsOneRequest() {
    Shard shard = Shard.of(KEYED);
    shard.send("+I k 1 a", "+I k 2 b", "+I l 1 c");
    CountingRecords counts = shard.count();
    shard.send("-U k 1 a", "+U k 1 b", "+I l 1 d", "+I m 1 a");

    assertThat(counts.prefetches, is(1));
    assertThat(counts.unforeseen, is(empty()));
    assertThat(counts.puts, is(4));
  }

  @Test
  public void batchOfLinkedListsIsFourRequests() {
    for (UpsertSemantics semantics :
        List.of(KEYED.withThresholds(4, 2), ROWS.withThresholds(4, 2))) {
      Shard shard = Shard.of(semantics);
      for (String key : List.of("k", "l", "m")) {
        for (int i = 0; i < 20; i++) {
          shard.send(row("+I", semantics, key, i));
        }
      }
      CountingRecords counts = shard.count();
      shard.send(
          row("-U", semantics, "k", 3),
          row("+U", semantics, "k", 3),
          row("-D", semantics, "k", 9),
          row("-D", semantics, "l", 19),
          row("+U", semantics, "l", 7),
          row("-D", semantics, "m", 0),
          row("+I", semantics, "m", 30));

      assertThat(counts.prefetches, is(4));
      assertThat(counts.unforeseen, is(empty()));
      shard.check();
    }
  }

  @Test
  public void costOfAChangeDoesNotGrowWithTheList() {
    for (UpsertSemantics semantics : List.of(KEYED, ROWS)) {
      Shard shard = Shard.of(semantics);
      int size = 0;
      for (int to : new int[] {100, 10_000, 100_000}) {
        while (size < to) {
          List<String> batch = new ArrayList<>();
          for (int i = 0; i < 1000 && size < to; i++) {
            batch.add(row("+I", semantics, "k", size++));
          }
          shard.send(batch.toArray(String[]::new));
        }
        CountingRecords counts = shard.count();
        int changes = 0;
        Random random = new Random(1);
        for (int i = 0; i < 50; i++, changes += 4) {
          int older = random.nextInt(size / 2);
          shard.send(row("-U", semantics, "k", older));
          shard.send(row("+U", semantics, "k", older));
          shard.send(row("-D", semantics, "k", older));
          shard.send(row("+I", semantics, "k", older));
        }

        assertThat(counts.gets, is(lessThan(9 * changes)));
        assertThat(counts.puts + counts.removes, is(lessThan(6 * changes)));
        assertThat(counts.readBytes + counts.writtenBytes, is(lessThan(500L * changes)));
      }
      RawShard raw = shard.check();
      assertThat(raw.lists.values().iterator().next().size(), is(100_000));
    }
  }

  @Test
  public void oneBatchMayRetractALongListFromItsEnd() {
    Shard shard = Shard.of(KEYED);
    String[] additions = new String[10_000];
    String[] retractions = new String[10_000];
    for (int i = 0; i < additions.length; i++) {
      additions[i] = row("+I", KEYED, "k", i);
      retractions[i] = row("-D", KEYED, "k", additions.length - 1 - i);
    }
    shard.send(additions);
    CountingRecords counts = shard.count();
    List<String> emissions = shard.send(retractions);

    assertThat(emissions.get(0), is("+U payload9998"));
    assertThat(emissions.get(9999), is("-D payload0"));
    assertThat(counts.unforeseen, is(empty()));
    assertThat(shard.records().size(), is(2));
  }

  @Test
  public void softBoundIsCounted() {
    Shard shard = Shard.of(ROWS.withSoftBound(2));
    shard.send("+I k a", "+I k b", "+I k c", "+I k d", "-D k d", "-D k c");

    assertThat(shard.statistics().beyondSoftBound, is(2L));
    assertThat(shard.statistics().longestList, is(4L));
  }

  @Test
  public void hardBoundFailsWithoutValuesOfRows() {
    Shard shard = Shard.of(ROWS.withHardBound(2, HardBound.FAIL));
    shard.send("+I secretkey secretA", "+I secretkey secretB");

    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> shard.send("+I secretkey secretC"));

    assertThat(
        e.getMessage(),
        allOf(
            containsString("hard bound is 2"),
            containsString("raise the bound"),
            not(containsString("secret"))));
    assertThat(shard.send("-D secretkey secretB"), contains("+U secretA"));
  }

  @Test
  public void replacementIsPossibleAtTheHardBound() {
    Shard shard = Shard.of(KEYED.withHardBound(2, HardBound.FAIL));
    shard.send("+I k 1 a", "+I k 2 b");

    assertThat(shard.send("+U k 1 c"), contains("+U c"));
  }

  @Test
  public void oldestCandidateIsDroppedAtTheHardBound() {
    for (int high : new int[] {2, 50}) {
      Shard shard = Shard.of(KEYED.withHardBound(2, HardBound.DROP_OLDEST).withThresholds(high, 1));
      assertThat(shard.send("+I k 1 a", "+I k 2 b", "+I k 3 c"), contains("+I a", "+U b", "+U c"));

      assertThat(shard.send("-D k 1 a", "-D k 3 c"), contains("", "+U b"));
      assertThat(shard.statistics().dropped, is(1L));
      assertThat(shard.statistics().unmatchedKeyKnown, is(1L));
    }
  }

  @Test
  public void lowerHardBoundShortensAListWithItsNextAddition() {
    Shard shard = Shard.of(ROWS.withThresholds(4, 2));
    shard.send("+I k a", "+I k b", "+I k c", "+I k d", "+I k e");
    shard.restart(ROWS.withThresholds(4, 2).withHardBound(2, HardBound.DROP_OLDEST));
    shard.send("+I k f");

    assertThat(shard.check().lists.values().toString(), is(hexes("e", "f")));
    assertThat(shard.statistics().dropped, is(4L));
  }

  @Test
  public void stateOfAnotherDescriptionIsRefused() {
    Shard shard = Shard.of(KEYED.withDescription("16 shards"));
    shard.send("+I k 1 a");
    shard.restart(KEYED.withDescription("32 shards"));

    CorruptStateException e =
        assertThrows(CorruptStateException.class, () -> shard.send("+I k 1 a"));
    assertThat(
        e.getMessage(),
        allOf(
            containsString("[16 shards]"),
            containsString("[32 shards]"),
            containsString("new state")));
    assertThrows(CorruptStateException.class, () -> shard.sweep(100));
  }

  @Test
  public void stateOfAnotherMatchingIsRefused() {
    Shard shard = Shard.of(KEYED);
    shard.send("+I k 1 a");

    assertThrows(CorruptStateException.class, () -> shard.restart(ROWS).send("+I k a"));
    assertThat(
        shard.restart(UpsertSemantics.of(UpsertStrategy.MAP).withUpsertKey()).send("-D k 1 a"),
        contains("-D a"));
  }

  @Test
  public void otherThresholdsReadTheSameState() {
    Shard shard = Shard.of(KEYED.withThresholds(3, 1));
    shard.send("+I k 1 a", "+I k 2 b", "+I k 3 c", "+I l 1 a", "+I l 2 b");
    shard.restart(KEYED.withThresholds(50, 40));
    assertThat(shard.send("-D k 2 b", "-D l 3 c"), contains("", ""));
    assertThat(shard.check().linkedLists, is(0));
    shard.restart(KEYED.withThresholds(2, 1));
    assertThat(shard.send("-D k 3 c", "-D l 2 b"), contains("+U a", "+U a"));
    assertThat(shard.check().linkedLists, is(0));
  }

  @Test
  public void attributesAreWrittenOnlyWhereTheyChange() {
    Shard shard = Shard.of(KEYED);
    shard.send("+I k 1 a");
    CountingRecords counts = shard.count();
    shard.send("+U k 1 b");
    assertThat(counts.puts, is(1));
    shard.send("+I k 2 b");
    assertThat(counts.puts, is(3));
  }

  @Test
  public void emptyBatchTouchesNothing() {
    Shard shard = Shard.of(KEYED);
    CountingRecords counts = shard.count();

    assertThat(shard.send(KeyedChanges.builder().build()), is(empty()));
    assertThat(counts.gets + counts.puts + counts.prefetches, is(0));
  }

  @Test
  public void floatKeysMatchByFieldsOrByBytes() {
    assertThat(floats(UpsertStrategy.LEGACY, 50, 0.0, -0.0), is("-D p"));
    assertThat(floats(UpsertStrategy.LEGACY, 1, 0.0, -0.0), is("-D p"));
    assertThat(floats(UpsertStrategy.MAP, 50, 0.0, -0.0), is(""));
    assertThat(floats(UpsertStrategy.MAP, 1, 0.0, -0.0), is(""));
    assertThat(floats(UpsertStrategy.ADAPTIVE, 50, 0.0, -0.0), is("-D p"));
    assertThat(floats(UpsertStrategy.ADAPTIVE, 1, 0.0, -0.0), is(""));
    assertThat(floats(UpsertStrategy.VALUE, 50, Double.NaN, Double.NaN), is(""));
    assertThat(floats(UpsertStrategy.VALUE, 1, Double.NaN, Double.NaN), is(""));
    assertThat(floats(UpsertStrategy.MAP, 50, Double.NaN, Double.NaN), is("-D p"));
    assertThat(floats(UpsertStrategy.MAP, 1, Double.NaN, Double.NaN), is("-D p"));
    assertThat(floats(UpsertStrategy.ADAPTIVE, 50, Double.NaN, Double.NaN), is(""));
    assertThat(floats(UpsertStrategy.ADAPTIVE, 1, Double.NaN, Double.NaN), is("-D p"));
  }

  @Test
  public void malformedFloatIdentityIsRefused() {
    Shard shard = Shard.of(KEYED.withFloatUpsertKey(false));

    assertThrows(IllegalArgumentException.class, () -> shard.send("+I k x p"));
  }

  private static String floats(UpsertStrategy strategy, int high, double added, double retracted) {
    UpsertSemantics semantics =
        UpsertSemantics.of(strategy).withFloatUpsertKey(false).withThresholds(high, 0);
    byte[] key = {1};
    KeyedChanges changes =
        KeyedChanges.builder()
            .add(ChangeKind.INSERT, key, identity(added), bytes("p"), true, new byte[0])
            .add(ChangeKind.DELETE, key, identity(retracted), bytes("p"), true, new byte[0])
            .build();
    return Shard.of(semantics).send(changes).get(1);
  }

  private static byte[] identity(double number) {
    return TestChange.floatIdentity(ByteBuffer.allocate(2).array(), number);
  }

  private static String row(String kind, UpsertSemantics semantics, String key, int id) {
    return kind + " " + key + (semantics.hasUpsertKey() ? " id" + id : "") + " payload" + id;
  }

  private static int bytes(Shard shard) {
    return shard.records().values().stream().mapToInt(value -> value.length).sum();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String hexes(String... payloads) {
    List<String> hexes = new ArrayList<>();
    for (String payload : payloads) {
      hexes.add(TestChange.hex(bytes(payload)));
    }
    return List.of(hexes).toString();
  }
}
