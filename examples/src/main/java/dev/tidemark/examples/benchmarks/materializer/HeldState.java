package dev.tidemark.examples.benchmarks.materializer;

import dev.tidemark.candidates.ShardState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Stands for what a runner keeps of a shard: copies, in memory. */
final class HeldState implements ShardState {
  private final Map<Bag, List<byte[]>> bags = new EnumMap<>(Bag.class);
  private byte @Nullable [] header;

  HeldState() {
    for (Bag bag : Bag.values()) {
      bags.put(bag, new ArrayList<>());
    }
  }

  @Override
  public byte @Nullable [] header() {
    return header;
  }

  @Override
  public void setHeader(byte[] header) {
    this.header = header.clone();
  }

  @Override
  public Iterable<byte[]> read(Bag bag) {
    return bags.get(bag);
  }

  @Override
  public void add(Bag bag, byte[] element) {
    bags.get(bag).add(element.clone());
  }

  @Override
  public void clear(Bag bag) {
    bags.get(bag).clear();
  }

  long bytes() {
    long bytes = header == null ? 0 : header.length;
    for (List<byte[]> elements : bags.values()) {
      for (byte[] element : elements) {
        bytes += element.length;
      }
    }
    return bytes;
  }
}
