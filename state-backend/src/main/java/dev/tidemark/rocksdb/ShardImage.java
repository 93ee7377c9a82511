package dev.tidemark.rocksdb;

import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardImages.Records;
import dev.tidemark.candidates.ShardImages.Sink;
import dev.tidemark.candidates.ShardState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * The records of one shard outside of a runner: read from its state, from a stream or written to
 * either. A stream is read and written a block at a time, in bounded memory, and does not depend on
 * the processor or the release of RocksDB.
 *
 * <p>A shard is exported by copying the records of its state to a stream, and imported by copying
 * them from the stream to empty state:
 *
 * <pre>{@code
 * try (ShardImages.Sink image = ShardImage.writeTo(file)) {
 *   ShardImages.copy(ShardImage.readFrom(shard, state), image);
 * }
 * try (ShardImages.Sink imported = ShardImage.writeTo(otherShard, otherState)) {
 *   ShardImages.copy(ShardImage.readFrom(file), imported);
 * }
 * }</pre>
 *
 * <p>Nothing here knows what records mean. {@link dev.tidemark.candidates.Resharding} changes the
 * number of shards.
 */
public final class ShardImage {
  private static final byte[] MAGIC = {'T', 'D', 'M', 'K', 'S', 'H', 'R', 'D'};
  private static final int VERSION = 1;
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int RECORDS = 0;
  private static final int END = 1;
  private static final String PART = "the image of a shard";

  private ShardImage() {}

  /**
   * The records of a shard as its runner keeps them, in no order. They are read whole at once.
   *
   * @throws CorruptStateException if the state cannot be read
   */
  public static Records readFrom(int shard, ShardState state) {
    RecordArena records = new RecordArena(new MemoryMeter());
    byte[] header = state.header();
    if (header == null) {
      ShardFold.requireEmpty(shard, state);
    } else {
      ShardFold.read(shard, ShardHeader.decode(header, shard), state, records, 0);
    }
    return new ArenaRecords(records);
  }

  /**
   * The records of an image, in the order they were written. Closing it is up to who opened the
   * stream, of which no byte after the image is read.
   *
   * @throws CorruptStateException if it is not an image of a version this release reads
   */
  public static Records readFrom(InputStream in) throws IOException {
    byte[] head = in.readNBytes(MAGIC.length + 1);
    if (head.length <= MAGIC.length || !Arrays.equals(Arrays.copyOf(head, MAGIC.length), MAGIC)) {
      throw corrupt("it does not begin like one");
    }
    if (head[MAGIC.length] != VERSION) {
      throw corrupt(
          "its format has version %s, this release reads %s"
              .formatted(head[MAGIC.length], VERSION));
    }
    return new StreamRecords(in);
  }

  /** Begins an image. Without {@link Sink#close} it is not whole. The stream stays open. */
  public static Sink writeTo(OutputStream out) throws IOException {
    out.write(MAGIC);
    out.write(VERSION);
    return new StreamSink(out);
  }

  /**
   * Fills the state of a shard. Without {@link Sink#close} it stays without records. A record must
   * not be put twice.
   *
   * @throws IllegalStateException if the state is not empty
   */
  public static Sink writeTo(int shard, ShardState state) {
    if (state.header() != null) {
      throw new IllegalStateException(
          "Cannot import shard " + shard + ": it has records already. Import into new state.");
    }
    return new StateSink(state);
  }

  private static CorruptStateException corrupt(String reason) {
    return StoredInput.corrupt(PART, StoredInput.NO_SHARD, reason);
  }

  private static final class ArenaRecords implements Records {
    private final RecordArena records;
    private int address = RecordArena.NONE;
    private boolean begun;

    ArenaRecords(RecordArena records) {
      this.records = records;
    }

    @Override
    public boolean next() {
      do {
        address = begun ? records.next(address) : records.first();
        begun = true;
      } while (address != RecordArena.NONE && (records.flags(address) & RecordArena.DEAD) != 0);
      return address != RecordArena.NONE;
    }

