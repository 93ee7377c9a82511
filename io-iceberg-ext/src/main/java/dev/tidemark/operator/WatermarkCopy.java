package dev.tidemark.operator;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.commit.PropertyChange;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationException;
import dev.tidemark.sensor.SnapshotWatermark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Gives a base table the watermark that its change tables had when it consumed them.
 *
 * <p>On the base table it means that every change before it is applied. So it is read from the
 * metadata version in which the consumed snapshot was the newest one with rows: a later version may
 * speak of rows that are not applied. Of several sources the smallest one counts.
 */
final class WatermarkCopy {
  /** As a merge records it. */
  private static final String POLICY = "minOfSources()";

  /** Stands for the name of the only source. */
  private static final String ONLY = "";

  private final ImmutableMap<String, Finalization> given;

  WatermarkCopy(Map<String, Finalization> sources) {
    this.given = ImmutableMap.copyOf(sources);
  }

  static WatermarkCopy ofOnly(Finalization source) {
    return new WatermarkCopy(ImmutableMap.of(ONLY, source));
  }

  Act act(Base base) {
    ImmutableMap<String, Finalization> sources = named(base);
    Instant until = null;
    Instant since = null;
    boolean sinceKnown = true;
    List<String> said = new ArrayList<>();
    for (Map.Entry<String, Finalization> source : sources.entrySet()) {
      SnapshotWatermark watermark = consumed(base, source.getKey(), source.getValue());
      Instant its = watermark.finalizedUntil();
      if (its == null) {
        return Act.nothing(
            base,
            "Source %s had no watermark at the consumed snapshot; there is nothing to copy."
                .formatted(source.getKey()));
      }
      said.add("%s: %s".formatted(source.getKey(), its));
      until = until == null || its.isBefore(until) ? its : until;
      Instant itsSince = watermark.finalizedSince();
      sinceKnown &= itsSince != null;
      since = since == null || (itsSince != null && itsSince.isAfter(since)) ? itsSince : since;
    }
    return move(base, until, sinceKnown ? since : null, String.join(", ", said));
  }

  private Act move(Base base, @Nullable Instant until, @Nullable Instant since, String said) {
    Instant stored = base.until();
    String held = held(base);
    if (until == null || (stored != null && !until.isAfter(stored))) {
      return Act.nothing(base, "The watermark stays at %s (%s).".formatted(Acts.at(stored), said));
    }
    if (held != null) {
      return Act.nothing(base, "The watermark stays at %s: %s.".formatted(Acts.at(stored), held));
    }
    TidemarkKeys keys = base.keys();
    PropertyChange.Builder change =
        PropertyChange.builder()
            .set(keys.finalizedUntil(), until.toString())
            .set(keys.finalizedUntilMillis(), Long.toString(until.toEpochMilli()))
            .set(keys.finalizedUntilTableUuid(), base.metadata().uuid())
            .set(keys.policy(), POLICY)
            .note(until.toString());
    Snapshot head = base.evidence().head();
    if (head == null) {
      change.remove(keys.finalizedUntilSnapshotId());
    } else {
      change.set(keys.finalizedUntilSnapshotId(), Long.toString(head.snapshotId()));
    }
    boolean known = base.properties().containsKey(keys.finalizedSince()) && !base.isClone();
    if (!known && since != null) {
      change.set(keys.finalizedSince(), since.toString());
    }
    return new Act(
        change,
        null,
        null,
        until,
        "The watermark moved from %s to %s (%s).".formatted(Acts.at(stored), until, said));
  }

  private static @Nullable String held(Base base) {
    String disabled = base.watermark().disabledReason();
    String paused = base.watermark().pausedReason();
    if (disabled != null) {
      return "the table is disabled: " + disabled;
    }
    return paused == null ? null : "paused: " + paused;
  }

  /** All recorded sources have to be given, as the base table is no further than the last one. */
  private ImmutableMap<String, Finalization> named(Base base) {
    ImmutableSortedSet<String> recorded = base.keys().sources(base.properties());
    if (recorded.isEmpty()) {
      throw new OperatorException(
          OperatorException.Kind.SOURCE_UNKNOWN,
          "Cannot copy a watermark to table %s: it has no record of a consumed snapshot (property %s). Merge changes into it first."
              .formatted(base.table(), base.keys().consumedSnapshotId("NAME")));
    }
    Finalization only = given.get(ONLY);
    if (only != null && recorded.size() == 1) {
      return ImmutableMap.of(recorded.first(), only);
    }
    if (!recorded.equals(given.keySet())) {
      throw new OperatorException(
          OperatorException.Kind.SOURCE_UNKNOWN,
          "Cannot copy a watermark to table %s: it has taken over changes from sources %s, not from %s. Give the change table of each, by its name."
              .formatted(
                  base.table(), recorded, only == null ? given.keySet() : "one without a name"));
    }
    return given;
  }

  private static SnapshotWatermark consumed(Base base, String name, Finalization source) {
    long id = snapshotId(base, name);
    SnapshotWatermark watermark;
    try {
      watermark = source.watermarkAt(id);
    } catch (FinalizationException e) {
      if (e.isTransient()) {
        throw e;
      }
      throw new OperatorException(
          OperatorException.Kind.SOURCE_UNUSABLE,
          "Cannot copy the watermark of source %s to table %s: %s"
              .formatted(name, base.table(), e.getMessage()),
          e);
    }
    String uuid = base.properties().get(base.keys().sourceTableUuid(name));
    if (uuid != null && !uuid.equals(watermark.tableUuid())) {
      throw new OperatorException(
          OperatorException.Kind.SOURCE_UNKNOWN,
          "Cannot copy the watermark of source %s to table %s: it consumed another table (UUID %s, this is %s). Give the table that was merged, or rebuild the base table."
              .formatted(name, base.table(), uuid, watermark.tableUuid()));
    }
    switch (watermark.state()) {
      case NOT_IN_BRANCH ->
          throw new OperatorException(
              OperatorException.Kind.SOURCE_UNUSABLE,
              "Cannot copy the watermark of source %s to table %s: the source does not hold the consumed snapshot %d any more. Merge again, which consumes a newer one."
                  .formatted(name, base.table(), id));
      case NOT_KNOWN ->
          throw new OperatorException(
              OperatorException.Kind.SOURCE_UNUSABLE,
              "Cannot copy the watermark of source %s to table %s: no metadata file that is left tells what it was at the consumed snapshot %d. Merge again, which consumes a newer one, or keep more of them (write.metadata.previous-versions-max)."
                  .formatted(name, base.table(), id));
      case KNOWN -> {
        return watermark;
      }
    }
    throw new IllegalStateException("Cannot be: " + watermark.state());
  }

  private static long snapshotId(Base base, String name) {
    String key = base.keys().consumedSnapshotId(name);
    String text = String.valueOf(base.properties().get(key));
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new OperatorException(
          OperatorException.Kind.UNREADABLE,
          "Cannot read property %s of table %s: %s is no snapshot id. Restore the property from an older metadata file."
              .formatted(key, base.table(), text),
          e);
    }
  }
}
