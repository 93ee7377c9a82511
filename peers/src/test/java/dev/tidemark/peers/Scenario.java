package dev.tidemark.peers;

import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.UpsertStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Changelogs that take turns at one materializer. No two of them have a sink key in common.
 *
 * @param seed it was made from this
 */
record Scenario(long seed, Setting setting, ImmutableList<Event> events) {
  private static final ImmutableList<UpsertStrategy> STRATEGIES =
      ImmutableList.copyOf(UpsertStrategy.values());
  private static final ImmutableList<ImmutableList<Integer>> UPSERT_KEYS =
      ImmutableList.of(
          ImmutableList.of(),
          ImmutableList.of(),
          ImmutableList.of(1),
          ImmutableList.of(2),
          ImmutableList.of(1, 2),
          ImmutableList.of(2, 1),
          ImmutableList.of(0, 1),
          ImmutableList.of(3),
          ImmutableList.of(3),
          ImmutableList.of(3, 1));
  private static final long TTL_MILLIS = 100;
  private static final int MAX_TURN = 6;

  /** A scenario of so many changelogs; seeds in a row go through all strategies and backends. */
  static Scenario random(long seed, int changelogs) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    Setting setting = setting(seed, random);
    List<List<Event.Change>> queues = new ArrayList<>();
    for (int i = 0; i < changelogs; i++) {
      queues.add(new RandomChangelog(i, setting, random).changes());
    }
    return new Scenario(seed, setting, interleave(queues, setting, random));
  }

  /** The same with other events. */
  Scenario with(List<Event> others) {
    return new Scenario(seed, setting, ImmutableList.copyOf(others));
  }

  private static Setting setting(long seed, Random random) {
    UpsertStrategy strategy = STRATEGIES.get((int) (seed & 3));
    return new Setting(
        strategy,
        (seed & 4) == 0 ? Setting.Backend.HEAP : Setting.Backend.ROCKSDB,
        ImmutableList.of(
            random.nextInt(4) == 0 ? ColumnType.STRING : ColumnType.INT,
            ColumnType.BIGINT,
            ColumnType.STRING,
            ColumnType.DOUBLE,
            ColumnType.STRING),
        ImmutableList.of(0),
        UPSERT_KEYS.get(random.nextInt(UPSERT_KEYS.size())),
        random.nextInt(5) == 0 ? null : thresholds(random),
        strategy == UpsertStrategy.LEGACY && random.nextInt(3) > 0 ? TTL_MILLIS : 0);
  }

  private static Setting.Thresholds thresholds(Random random) {
    int low = random.nextInt(5);
    return new Setting.Thresholds(low + 1 + random.nextInt(4), low);
  }

  private static ImmutableList<Event> interleave(
      List<List<Event.Change>> queues, Setting setting, Random random) {
    ImmutableList.Builder<Event> events = ImmutableList.builder();
    int[] taken = new int[queues.size()];
    List<Integer> waiting = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      waiting.add(i);
    }
    int changes = queues.stream().mapToInt(List::size).sum();
    long millis = 0;
    while (!waiting.isEmpty()) {
      int index = random.nextInt(waiting.size());
      int queue = waiting.get(index);
      for (int turn = 1 + random.nextInt(MAX_TURN); turn > 0; turn--) {
        if (taken[queue] < queues.get(queue).size()) {
          events.add(queues.get(queue).get(taken[queue]++));
        }
      }
      if (taken[queue] == queues.get(queue).size()) {
        waiting.remove(index);
      }
      if (setting.ttlMillis() > 0 && random.nextInt(4) == 0) {
        millis += step(random);
        events.add(new Event.Time(millis));
      }
      // One in a scenario, more or less.
      if (random.nextInt(Math.max(1, changes / MAX_TURN)) == 0) {
        events.add(new Event.Restore());
      }
    }
    return events.build();
  }

  /** Short steps, and some that end just before, at or after the end of a life. */
  private static long step(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> TTL_MILLIS - 1;
      case 1 -> TTL_MILLIS;
      case 2 -> TTL_MILLIS + 1;
      case 3 -> TTL_MILLIS / 2;
      default -> random.nextInt(10);
    };
  }
}
