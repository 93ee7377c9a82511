package dev.tidemark.merge;

import static dev.tidemark.merge.MergeFixture.BASE;
import static dev.tidemark.merge.MergeFixture.CHANGES;
import static dev.tidemark.merge.MergeFixture.HOUR;
import static dev.tidemark.merge.MergeFixture.spec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;

/**
 * A random history of a change table, merged while other things happen to it and to the base, and
 * what the base has to hold at any time.
 *
 * <p>Some changes arrive commits after later ones of their key.
 *
 * <p>The changes of commit n have event times from hour n on, and the watermark after it says n + 1
 * hours: a base with that watermark has to hold commits 0 to n.
 */
final class MergeRace {
  private static final int KEYS = 12;
  private static final List<String> REGIONS = Arrays.asList("a", "b", "c", null);

  private final MergeFixture tables;
  private final Random random;
  private final MergeSpec spec;
  private final boolean full;
  private final Map<Long, List<Object>> now = new TreeMap<>();
  private final List<Record> late = new ArrayList<>();
  private final Map<Long, Record> newest = new HashMap<>();
  private final List<Map<Long, List<Object>>> after = new ArrayList<>();
  private final Map<Long, Integer> commitOf = new HashMap<>();

  MergeRace(MergeFixture tables, Random random) {
    this.tables = tables;
    this.random = random;
    this.full = random.nextBoolean();
    MergeSpec base = full ? spec().withFullBeforeImages() : spec();
    this.spec = base.withRowsInMemory(random.nextInt(3) == 0 ? 5 : 1_000_000).withThreads(1);
  }

  MergeSpec merges() {
    return spec;
  }

  /** Appends a few changes, and then maybe moves the watermark. */
  void change() {
    List<Record> changes = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      long id = random.nextInt(KEYS);
      List<Object> before = now.get(id);
      if (before != null && random.nextInt(4) == 0) {
        now.remove(id);
        changes.add(
            full
                ? tables.change("-D", id, (String) before.get(0), (Integer) before.get(1))
                : tables.change("-D", id, null, null));
        continue;
      }
      String region = REGIONS.get(random.nextInt(REGIONS.size()));
      int amount = random.nextInt(1000);
      if (before != null && full) {
        changes.add(tables.change("-U", id, (String) before.get(0), (Integer) before.get(1)));
      }
      changes.add(tables.change(before == null ? "+I" : "+U", id, region, amount));
      now.put(id, Arrays.asList(region, amount));
    }
    changes.addAll(late);
    late.clear();
    changes.removeIf(change -> random.nextInt(4) == 0 && late.add(change));
    if (changes.isEmpty()) {
      return;
    }
    Collections.shuffle(changes, random);
    tables.append(changes.toArray(new Record[0]));
    commitOf.put(tables.changes().currentSnapshot().snapshotId(), after.size());
    after.add(fold(changes));
    if (random.nextInt(3) > 0) {
      tables.finalizeUntil(CHANGES, after.size() * HOUR);
    }
  }

  /** What the base has to hold with these, and all that arrived before. */
  private Map<Long, List<Object>> fold(List<Record> changes) {
    for (Record change : changes) {
      newest.merge(
          (Long) change.getField("id"),
          change,
          (one, other) -> position(one) > position(other) ? one : other);
    }
    Map<Long, List<Object>> rows = new TreeMap<>();
    newest.forEach(
        (id, change) -> {
          if (((String) change.getField("_kind")).startsWith("+")) {
            rows.put(id, Arrays.asList(change.getField("region"), change.getField("amount")));
          }
        });
    return rows;
  }

  private static long position(Record change) {
    return (Long) change.getField("_position");
  }

  /** Something that happens between a plan and its commit. */
  void interfere() {
    switch (random.nextInt(5)) {
      case 0 -> change();
      case 1 -> tables.compact();
      case 2 -> tables.expire(CHANGES);
      case 3 -> tables.merge(spec);
      default -> tables.expire(BASE);
    }
  }

  /** What is wrong with the base table; empty if nothing is. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    Table base = tables.base();
    String consumed = base.properties().get("tidemark.source.orders.consumed-snapshot-id");
    Integer commit = consumed == null ? Integer.valueOf(-1) : commitOf.get(Long.valueOf(consumed));
    if (commit == null) {
      return List.of("Consumed snapshot " + consumed + " is none of the source");
    }
    Map<Long, List<Object>> expected = commit < 0 ? Map.of() : after.get(commit);
    Map<Long, List<Object>> held = MergeFixture.rows(base);
    if (!held.equals(expected)) {
      faults.add("Rows after commit " + commit + ": " + held + ", expected " + expected);
    }
    String until = base.properties().get("tidemark.finalized-until-ms");
    if (until != null && Long.parseLong(until) > (commit + 1) * HOUR) {
      faults.add("Watermark " + until + " is beyond commit " + commit);
    }
    return faults;
  }

  /** Whether the base holds all there is. */
  boolean isUpToDate() {
    Snapshot head = tables.changes().currentSnapshot();
    return head != null
        && Long.toString(head.snapshotId())
            .equals(tables.property("tidemark.source.orders.consumed-snapshot-id"));
  }
}
