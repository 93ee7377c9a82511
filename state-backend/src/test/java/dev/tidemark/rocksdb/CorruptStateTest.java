package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.AMPLE;
import static dev.tidemark.rocksdb.StoreFixture.all;
import static dev.tidemark.rocksdb.StoreFixture.batch;
import static dev.tidemark.rocksdb.StoreFixture.bytes;
import static dev.tidemark.rocksdb.StoreFixture.expected;
import static dev.tidemark.rocksdb.StoreFixture.puts;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardState.Bag;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.util.Arrays;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;

/** A store of its own reads state that was damaged, and refuses it. */
public final class CorruptStateTest {
  private static final int SHARD = 7;

  @Rule public final StoreFixture fixture = new StoreFixture();

  private final InMemoryShardState state = InMemoryShardState.shuffled(1);
  private RocksDbCandidateStore reader;
  private Bag base;
  private Bag journal;

  /** State with everything in it: an image under way beside a whole one, and both journals. */
  @Before
  public void writeState() {
    StoreLimits smallSteps = new StoreLimits(64 << 20, 1 << 20, 1);
    try (RocksDbCandidateStore store = fixture.open(smallSteps)) {
      batch(store, SHARD, state, puts(0, 100, "0"));
      batch(store, SHARD, state, puts(0, 100, "1"));
      batch(store, SHARD, state, puts(0, 100, "2"));
      for (int i = 0; ShardHeader.decode(state.header(), SHARD).building == (i == 0); i++) {
        batch(store, SHARD, state, puts(0, 100, "3" + i));
      }
      while (!ShardHeader.decode(state.header(), SHARD).building) {
        batch(store, SHARD, state, puts(0, 3, "4" + store.statistics().journalBytes));
      }
      batch(store, SHARD, state, puts(0, 2, "5"));
    }
    ShardHeader header = ShardHeader.decode(state.header(), SHARD);
    assertThat("building", header.building, is(true));
    base = ShardHeader.baseBag(header.active);
    journal = ShardHeader.journalBag(header.active);
    reader = fixture.open(AMPLE);
  }

  @After
  public void close() {
    reader.close();
  }

  @Test
  public void undamagedStateIsRead() {
    assertThat(all(reader, SHARD, state).size(), is(100));
  }

  @Test
  public void everyTruncationOfTheHeaderIsRefused() {
    byte[] header = state.header();
    for (int length = 0; length < header.length; length++) {
      state.setHeader(Arrays.copyOf(header, length));
      assertRefused("the header of shard 7");
    }
  }

  @Test
  public void everyFlippedBitOfTheHeaderIsRefused() {
    byte[] header = state.header();
    for (int bit = 0; bit < header.length * 8; bit++) {
      state.setHeader(flipped(header, bit));
      assertRefused("the header of shard 7");
    }
  }

  @Test
  public void everyTruncationOfABagsElementIsRefused() {
    for (Bag bag : List.of(base, journal, other(journal))) {
      List<byte[]> elements = state.elements(bag);
      byte[] element = elements.get(elements.size() - 1);
      for (int length = 0; length < element.length; length += 1 + element.length / 100) {
        elements.set(elements.size() - 1, Arrays.copyOf(element, length));
        assertRefused("of shard 7: it is truncated", "of shard 7: its checksum");
      }
      elements.set(elements.size() - 1, element);
    }
  }

  @Test
  public void everyFlippedBitOfABagsElementIsRefused() {
    for (Bag bag : List.of(base, journal, other(journal))) {
      List<byte[]> elements = state.elements(bag);
      byte[] element = elements.get(0);
      for (int bit = 0; bit < element.length * 8; bit += 1 + element.length / 100) {
        elements.set(0, flipped(element, bit));
        assertRefused("of shard 7: its format", "of shard 7: its checksum");
      }
      elements.set(0, element);
    }
  }

  @Test
  public void missingElementIsRefused() {
    for (Bag bag : List.of(base, journal, other(journal))) {
      List<byte[]> elements = state.elements(bag);
      for (int i = 0; i < elements.size(); i++) {
        byte[] element = elements.remove(i);
        assertRefused(
            "Cannot read the journal of shard 7", "Cannot read the base image of shard 7");
        elements.add(i, element);
      }
    }
  }

  @Test
  public void elementThatIsThereTwiceIsRefused() {
    for (Bag bag : List.of(base, journal, other(journal))) {
      List<byte[]> elements = state.elements(bag);
      elements.add(elements.get(0));
      assertRefused("is there twice", "it has part 0 of version");
      elements.remove(elements.size() - 1);
    }
  }

  @Test
  public void elementOfAnotherBagIsRefused() {
    byte[] element = state.elements(other(journal)).get(0);
    state.elements(journal).add(element);
    assertRefused("the journal of shard 7");
  }

  @Test
  public void chunkOfAnotherImageIsRefused() {
    InMemoryShardState another = InMemoryShardState.ordered();
    try (ShardImages.Sink sink = ShardImage.writeTo(SHARD, another)) {
      sink.put(bytes("key"), bytes("value"));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    state.elements(base).set(0, another.elements(Bag.BASE_0).get(0));
    assertRefused("it belongs to another image");
  }

  @Test
  public void bagsWithoutHeaderAreRefused() {
    InMemoryShardState headless = InMemoryShardState.ordered();
    headless.add(Bag.JOURNAL_1, state.elements(journal).get(0));

    Exception e = assertThrows(CorruptStateException.class, () -> reader.begin(SHARD, headless));
    assertThat(e.getMessage(), containsString("it knows nothing of what is in JOURNAL_1"));
  }

  @Test
  public void elementInABagThatIsNotInUseIsRefused() {
    InMemoryShardState small = InMemoryShardState.ordered();
    batch(reader, 1, small, puts(0, 10, "v"));
    small.add(Bag.BASE_1, state.elements(base).get(0));
    RocksDbCandidateStore another = fixture.open(AMPLE);

    assertThrows(CorruptStateException.class, () -> another.begin(1, small));
    another.close();
  }

  @Test
  public void nothingIsChangedByARefusal() {
    byte[] header = state.header();
    state.setHeader(Arrays.copyOf(header, 10));
    assertRefused("the header of shard 7");
    state.setHeader(header);
    batch(reader, SHARD, state, puts(0, 100, "after"));

    assertThat(all(reader, SHARD, state), equalTo(expected(0, 100, "after")));
  }

  private void assertRefused(String... messages) {
    Exception e = assertThrows(CorruptStateException.class, () -> reader.begin(SHARD, state));
    assertThat(
        e.getMessage(), Arrays.stream(messages).anyMatch(e.getMessage()::contains), is(true));
    assertThat(e.getMessage(), containsString("Restart the job from an older checkpoint"));
  }

  private static Bag other(Bag journal) {
    return journal == Bag.JOURNAL_0 ? Bag.JOURNAL_1 : Bag.JOURNAL_0;
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] result = bytes.clone();
    result[bit / 8] ^= (byte) (1 << bit % 8);
    return result;
  }
}
