package dev.tidemark.candidates.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState.Bag;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.Test;

public final class InMemoryCandidateStoreTest {
  private final InMemoryShardState state = InMemoryShardState.shuffled(1);
  private final InMemoryCandidateStore store = InMemoryCandidateStore.create();

  @Test
  public void batchWithoutCommitIsUndone() {
    put(store, "a", "1");
    ShardRecords lost = store.begin(0, state);
    lost.put(bytes("a"), bytes("2"));
    lost.put(bytes("b"), bytes("2"));

    assertThat(all(store), contains("a=1"));
    assertThrows(IllegalStateException.class, lost::commit);
  }

  @Test
  public void rolledBackStateIsRebuiltEvenWhereVersionsAgree() {
    put(store, "a", "1");
    InMemoryShardState.Snapshot snapshot = state.snapshot();
    put(store, "b", "2");
    state.restore(snapshot);
    put(store, "c", "3");
    InMemoryShardState.Snapshot other = state.snapshot();
    state.restore(snapshot);
    InMemoryCandidateStore another = InMemoryCandidateStore.create();
    put(another, "d", "4");
    state.restore(other);

    assertThat(all(another), contains("a=1", "c=3"));
    assertThat(all(store), contains("a=1", "c=3"));
  }

  @Test
  public void removesAndScansInUnsignedOrder() {
    for (String key : List.of("x", "\u00e91", "\u00e92", "a1", "a2", "a3")) {
      put(store, key, "0");
    }
    ShardRecords records = store.begin(0, state);
    records.remove(bytes("\u00e91"));
    records.remove(bytes("\u00e92"));
    List<String> seen = new ArrayList<>();
    records.scan(
        bytes("a"),
        bytes("a1"),
        (key, value) -> {
          seen.add(new String(key, UTF_8));
          return seen.size() < 1;
        });
    records.commit();

    assertThat(seen, contains("a2"));
    assertThat(all(store), contains("a1=0", "a2=0", "a3=0", "x=0"));
    assertThat(all(InMemoryCandidateStore.create()), contains("a1=0", "a2=0", "a3=0", "x=0"));
  }

  @Test
  public void manyBatchesWithBasesSurviveRestores() {
    Random random = new Random(7);
    TreeMap<String, String> expected = new TreeMap<>();
    InMemoryCandidateStore current = store;
    for (int batch = 0; batch < 500; batch++) {
      if (random.nextInt(20) == 0) {
        current = InMemoryCandidateStore.create();
      }
      ShardRecords records = current.begin(0, state);
      for (int i = 0; i < 20; i++) {
        String key = "k" + random.nextInt(50);
        if (random.nextInt(3) == 0) {
          expected.remove(key);
          records.remove(bytes(key));
        } else {
          expected.put(key, "v".repeat(random.nextInt(100)) + i);
          records.put(bytes(key), bytes(expected.get(key)));
        }
      }
      records.commit();
    }

    List<String> all = new ArrayList<>();
    expected.forEach((key, value) -> all.add(key + "=" + value));
    assertThat(all(InMemoryCandidateStore.create()), is(all));
    assertThat(state.elements(Bag.BASE_0), hasSize(1));
  }

  @Test
  public void missingJournalElementIsRefused() {
    put(store, "a", "1");
    put(store, "b", "1");
    put(store, "c", "1");
    state.elements(Bag.JOURNAL_0).remove(1);

    InMemoryCandidateStore another = InMemoryCandidateStore.create();
    assertThrows(CorruptStateException.class, () -> another.begin(0, state));
  }

  @Test
  public void shardsAreApart() {
    put(store, "a", "1");
    InMemoryShardState second = InMemoryShardState.ordered();
    store.begin(1, second).commit();

    assertThat(store.records(1).keySet(), is(empty()));
    assertThat(all(store), contains("a=1"));
  }

  private void put(InMemoryCandidateStore to, String key, String value) {
    ShardRecords records = to.begin(0, state);
    records.put(bytes(key), bytes(value));
    records.commit();
  }

  private List<String> all(InMemoryCandidateStore from) {
    List<String> all = new ArrayList<>();
    ShardRecords records = from.begin(0, state);
    records.scan(
        new byte[0],
        null,
        (key, value) -> all.add(new String(key, UTF_8) + "=" + new String(value, UTF_8)));
    records.commit();
    return all;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
