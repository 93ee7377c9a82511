package dev.tidemark.candidates.testing;

import dev.tidemark.candidates.ShardState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The state of a shard in memory, with snapshots as a runner takes them. */
public final class InMemoryShardState implements ShardState {
  private final @Nullable Random shuffle;
  private byte @Nullable [] header;
  private final Map<Bag, List<byte[]>> bags = new EnumMap<>(Bag.class);

  private InMemoryShardState(@Nullable Random shuffle) {
    this.shuffle = shuffle;
    restore(Snapshot.EMPTY);
  }

  /** Empty state whose bags give their elements in the order of addition. */
  public static InMemoryShardState ordered() {
    return new InMemoryShardState(null);
  }

  /** Empty state whose bags give their elements in another order with every read. */
  public static InMemoryShardState shuffled(long seed) {
    return new InMemoryShardState(new Random(seed));
  }

  @Override
  public byte @Nullable [] header() {
    return header == null ? null : header.clone();
  }

  @Override
  public void setHeader(byte[] header) {
    this.header = header.clone();
  }

  @Override
  public Iterable<byte[]> read(Bag bag) {
    List<byte[]> elements = new ArrayList<>();
    for (byte[] element : elements(bag)) {
      elements.add(element.clone());
    }
    if (shuffle != null) {
      Collections.shuffle(elements, shuffle);
    }
    return elements;
  }

  @Override
  public void add(Bag bag, byte[] element) {
    elements(bag).add(element.clone());
  }

  @Override
  public void clear(Bag bag) {
    elements(bag).clear();
  }

  /** The elements of a bag themselves, in the order of addition, for a test to damage. */
  public List<byte[]> elements(Bag bag) {
    return bags.computeIfAbsent(bag, b -> new ArrayList<>());
  }

  /** What a checkpoint would keep now. */
  public Snapshot snapshot() {
    return new Snapshot(header, copy(bags));
  }

  /** Goes back to a snapshot, of this or of another state. */
  public void restore(Snapshot snapshot) {
    header = snapshot.header;
    bags.clear();
    bags.putAll(copy(snapshot.bags));
  }

  private static Map<Bag, List<byte[]>> copy(Map<Bag, List<byte[]>> bags) {
    Map<Bag, List<byte[]>> copy = new EnumMap<>(Bag.class);
    bags.forEach(
        (bag, elements) -> {
          List<byte[]> copies = new ArrayList<>(elements.size());
          for (byte[] element : elements) {
            copies.add(element.clone());
          }
          copy.put(bag, copies);
        });
    return copy;
  }

  /** What a checkpoint keeps of a shard. */
  public static final class Snapshot {
    private static final Snapshot EMPTY = new Snapshot(null, new EnumMap<>(Bag.class));

    private final byte @Nullable [] header;
    private final Map<Bag, List<byte[]>> bags;

    private Snapshot(byte @Nullable [] header, Map<Bag, List<byte[]>> bags) {
      this.header = header == null ? null : header.clone();
      this.bags = bags;
    }
  }
}
