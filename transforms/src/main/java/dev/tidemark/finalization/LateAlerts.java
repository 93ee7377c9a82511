package dev.tidemark.finalization;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import java.time.Clock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Turns lateness reports into alerts: at most one per table and hour within a window of time, once
 * the late records of that hour in that window exceed a threshold.
 *
 * <p>Remembers the newest 10,000 pairs of table and hour, in memory only: after a restart, or
 * beyond that number, an hour may alert again. Nothing is kept from anybody by it, since alerts
 * never replace the reports. Not thread-safe.
 */
public final class LateAlerts {

  static final int MAX_REMEMBERED = 10_000;

  private record Key(String table, @Nullable Long hourMillis) {}

  private static final class Episode {
    final long openedAtMillis;
    long records;
    boolean exact = true;
    boolean alerted;

    Episode(long openedAtMillis) {
      this.openedAtMillis = openedAtMillis;
    }
  }

  private final LateAlertOptions options;
  private final Clock clock;

  /** In the order in which the episodes opened. */
  private final LinkedHashMap<Key, Episode> episodes = new LinkedHashMap<>();

  /** Alerts by the time of {@code clock}. */
  public LateAlerts(LateAlertOptions options, Clock clock) {
    this.options = requireNonNull(options, "options");
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * The alerts that {@code report} on {@code table} gives rise to, by hour; usually none or one.
   */
  public ImmutableList<LateAlert> offer(String table, LatenessReport report) {
    if (options.backfill()) {
      return ImmutableList.of();
    }
    long now = clock.millis();
    forgetClosed(now);
    ImmutableList.Builder<LateAlert> alerts = ImmutableList.builder();
    SortedMap<Long, Long> byHour = new TreeMap<>(report.lateByHour());
    long unknown = report.pastCount();
    Long earliest = report.earliestMillis();
    if (report.unplacedRecords() > 0 && earliest != null) {
      byHour.merge(
          Boundaries.floor(earliest, report.widthMillis()), report.unplacedRecords(), Long::sum);
    } else {
      unknown += report.unplacedRecords();
    }
    byHour.forEach((hour, records) -> count(table, hour, records, report, now, alerts));
    if (unknown > 0) {
      count(table, null, unknown, report, now, alerts);
    }
    return alerts.build();
  }

  private void count(
      String table,
      @Nullable Long hourMillis,
      long records,
      LatenessReport report,
      long now,
      ImmutableList.Builder<LateAlert> alerts) {
    Episode episode = episodes.computeIfAbsent(new Key(table, hourMillis), key -> new Episode(now));
    episode.records = LongMath.saturatedAdd(episode.records, records);
    episode.exact &= report.exact();
    if (!episode.alerted && episode.records > options.threshold()) {
      episode.alerted = true;
      alerts.add(LateAlert.of(table, hourMillis, episode.records, episode.exact, report));
    }
    if (episodes.size() > MAX_REMEMBERED) {
      episodes.remove(episodes.keySet().iterator().next());
    }
  }

  private void forgetClosed(long now) {
    Iterator<Map.Entry<Key, Episode>> oldest = episodes.entrySet().iterator();
    while (oldest.hasNext()) {
      long age = now - oldest.next().getValue().openedAtMillis;
      if (age < options.windowMillis()) {
        return;
      }
      oldest.remove();
    }
  }
}
