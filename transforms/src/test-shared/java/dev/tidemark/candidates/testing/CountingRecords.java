package dev.tidemark.candidates.testing;

import dev.tidemark.candidates.ShardRecords;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Counts what is done to the records of a shard. */
public final class CountingRecords implements ShardRecords {
  private @Nullable ShardRecords records;
  public int prefetches;
  public int gets;
  public int puts;
  public int removes;
  public long readBytes;
  public long writtenBytes;

  /** What was read without having been prefetched in the same batch. */
  public final List<String> unforeseen = new ArrayList<>();

  private final Set<String> foreseen = new TreeSet<>();

  /** Counts what is done to these. */
  public ShardRecords of(ShardRecords batch) {
    records = batch;
    foreseen.clear();
    return this;
  }

  @Override
  public void prefetch(List<byte[]> keys) {
    prefetches++;
    for (byte[] key : keys) {
      foreseen.add(HexFormat.of().formatHex(key));
    }
    records.prefetch(keys);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    gets++;
    String text = HexFormat.of().formatHex(key);
    if (!foreseen.contains(text)) {
      unforeseen.add(text);
    }
    byte[] value = records.get(key);
    readBytes += value == null ? 0 : value.length;
    return value;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    puts++;
    writtenBytes += value.length;
    records.put(key, value);
  }

  @Override
  public void remove(byte[] key) {
    removes++;
    records.remove(key);
  }

  @Override
  public void scan(byte[] prefix, byte @Nullable [] after, Visitor visitor) {
    records.scan(
        prefix,
        after,
        (key, value) -> {
          readBytes += key.length + value.length;
          return visitor.visit(key, value);
        });
  }

  @Override
  public void commit() {
    records.commit();
  }
}
