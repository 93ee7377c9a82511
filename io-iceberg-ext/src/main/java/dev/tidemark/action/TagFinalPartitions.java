package dev.tidemark.action;

import com.google.common.base.Preconditions;
import dev.tidemark.action.FinalPartitions.Partition;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * Gives each final hour or day a tag, {@code final-2026-01-01-05}, of a snapshot that holds all of
 * it. A reader of the tag reads the same for ever, whatever comes late.
 *
 * <p>Tags are made in one commit of the table's references, after the newest one that is there; so
 * what was missed is made up for, and what exists stays where it is. Tags beyond the watermark,
 * which was reset then, are removed. Tags keep their snapshots, and with them files, from expiry
 * until the retention is over. On a branch other than main its name follows the prefix.
 */
public final class TagFinalPartitions implements AdvanceListener {
  private static final long serialVersionUID = 1L;
  private static final Duration RETENTION = Duration.standardDays(7);

  private final FinalPartitions partitions;
  private final String prefix;
  private final @Nullable Duration retention;

  private TagFinalPartitions(
      FinalPartitions partitions, String prefix, @Nullable Duration retention) {
    this.partitions = partitions;
    this.prefix = prefix;
    this.retention = retention;
  }

  /** A tag for each hour, in UTC. */
  public static TagFinalPartitions hourly() {
    return new TagFinalPartitions(FinalPartitions.hours(), "final-", RETENTION);
  }

  /** A tag for each day of a zone. */
  public static TagFinalPartitions daily(ZoneId zone) {
    return new TagFinalPartitions(FinalPartitions.days(zone), "final-", RETENTION);
  }

  /**
   * What names begin with. Default: {@code final-}.
   *
   * @throws IllegalArgumentException if it is empty: other tags would be taken for these
   */
  public TagFinalPartitions withPrefix(String prefix) {
    Preconditions.checkArgument(!prefix.isEmpty(), "Invalid tag prefix: empty (must be a text)");
    return new TagFinalPartitions(partitions, prefix, retention);
  }

  /**
   * How long after its snapshot was made a tag may be removed by expiry; null for never. Default: 7
   * days.
   *
   * @throws IllegalArgumentException unless it is null or positive
   */
  public TagFinalPartitions withRetention(@Nullable Duration retention) {
    Preconditions.checkArgument(
        retention == null || retention.getMillis() > 0,
        "Invalid retention of tags: %s (must be positive, or null for ever)",
        retention);
    return new TagFinalPartitions(partitions, prefix, retention);
  }

  @Override
  public void advanced(AdvanceNotice notice, Supplier<Table> table) {
    Table live = table.get();
    Long snapshotId = Declared.snapshotId(notice, live);
    if (snapshotId == null) {
      return;
    }
    Instant until = Instant.ofEpochMilli(notice.finalizedUntil().getMillis());
    String start =
        notice.branch().equals(SnapshotRef.MAIN_BRANCH) ? prefix : prefix + notice.branch() + "-";
    NavigableMap<Instant, String> tagged = tagged(live, start);
    ManageSnapshots change = live.manageSnapshots();
    boolean changes = false;
    for (String tag : tagged.tailMap(until, false).values()) {
      change = change.removeTag(tag);
      changes = true;
    }
    Map.Entry<Instant, String> newest = tagged.floorEntry(until);
    for (Partition partition :
        partitions.within(Declared.javaTime(notice.finalizedSince()), until)) {
      if (newest != null && !partition.end().isAfter(newest.getKey())) {
        break;
      }
      change = change.createTag(start + partition.name(), snapshotId);
      if (retention != null) {
        change = change.setMaxRefAgeMs(start + partition.name(), retention.getMillis());
      }
      changes = true;
    }
    if (changes) {
      change.commit();
    }
  }

  /** Names of tags by the ends of their partitions. */
  private NavigableMap<Instant, String> tagged(Table live, String start) {
    NavigableMap<Instant, String> tagged = new TreeMap<>();
    live.refs()
        .forEach(
            (name, ref) -> {
              Partition partition =
                  ref.isTag() && name.startsWith(start)
                      ? partitions.named(name.substring(start.length()))
                      : null;
              if (partition != null) {
                tagged.put(partition.end(), name);
              }
            });
    return tagged;
  }

  @Override
  public String toString() {
    return "TagFinalPartitions{" + prefix + ", " + partitions + "}";
  }
}
