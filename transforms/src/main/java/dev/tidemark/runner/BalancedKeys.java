package dev.tidemark.runner;

import static com.google.common.base.Preconditions.checkArgument;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A number for each shard, such that keys with these numbers fall evenly into the groups of a
 * runner. Depends on nothing but the number of shards and of groups, the way keys are encoded, and
 * the turn.
 */
public final class BalancedKeys implements Serializable {
  /** So many tries for each group; about as many as there are groups are expected to do. */
  private static final int TRIES_PER_GROUP = 1_000;

  private final int groups;
  private final int[] numbers;
  private transient @Nullable Map<Integer, Integer> shards;

  private BalancedKeys(int groups, int[] numbers) {
    this.groups = groups;
    this.numbers = numbers;
  }

  /** Encodes the key of a shard with a number in it. */
  @FunctionalInterface
  public interface KeyEncoder {
    /** The bytes of the key, as its coder makes them in a nested context. */
    byte[] encode(int shard, int number);
  }

  /**
   * Chooses numbers for keys that have no other content, so that they all differ.
   *
   * @param encoder asked with shard 0, whatever the shard
   */
  public static BalancedKeys distinct(KeyGroups groups, int shards, KeyEncoder encoder) {
    checkShards(shards);
    Map<Integer, Deque<Integer>> wanted = new HashMap<>();
    for (int shard = 0; shard < shards; shard++) {
      wanted
          .computeIfAbsent(group(shard, shards, groups.count(), 0), group -> new ArrayDeque<>())
          .add(shard);
    }
    int[] numbers = new int[shards];
    int left = shards;
    for (int number = 0; left > 0; number++) {
      checkTries(number, groups);
      Deque<Integer> waiting = wanted.get(groups.groupOf(encoder.encode(0, number)));
      if (waiting != null && !waiting.isEmpty()) {
        numbers[waiting.remove()] = number;
        left--;
      }
    }
    return new BalancedKeys(groups.count(), numbers);
  }

  /**
   * Chooses numbers for keys that tell their shard as well.
   *
   * @param turn any number. The shards of tables with different ones begin at different groups, as
   *     far as the shards of each stay balanced
   */
  public static BalancedKeys perShard(KeyGroups groups, int shards, int turn, KeyEncoder encoder) {
    checkShards(shards);
    int offset = offset(shards, groups.count(), turn);
    int[] numbers = new int[shards];
    for (int shard = 0; shard < shards; shard++) {
      int wanted = group(shard, shards, groups.count(), offset);
      int number = 0;
      while (groups.groupOf(encoder.encode(shard, number)) != wanted) {
        checkTries(++number, groups);
      }
      numbers[shard] = number;
    }
    return new BalancedKeys(groups.count(), numbers);
  }

  /** How many shards each of so many workers gets. */
  public static int[] shardsOfWorkers(int shards, int groups, int workers) {
    return shardsOfWorkers(shards, groups, workers, 0);
  }

  private static int[] shardsOfWorkers(int shards, int groups, int workers, int offset) {
    int[] counts = new int[workers];
    for (int shard = 0; shard < shards; shard++) {
      counts[(int) ((long) group(shard, shards, groups, offset) * workers / groups)]++;
    }
    return counts;
  }

  private static int group(int shard, int shards, int groups, int offset) {
    return (int) (((long) shard * groups / shards + offset) % groups);
  }

  /**
   * The first offset, from that of the turn on, with which no worker gets more than its share,
   * whatever their number. Among as many workers as shards or more, each offset below the distance
   * of two shards is such a one; among fewer, some are not, but 0 always is.
   */
  private static int offset(int shards, int groups, int turn) {
    if (groups % shards != 0) {
      return 0;
    }
    int distance = groups / shards;
    int offset = Math.floorMod(turn, distance);
    while (offset > 0 && !isEven(shards, groups, offset)) {
      offset = (offset + 1) % distance;
    }
    return offset;
  }

  private static boolean isEven(int shards, int groups, int offset) {
    for (int workers = 2; workers < shards; workers++) {
      int share = (shards + workers - 1) / workers;
      for (int count : shardsOfWorkers(shards, groups, workers, offset)) {
        if (count > share) {
          return false;
        }
      }
    }
    return true;
  }

  private static void checkShards(int shards) {
    checkArgument(shards >= 1, "Invalid number of shards: %s (must be >= 1)", shards);
  }

  private static void checkTries(int number, KeyGroups groups) {
    if (number / TRIES_PER_GROUP > groups.count()) {
      throw new IllegalStateException(
          String.format(
              "Cannot choose keys for %d key groups: after %d numbers a group is still without one."
                  + " Report it with the name and the version of the runner",
              groups.count(), number));
    }
  }

  /** The number in the key of a shard. */
  public int number(int shard) {
    checkArgument(
        shard >= 0 && shard < numbers.length,
        "Invalid shard: %s (must be >= 0 and < %s)",
        shard,
        numbers.length);
    return numbers[shard];
  }

  /**
   * The shard whose key has a {@linkplain #distinct distinct} number.
   *
   * @throws IllegalStateException if there is none
   */
  public int shard(int number) {
    Integer shard = shards().get(number);
    if (shard == null) {
      throw new IllegalStateException(
          String.format(
              "Cannot tell the shard of key %d: it is none of %d shards in %d key groups. The state was"
                  + " written with another number of shards or key groups. Set both as they were",
              number, numbers.length, groups));
    }
    return shard;
  }

  private Map<Integer, Integer> shards() {
    Map<Integer, Integer> known = shards;
    if (known == null) {
      known = new HashMap<>();
      for (int shard = 0; shard < numbers.length; shard++) {
        known.put(numbers[shard], shard);
      }
      shards = known;
    }
    return known;
  }
}
