package dev.tidemark.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The smallest event time of a lookback, from the rows themselves and by nobody else's code. */
final class BruteForce {
  private final int commits;
  private final long duration;

  BruteForce(int commits, long durationMillis) {
    this.commits = commits;
    this.duration = durationMillis;
  }

  /** The watermark after each event; null where there is none yet. */
  List<Long> watermarks(List<Past.Event> events) {
    Map<String, List<Past.Made>> byWriter = new HashMap<>();
    Past.WRITERS.forEach(writer -> byWriter.put(writer, new ArrayList<>()));
    List<Long> watermarks = new ArrayList<>();
    Long watermark = null;
    for (Past.Event event : events) {
      byWriter
          .values()
          .forEach(made -> made.removeIf(commit -> event.gone().contains(commit.snapshotId())));
      if (event.made() != null && !event.made().rows().isEmpty()) {
        byWriter.get(event.made().writer()).add(event.made());
      }
      Long lowest = Long.MAX_VALUE;
      for (List<Past.Made> made : byWriter.values()) {
        Long own = smallest(made);
        lowest = own == null || lowest == null ? null : Long.valueOf(Math.min(lowest, own));
      }
      if (lowest != null) {
        long hour = Math.floorDiv(Math.min(lowest, event.at()), Past.HOUR) * Past.HOUR;
        watermark = watermark == null ? hour : Math.max(watermark, hour);
      }
      watermarks.add(watermark);
    }
    return watermarks;
  }

  private Long smallest(List<Past.Made> made) {
    long smallest = Long.MAX_VALUE;
    boolean reaches = false;
    for (int back = 1; back <= made.size(); back++) {
      Past.Made commit = made.get(made.size() - back);
      smallest = Math.min(smallest, commit.rows().stream().min(Long::compare).orElseThrow());
      reaches |= commit.at() <= made.get(made.size() - 1).at() - duration;
      if (reaches && back >= commits) {
        return smallest;
      }
    }
    return null;
  }

  /** The first event after which everything before each hour's end was final. */
  static Map<Long, Long> finalAt(List<Past.Event> events, List<Long> watermarks, long from) {
    Map<Long, Long> finalAt = new TreeMap<>();
    for (int i = 0; i < events.size(); i++) {
      Long watermark = watermarks.get(i);
      for (long hour = from;
          watermark != null && hour + Past.HOUR <= watermark;
          hour += Past.HOUR) {
        finalAt.putIfAbsent(hour, events.get(i).at());
      }
    }
    return finalAt;
  }

  /** Rows that came below a watermark, with those before the sane range. */
  static long late(Past.Made made, Long watermark) {
    return watermark == null
        ? 0
        : made.past() + made.rows().stream().filter(row -> row < watermark).count();
  }

  static long hour(long millis) {
    return Math.floorDiv(millis, Past.HOUR) * Past.HOUR;
  }
}
