package dev.tidemark.merge;

import dev.tidemark.commit.PropertyChange;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.commit.WatermarkState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a merge writes into the properties of its base table. */
final class MergeProperties {
  private static final String POLICY = "minOfSources()";

  private final MergeSpec spec;
  private final TidemarkKeys keys;
  private final List<SourceRange> ranges;

  MergeProperties(MergeSpec spec, List<SourceRange> ranges) {
    this.spec = spec;
    this.keys = spec.keys();
    this.ranges = ranges;
  }

  /** Whether the base table says that it holds all of the ranges. */
  boolean holds(TableMetadata base) {
    for (SourceRange range : ranges) {
      Snapshot head = range.head();
      boolean held =
          head == null
              || (Long.toString(head.snapshotId())
                      .equals(said(base, range, SourceRecord.SNAPSHOT_ID))
                  && range.tableUuid().equals(said(base, range, SourceRecord.TABLE_UUID)));
      if (!held) {
        return false;
      }
    }
    return true;
  }

  /** Whether the base table says of all sources what it said when the plan was made. */
  boolean precedes(TableMetadata base, TableMetadata planned) {
    return ranges.stream()
        .allMatch(
            range ->
                Objects.equals(
                        said(base, range, SourceRecord.SNAPSHOT_ID),
                        said(planned, range, SourceRecord.SNAPSHOT_ID))
                    && Objects.equals(
                        said(base, range, SourceRecord.TABLE_UUID),
                        said(planned, range, SourceRecord.TABLE_UUID)));
  }

  private @Nullable String said(TableMetadata base, SourceRange range, String entry) {
    return base.properties().get(keys.source(range.source().name(), entry));
  }

  /** The watermark in force, if it is about this very table. */
  static @Nullable Long stored(Map<String, String> properties, String uuid, TidemarkKeys keys) {
    WatermarkState state = WatermarkState.of(properties, keys);
    boolean clone = state.tableUuid() != null && !state.tableUuid().equals(uuid);
    return clone ? null : state.finalizedUntilMillis();
  }

  /** The watermark that all sources allow; null if one has none. */
  @Nullable Long allowed() {
    Long least = null;
    for (SourceRange range : ranges) {
      Long until = range.finalizedUntilMillis();
      if (until == null) {
        return null;
      }
      least = least == null ? until : Long.valueOf(Math.min(least, until));
    }
    return least;
  }

  /**
   * What is to be written.
   *
   * @param snapshotId the snapshot it is written with; null if it goes alone
   */
  PropertyChange.Builder change(TableMetadata base, @Nullable Long snapshotId) {
    PropertyChange.Builder change = PropertyChange.builder();
    for (SourceRange range : ranges) {
      writeSource(base, range, snapshotId, change);
    }
    WatermarkState state = WatermarkState.of(base.properties(), keys);
    Long stored = stored(base.properties(), base.uuid(), keys);
    Long allowed = allowed();
    boolean moves =
        state.pausedReason() == null
            && (spec.rebuild()
                ? !Objects.equals(allowed, stored)
                : allowed != null && (stored == null || allowed > stored));
    if (moves && allowed == null) {
      change
          .remove(keys.finalizedUntil())
          .remove(keys.finalizedUntilMillis())
          .remove(keys.finalizedUntilSnapshotId())
          .remove(keys.finalizedUntilTableUuid());
    } else if (moves) {
      writeWatermark(base, allowed, snapshotId, change);
    }
    return change;
  }

  private void writeSource(
      TableMetadata base,
      SourceRange range,
      @Nullable Long snapshotId,
      PropertyChange.Builder change) {
    String name = range.source().name();
    Snapshot head = range.head();
    change.set(keys.source(name, SourceRecord.TABLE), range.source().tableName());
    change.set(keys.source(name, SourceRecord.BRANCH), range.source().branch());
    change.set(keys.source(name, SourceRecord.TABLE_UUID), range.tableUuid());
    boolean goesOn =
        head != null
            && !Long.toString(head.snapshotId())
                .equals(said(base, range, SourceRecord.SNAPSHOT_ID));
    if (snapshotId != null && (goesOn || spec.rebuild())) {
      change.set(keys.source(name, SourceRecord.BASE_SNAPSHOT_ID), Long.toString(snapshotId));
    }
    if (head != null) {
      change.set(keys.source(name, SourceRecord.SNAPSHOT_ID), Long.toString(head.snapshotId()));
      change.set(
          keys.source(name, SourceRecord.SEQUENCE_NUMBER), Long.toString(head.sequenceNumber()));
    }
    String bound = head == null ? null : range.orderUntil();
    if (bound == null) {
      change.remove(keys.source(name, SourceRecord.ORDER_UNTIL));
    } else {
      change.set(
          keys.source(name, SourceRecord.ORDER_UNTIL),
          SourceRecord.bound(head.snapshotId(), bound));
    }
    Long until = range.finalizedUntilMillis();
    String key = keys.source(name, SourceRecord.FINALIZED_UNTIL);
    if (until == null) {
      change.remove(key);
    } else {
      change.set(key, text(until));
    }
  }

  private void writeWatermark(
      TableMetadata base, long until, @Nullable Long snapshotId, PropertyChange.Builder change) {
    change
        .set(keys.finalizedUntil(), text(until))
        .set(keys.finalizedUntilMillis(), Long.toString(until))
        .set(keys.finalizedUntilTableUuid(), base.uuid())
        .set(keys.policy(), POLICY);
    if (snapshotId == null) {
      change.remove(keys.finalizedUntilSnapshotId());
    } else {
      change.set(keys.finalizedUntilSnapshotId(), Long.toString(snapshotId));
    }
    Long since = since();
    if (since != null) {
      change.set(keys.finalizedSince(), text(since));
    }
    writeEventTime(base, change);
  }

  /** The first hour that the facts of all sources cover. */
  private @Nullable Long since() {
    Long latest = null;
    for (SourceRange range : ranges) {
      Long since = range.finalizedSinceMillis();
      if (since == null) {
        return null;
      }
      latest = latest == null ? since : Long.valueOf(Math.max(latest, since));
    }
    return latest;
  }

  /** The event-time column, where the sources agree on one that the base table has too. */
  private void writeEventTime(TableMetadata base, PropertyChange.Builder change) {
    String column = common(range -> range.property(range.source().keys().eventTimeColumn()));
    if (column == null || base.schema().findField(column) == null) {
      return;
    }
    change.set(keys.eventTimeColumn(), column);
    String zone = common(range -> range.property(range.source().keys().eventTimeZone()));
    if (zone != null) {
      change.set(keys.eventTimeZone(), zone);
    }
  }

  private @Nullable String common(
      java.util.function.Function<SourceRange, @Nullable String> property) {
    String first = property.apply(ranges.get(0));
    return ranges.stream().allMatch(range -> Objects.equals(first, property.apply(range)))
        ? first
        : null;
  }

  private static String text(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }
}
