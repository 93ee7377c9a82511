package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.bytes;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;

import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardState.Bag;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;

/**
 * Feeds decoders with damaged arrays whose checksums are right. They may accept what they get, or
 * say that it is corrupt, and nothing else.
 */
public final class DecoderFuzzTest {
  private static final long MILLIS = Boolean.getBoolean("tidemark.long") ? 60_000 : 500;

  @Test
  public void header() {
    ShardHeader header = new ShardHeader(Fence.draw(3));
    header.liveRecords = 5;
    fuzz(header.encode(new StoredOutput()), bytes -> ShardHeader.decode(bytes, 1));
  }

  @Test
  public void journalEntry() {
    JournalWriter writer = new JournalWriter(new StoredOutput(), 9);
    for (int i = 0; i < 20; i++) {
      writer.put(bytes("keyvalue" + i), 0, 3, 5);
      writer.remove(bytes("gone" + i), 0, 4);
    }
    fuzz(
        writer.finish().get(0),
        bytes -> {
          JournalPart part = JournalPart.read(bytes, 1);
          StoredRecord.readAll(part.in(), true, new Lengths(bytes.length));
        });
  }

  @Test
  public void chunkOfABaseImage() {
    ShardHeader header = new ShardHeader(Fence.draw(3));
    header.bases[0].id = 77;
    InMemoryShardState state = InMemoryShardState.ordered();
    BaseChunks chunks = new BaseChunks(new StoredOutput(), state, header, 0);
    for (int i = 0; i < 20; i++) {
      chunks.put(bytes("key" + i), 0, 4, bytes("value" + i), 0, 6);
    }
    chunks.finish(true);
    fuzz(
        state.elements(Bag.BASE_0).get(0),
        bytes -> BaseChunks.readAll(List.of(bytes), 1, header.bases[0], new Lengths(bytes.length)));
  }

  @Test
  public void wholeState() {
    ShardHeader header = new ShardHeader(Fence.draw(1));
    JournalWriter writer = new JournalWriter(new StoredOutput(), 1);
    writer.put(bytes("keyvalue"), 0, 3, 5);
    header.journalBytes[0] = 1;
    byte[] entry = writer.finish().get(0);
    header.journalBytes[0] = entry.length;
    header.liveRecords = 1;
    header.liveBytes = StoredRecord.size(3, 5);
    fuzz(
        header.encode(new StoredOutput()),
        bytes -> {
          InMemoryShardState state = InMemoryShardState.ordered();
          state.add(Bag.JOURNAL_0, entry);
          ShardFold.read(
              1, ShardHeader.decode(bytes, 1), state, new RecordArena(new MemoryMeter()), 0);
        });
  }

  @Test
  public void fencesOfACheckpoint() {
    CheckpointFences fences = new CheckpointFences(3, Map.of(17, Fence.draw(1), 18, Fence.draw(2)));
    fuzz(fences.encode(), CheckpointFences::decode);
  }

  @Test
  public void image() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ShardImages.Sink sink = ShardImage.writeTo(out)) {
      for (int i = 0; i < 20; i++) {
        sink.put(bytes("key" + i), bytes("value" + i));
      }
    }
    int blockAt = 8 + 1 + 4;
    int blockLength = StoredOutput.intAt(out.toByteArray(), 9);
    fuzz(
        Arrays.copyOfRange(out.toByteArray(), blockAt, blockAt + blockLength),
        block -> {
          ByteArrayOutputStream image = new ByteArrayOutputStream();
          image.write(out.toByteArray(), 0, 9);
          byte[] length = new byte[4];
          StoredOutput.putInt(length, 0, block.length);
          image.write(length);
          image.write(block);
          image.write(out.toByteArray(), blockAt + blockLength, 4 + 13);
          ShardImages.Records records =
              ShardImage.readFrom(new ByteArrayInputStream(image.toByteArray()));
          while (records.next()) {
            assertThat(block.length, greaterThan(records.key().length + records.value().length));
          }
        });
  }

  private static void fuzz(byte[] valid, Decoder decoder) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long end = System.nanoTime() + MILLIS * 1_000_000;
    int refused = 0;
    while (System.nanoTime() < end) {
      byte[] damaged = damage(valid, random);
      try {
        decoder.decode(damaged);
      } catch (CorruptStateException e) {
        refused++;
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError("Seed " + seed + ": " + Arrays.toString(damaged), e);
      }
    }
    assertThat("refused", refused, greaterThan(0));
  }

  private static byte[] damage(byte[] valid, Random random) {
    int length = random.nextInt(3) == 0 ? 1 + random.nextInt(valid.length + 10) : valid.length;
    byte[] damaged = Arrays.copyOf(valid, Math.max(length, 5));
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = 1 + random.nextInt(damaged.length - 1);
      damaged[at] = (byte) (random.nextBoolean() ? random.nextInt() : -1 << random.nextInt(8));
    }
    int limit = damaged.length - StoredInput.CRC_BYTES;
    if (random.nextInt(10) > 0) {
      StoredOutput.putInt(damaged, limit, StoredInput.crc(damaged, 0, limit));
    }
    return damaged;
  }

  /** Reads an array, or refuses it. */
  private interface Decoder {
    void decode(byte[] bytes) throws IOException;
  }

  /** Checks that all is within the array. */
  private record Lengths(int length) implements StoredRecord.Target {
    @Override
    public void put(byte[] array, int keyAt, int keyLength, int valueAt, int valueLength) {
      assertThat(length, greaterThan(keyAt + keyLength));
      assertThat(length, greaterThan(valueAt + valueLength));
    }

    @Override
    public void remove(byte[] array, int keyAt, int keyLength) {
      assertThat(length, greaterThan(keyAt + keyLength));
    }
  }
}