    @Override
    public byte[] key() {
      return records.key(address);
    }

    @Override
    public byte[] value() {
      return records.value(address);
    }
  }

  /** Reads blocks: length, then an array with the kind in place of the version. */
  private static final class StreamRecords implements Records, StoredRecord.Target {
    private final InputStream in;
    private StoredInput block;
    private byte[] key = {};
    private byte[] value = {};
    private long count;
    private boolean ended;

    StreamRecords(InputStream in) throws IOException {
      this.in = in;
      this.block = readBlock();
    }

    @Override
    public boolean next() throws IOException {
      while (!ended && !block.hasMore()) {
        block = readBlock();
      }
      if (ended) {
        return false;
      }
      StoredRecord.read(block, false, this);
      count++;
      return true;
    }

    private StoredInput readBlock() throws IOException {
      byte[] head = readFully(Integer.BYTES);
      int length = StoredOutput.intAt(head, 0);
      if (length < 1 + StoredInput.CRC_BYTES) {
        throw corrupt("it has a block of %s bytes".formatted(length));
      }
      // Grows with what is there, whatever the length says.
      byte[] bytes = readFully(length);
      if (bytes[0] != END) {
        return new StoredInput(bytes, RECORDS, PART, StoredInput.NO_SHARD);
      }
      StoredInput last = new StoredInput(bytes, END, PART, StoredInput.NO_SHARD);
      long expected = last.readCount();
      if (expected != count) {
        throw corrupt("it has %s of %s records".formatted(count, expected));
      }
      last.requireEnd();
      ended = true;
      return last;
    }

    private byte[] readFully(int length) throws IOException {
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw corrupt("it is truncated");
      }
      return bytes;
    }

    @Override
    public void put(byte[] array, int keyAt, int keyLength, int valueAt, int valueLength) {
      key = Arrays.copyOfRange(array, keyAt, keyAt + keyLength);
      value = Arrays.copyOfRange(array, valueAt, valueAt + valueLength);
    }

    @Override
    public void remove(byte[] array, int keyAt, int keyLength) {
      throw new AssertionError();
    }

    @Override
    public byte[] key() {
      return key;
    }

    @Override
    public byte[] value() {
      return value;
    }
  }

  private static final class StreamSink implements Sink {
    private final OutputStream out;
    private final StoredOutput block = new StoredOutput().begin(RECORDS);
    private long count;
    private boolean closed;

    StreamSink(OutputStream out) {
      this.out = out;
    }

    @Override
    public void put(byte[] key, byte[] value) throws IOException {
      if (block.size() > 1 && key.length + value.length > BLOCK_BYTES - 16 - block.size()) {
        writeBlock();
        block.begin(RECORDS);
      }
      StoredRecord.put(block, key, 0, key.length, value, 0, value.length);
      count++;
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        if (block.size() > 1) {
          writeBlock();
        }
        block.begin(END).writeLong(count);
        writeBlock();
        out.flush();
      }
    }

    private void writeBlock() throws IOException {
      byte[] bytes = block.finish();
      byte[] length = new byte[Integer.BYTES];
      StoredOutput.putInt(length, 0, bytes.length);
      out.write(length);
      out.write(bytes);
    }
  }

  private static final class StateSink implements Sink {
    private final ShardState state;
    private final ShardHeader header = new ShardHeader(Fence.draw(0));
    private final BaseChunks chunks;
    private boolean closed;

    StateSink(ShardState state) {
      this.state = state;
      header.clearBase(state, 0);
      header.bases[0].id = BaseChunks.drawId();
      chunks = new BaseChunks(new StoredOutput(), state, header, 0);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      chunks.put(key, 0, key.length, value, 0, value.length);
      header.liveRecords++;
      header.liveBytes += StoredRecord.size(key.length, value.length);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        chunks.finish(true);
        state.setHeader(header.encode(new StoredOutput()));
      }
    }
  }
}
