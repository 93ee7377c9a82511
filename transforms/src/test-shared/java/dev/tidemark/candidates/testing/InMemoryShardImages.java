package dev.tidemark.candidates.testing;

import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** Images of the shards of {@link InMemoryCandidateStore}: records one after another, for tests. */
public final class InMemoryShardImages implements ShardImages {
  @Override
  public Records readFrom(int shard, ShardState state) {
    Map<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);
    ShardRecords batch = InMemoryCandidateStore.create().begin(shard, state);
    batch.scan(
        new byte[0],
        null,
        (key, value) -> {
          records.put(key, value);
          return true;
        });
    return of(records.entrySet());
  }

  /** Records, with their keys. */
  public static Records of(Collection<Map.Entry<byte[], byte[]>> records) {
    Iterator<Map.Entry<byte[], byte[]>> entries = records.iterator();
    return new Records() {
      private Map.Entry<byte[], byte[]> entry;

      @Override
      public boolean next() {
        boolean more = entries.hasNext();
        entry = more ? entries.next() : null;
        return more;
      }

      @Override
      public byte[] key() {
        return entry.getKey();
      }

      @Override
      public byte[] value() {
        return entry.getValue();
      }
    };
  }

  @Override
  public Records readFrom(InputStream in) {
    DataInputStream data = new DataInputStream(in);
    return new Records() {
      private byte[] key;
      private byte[] value;

      @Override
      public boolean next() throws IOException {
        try {
          if (!data.readBoolean()) {
            return false;
          }
          key = read();
          value = read();
          return true;
        } catch (EOFException e) {
          throw new CorruptStateException("Cannot read image: it is cut off.", e);
        }
      }

      private byte[] read() throws IOException {
        byte[] bytes = new byte[data.readInt()];
        data.readFully(bytes);
        return bytes;
      }

      @Override
      public byte[] key() {
        return key;
      }

      @Override
      public byte[] value() {
        return value;
      }
    };
  }

  @Override
  public Sink writeTo(int shard, ShardState state) {
    if (state.header() != null) {
      throw new IllegalStateException("Cannot import shard " + shard + ": it has records already.");
    }
    ShardRecords batch = InMemoryCandidateStore.create().begin(shard, state);
    return new Sink() {
      @Override
      public void put(byte[] key, byte[] value) {
        batch.put(key, value);
      }

      @Override
      public void close() {
        batch.commit();
      }
    };
  }

  @Override
  public Sink writeTo(OutputStream out) {
    DataOutputStream data = new DataOutputStream(out);
    return new Sink() {
      @Override
      public void put(byte[] key, byte[] value) throws IOException {
        data.writeBoolean(true);
        data.writeInt(key.length);
        data.write(key);
        data.writeInt(value.length);
        data.write(value);
      }

      @Override
      public void close() throws IOException {
        data.writeBoolean(false);
        data.flush();
      }
    };
  }
}
