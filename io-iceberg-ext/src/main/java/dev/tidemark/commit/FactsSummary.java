package dev.tidemark.commit;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.CommitFacts;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.iceberg.Snapshot;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The facts of a commit as snapshot summary entries.
 *
 * <p>Every retained summary is part of every later metadata file, so the entries together stay
 * within a limit. Count, extremes and the out-of-range count are always there; what else does not
 * fit is left out, sketch last in line.
 *
 * @param entries what to put into the summary
 * @param dropped how many entries were left out
 */
public record FactsSummary(ImmutableMap<String, String> entries, int dropped) {
  /** Limit in bytes of keys and values, unless a request sets another one. */
  public static final int DEFAULT_LIMIT_BYTES = 1_024;

  private static final Pattern ACCUMULATOR_ENTRY =
      Pattern.compile("[a-z0-9_-]{1,64}(\\.[A-Za-z0-9_-]{1,64}){0,4}");

  /**
   * Encodes facts and accumulator entries.
   *
   * @param facts null where event time is not collected
   * @param accumulators entries by {@code <accumulator>.<entry>}
   * @throws IllegalArgumentException if an accumulator's key is not of that form
   */
  static FactsSummary encode(
      TidemarkKeys keys,
      @Nullable CommitFacts facts,
      Map<String, String> accumulators,
      int limitBytes) {
    Map<String, String> entries = new LinkedHashMap<>();
    Limited limited = new Limited(entries, limitBytes);
    if (facts != null && facts.isKnown()) {
      entries.put(keys.eventTime("count"), Long.toString(facts.count()));
      if (facts.minMillis() != null && facts.maxMillis() != null) {
        entries.put(keys.eventTime("min"), Long.toString(facts.minMillis()));
        entries.put(keys.eventTime("max"), Long.toString(facts.maxMillis()));
      }
      entries.put(
          keys.eventTime("out-of-range"), Long.toString(facts.pastCount() + facts.futureCount()));
      limited.add(pair(keys.eventTime("past"), facts.pastCount()));
      limited.add(pair(keys.eventTime("nulls"), facts.nullCount()));
      limited.add(pair(keys.eventTime("unparsable"), facts.unparsableCount()));
      Map<String, String> quantiles = new LinkedHashMap<>();
      facts
          .quantilesMillis()
          .forEach((q, at) -> quantiles.put(quantile(keys, q), Long.toString(at)));
      limited.add(quantiles);
    }
    accumulators.forEach((entry, value) -> limited.add(accumulator(keys, entry, value)));
    if (facts != null && facts.sketch() != null) {
      limited.add(Map.of(keys.eventTime("sketch"), facts.sketch().toText()));
    }
    return new FactsSummary(ImmutableMap.copyOf(entries), limited.dropped);
  }

  /**
   * The facts in a snapshot's summary; null if there are none, or none that can be read. Without a
   * sketch they have count and extremes only.
   */
  public static @Nullable CommitFacts decode(
      TidemarkKeys keys, String writerId, Snapshot snapshot) {
    Map<String, String> summary = Lineage.summary(snapshot);
    String count = summary.get(keys.eventTime("count"));
    if (count == null) {
      return null;
    }
    try {
      String sketch = summary.get(keys.eventTime("sketch"));
      String min = summary.get(keys.eventTime("min"));
      String max = summary.get(keys.eventTime("max"));
      if (sketch == null && min != null && max != null) {
        return CommitFacts.ofBounds(
            writerId,
            snapshot.snapshotId(),
            snapshot.timestampMillis(),
            Long.parseLong(count),
            Long.parseLong(min),
            Long.parseLong(max));
      }
      return CommitFacts.of(
          writerId,
          snapshot.snapshotId(),
          snapshot.timestampMillis(),
          stats(keys, summary, sketch),
          null);
    } catch (IllegalArgumentException e) {
      // Summaries are anybody's to write; what cannot be read is no evidence.
      return null;
    }
  }

  private static EventTimeStats stats(
      TidemarkKeys keys, Map<String, String> summary, @Nullable String sketch) {
    long past = number(summary, keys.eventTime("past"));
    return EventTimeStats.of(
            sketch == null
                ? EventTimeSketch.empty(EventTimeSketch.HOUR_MILLIS)
                : EventTimeSketch.fromText(sketch))
        .withPastCount(past)
        .withFutureCount(Math.max(0, number(summary, keys.eventTime("out-of-range")) - past))
        .withNullCount(number(summary, keys.eventTime("nulls")))
        .withUnparsableCount(number(summary, keys.eventTime("unparsable")));
  }

  private static String quantile(TidemarkKeys keys, int perMille) {
    return keys.eventTime(String.format(Locale.ROOT, "q%03d", perMille));
  }

  private static Map<String, String> pair(String key, long count) {
    return count == 0 ? Map.of() : Map.of(key, Long.toString(count));
  }

  private static Map<String, String> accumulator(TidemarkKeys keys, String entry, String value) {
    if (!ACCUMULATOR_ENTRY.matcher(entry).matches()) {
      throw new IllegalArgumentException(
          "Invalid accumulator entry: %s (must match %s)"
              .formatted(entry, ACCUMULATOR_ENTRY.pattern()));
    }
    return Map.of(keys.accumulator(entry), value);
  }

  private static long number(Map<String, String> summary, String key) {
    String value = summary.get(key);
    return value == null ? 0 : Long.parseLong(value);
  }

  /** Adds groups of entries while they fit. */
  private static final class Limited {
    private final Map<String, String> entries;
    private final int limitBytes;
    private int dropped;

    Limited(Map<String, String> entries, int limitBytes) {
      this.entries = entries;
      this.limitBytes = limitBytes;
    }

    void add(Map<String, String> group) {
      if (bytes(entries) + bytes(group) <= limitBytes) {
        entries.putAll(group);
      } else {
        dropped += group.size();
      }
    }

    private static int bytes(Map<String, String> map) {
      int bytes = 0;
      for (Map.Entry<String, String> entry : map.entrySet()) {
        bytes +=
            entry.getKey().getBytes(StandardCharsets.UTF_8).length
                + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
      }
      return bytes;
    }
  }
}
