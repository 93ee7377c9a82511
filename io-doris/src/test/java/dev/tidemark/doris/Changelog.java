package dev.tidemark.doris;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Random changes of few orders, and the table that they make. */
final class Changelog {
  private final List<Change> changes = new ArrayList<>();
  private final Map<Long, String> table = new TreeMap<>();

  private Changelog() {}

  static Changelog of(Random random, int size, int keys) {
    Changelog log = new Changelog();
    for (int i = 0; i < size; i++) {
      long id = random.nextInt(keys);
      int dice = random.nextInt(10);
      if (dice < 2) {
        log.changes.add(Shop.delete(id));
        log.table.remove(id);
      } else if (dice < 3) {
        log.changes.add(Change.of(ChangeKind.UPDATE_BEFORE, Shop.order(id, "before", -1)));
      } else {
        String name = dice == 9 ? null : Long.toString(random.nextLong(), 36);
        log.changes.add(Shop.upsert(id, name, i));
        log.table.put(id, name + " " + i);
      }
    }
    return log;
  }

  List<Change> changes() {
    return changes;
  }

  /** As {@link Shop#orders} shows it. */
  Map<Long, String> table() {
    return table;
  }
}
