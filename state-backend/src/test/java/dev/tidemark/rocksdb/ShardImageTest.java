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
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;

public final class ShardImageTest {
  @Rule public final StoreFixture fixture = new StoreFixture();

  @Test
  public void importedShardHasTheRecordsOfTheExportedOne() throws IOException {
    InMemoryShardState imported = InMemoryShardState.ordered();
    ByteArrayInputStream image = new ByteArrayInputStream(image());
    try (ShardImages.Sink sink = ShardImage.writeTo(2, imported)) {
      ShardImages.copy(ShardImage.readFrom(image), sink);
    }

    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      assertThat(all(store, 2, imported), equalTo(expected(10, 3000, "value")));
      batch(store, 2, imported, puts(0, 20, "value"));
      assertThat(all(store, 2, imported), equalTo(expected(0, 3000, "value")));
    }
  }

  @Test
  public void shardWithoutRecordsHasAnImage() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ShardImage.writeTo(out).close();
    InMemoryShardState imported = InMemoryShardState.ordered();
    try (ShardImages.Sink sink = ShardImage.writeTo(0, imported)) {
      ShardImages.copy(ShardImage.readFrom(new ByteArrayInputStream(out.toByteArray())), sink);
    }

    assertThat(ShardImage.readFrom(0, InMemoryShardState.ordered()).next(), is(false));
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      assertThat(all(store, 0, imported), equalTo(Map.of()));
    }
  }

  @Test
  public void bytesAreThoseOfVersionOne() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ShardImages.Sink sink = ShardImage.writeTo(out)) {
      sink.put(bytes("key"), bytes("value"));
      sink.put(bytes(""), bytes(""));
    }

    assertThat(
        HexFormat.of().formatHex(out.toByteArray()),
        is(
            "54444d4b5348524401000000110006056b657976616c756500008374b0b60000000d0100"
                + "00000000000002aee0ce1c"));
  }

  @Test
  public void everyTruncationIsRefused() throws IOException {
    byte[] image = image();
    for (int length = 0; length < image.length; length += 1 + length / 50) {
      assertRefused(Arrays.copyOf(image, length));
    }
  }

  @Test
  public void everyFlippedBitIsRefused() throws IOException {
    byte[] image = image();
    for (int bit = 0; bit < image.length * 8; bit += 1 + bit / 500) {
      byte[] flipped = image.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertRefused(flipped);
    }
  }

  @Test
  public void lengthThatLiesCostsNoMemory() {
    byte[] image = Arrays.copyOf(bytes("TDMKSHRD"), 100);
    image[8] = 1;
    image[9] = 0x7f;
    Arrays.fill(image, 10, 13, (byte) 0xff);

    assertRefused(image);
  }

  @Test
  public void streamIsReadABlockAtATime() throws IOException {
    CountingStream in = new CountingStream(image());
    ShardImages.Records records = ShardImage.readFrom(in);
    records.next();

    assertThat(in.count, lessThan(65L << 10));
  }

  @Test
  public void importIntoStateInUseIsRefused() throws IOException {
    InMemoryShardState state = InMemoryShardState.ordered();
    ShardImage.writeTo(3, state).close();

    Exception e = assertThrows(IllegalStateException.class, () -> ShardImage.writeTo(3, state));
    assertThat(e.getMessage(), containsString("Cannot import shard 3"));
  }

  /** An image of a shard that has a base image and a journal. */
  private byte[] image() throws IOException {
    InMemoryShardState state = InMemoryShardState.shuffled(3);
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      for (String text : new String[] {"a", "b", "c", "value"}) {
        batch(store, 1, state, puts(0, 3000, text));
      }
      batch(
          store,
          1,
          state,
          records -> {
            for (int i = 0; i < 10; i++) {
              records.remove(bytes("key-00000" + i));
            }
          });
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ShardImages.Sink sink = ShardImage.writeTo(out)) {
      ShardImages.copy(ShardImage.readFrom(1, state), sink);
    }
    return out.toByteArray();
  }

  private static void assertRefused(byte[] image) {
    Exception e = assertThrows(CorruptStateException.class, () -> readAll(image));
    assertThat(e.getMessage(), containsString("Cannot read the image of a shard"));
  }

  private static void readAll(byte[] image) throws IOException {
    ShardImages.Records records = ShardImage.readFrom(new ByteArrayInputStream(image));
    while (records.next()) {
      assertThat(records.key().length, lessThan(100));
    }
  }

  private static final class CountingStream extends InputStream {
    private final ByteArrayInputStream in;
    long count;

    CountingStream(byte[] bytes) {
      in = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      count++;
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      int read = in.read(bytes, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }
}
