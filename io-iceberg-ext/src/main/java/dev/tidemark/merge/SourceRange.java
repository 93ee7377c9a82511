package dev.tidemark.merge;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.commit.WatermarkState;
import dev.tidemark.merge.MergeException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What was appended to a change table since it was merged last, by one metadata version of it; and
 * the watermark of that version.
 */
final class SourceRange {
  private final MergeSource source;
  private final MergeSpec spec;
  private final Table view;
  private final TableMetadata metadata;
  private final SourceRecord record;
  private final @Nullable Snapshot head;
  private @Nullable ImmutableList<DataFile> files;
  private @Nullable ImmutableList<DataFile> merged;

  private SourceRange(
      MergeSpec spec, MergeSource source, Table view, TableMetadata metadata, SourceRecord record) {
    this.spec = spec;
    this.source = source;
    this.view = view;
    this.metadata = metadata;
    this.record = record;
    this.head = SnapshotUtil.latestSnapshot(metadata, source.branch());
  }

  private static final Comparator<DataFile> ORDER =
      Comparator.comparing(
              (DataFile file) -> file.dataSequenceNumber(),
              Comparator.nullsFirst(Comparator.<Long>naturalOrder()))
          .thenComparing(DataFile::location);

  /**
   * Finds the range.
   *
   * @param record what the base table says of the source
   * @throws MergeException if the source is not the one merged before
   */
  static SourceRange of(
      MergeSpec spec, MergeSource source, Table view, TableMetadata metadata, SourceRecord record) {
    SnapshotRef ref = metadata.ref(source.branch());
    if (ref == null && !source.branch().equals(TidemarkKeys.MAIN)) {
      throw new MergeException(
          Kind.SOURCE_CHANGED,
          "Cannot merge table %s into table %s: it has no branch %s. Name another one with MergeSource.withBranch."
              .formatted(source.tableName(), spec.baseName(), source.branch()));
    }
    if (record.tableUuid() != null && !record.tableUuid().equals(metadata.uuid())) {
      throw new MergeException(
          Kind.SOURCE_RECREATED,
          "Cannot merge table %s into table %s: it is not the table merged before (UUID %s, before %s). Rebuild the base table from it with withRebuild(true), or name another source."
              .formatted(source.tableName(), spec.baseName(), metadata.uuid(), record.tableUuid()));
    }
    return new SourceRange(spec, source, view, metadata, record);
  }

  MergeSource source() {
    return source;
  }

  Table view() {
    return view;
  }

  /** The newest snapshot; null if there is none. */
  @Nullable Snapshot head() {
    return head;
  }

  /** The version that the range is told by. */
  TableMetadata metadata() {
    return metadata;
  }

  String tableUuid() {
    return metadata.uuid();
  }

  /**
   * The data files of the range: by sequence number, then by location.
   *
   * @throws MergeException if the range cannot be told, or more was done than appending
   */
  ImmutableList<DataFile> files() {
    if (files == null) {
      files = head == null ? ImmutableList.of() : ImmutableList.sortedCopyOf(ORDER, find(head));
    }
    return files;
  }

  long changes() {
    return files().stream().mapToLong(DataFile::recordCount).sum();
  }

  /** Whether everything is read, rather than what came since the last merge. */
  boolean isWhole() {
    return record.snapshotId() == null;
  }

  /** The snapshot merged before; null if everything is read. */
  @Nullable Long from() {
    return isWhole() ? null : record.snapshotId();
  }

  /** The watermark, if it counts for what the branch holds. */
  @Nullable Long finalizedUntilMillis() {
    WatermarkState state = state();
    return state == null ? null : state.finalizedUntilMillis();
  }

  /** The first hour that the source's facts cover. */
  @Nullable Long finalizedSinceMillis() {
    WatermarkState state = state();
    return state == null ? null : state.finalizedSinceMillis();
  }

  /** A property of the source. */
  @Nullable String property(String key) {
    return metadata.properties().get(key);
  }

  private @Nullable WatermarkState state() {
    if (head == null) {
      return null;
    }
    StoredEvidence evidence = StoredEvidence.of(metadata, source.branch());
    return switch (evidence.standing()) {
      case CLONE, ROLLED_BACK -> null;
      default -> evidence.watermark();
    };
  }

  /**
   * What no change that was merged before exceeds.
   *
   * @return null if that is not known
   */
  @Nullable List<Object> mergedUntil(OrderBounds order) {
    String text = record.orderUntil();
    return text == null ? null : order.parse(text);
  }

  /** The same once the range is merged, as a property says it. */
  @Nullable String orderUntil() {
    OrderBounds order = OrderBounds.of(spec, view.schema());
    List<Object> until = mergedUntil(order);
    List<DataFile> added = new ArrayList<>(files());
    if (until == null) {
      added.addAll(merged());
    }
    for (DataFile file : added) {
      List<Object> upper = order.upper(file);
      until = until == null ? upper : order.max(until, upper);
    }
    return until == null ? null : order.text(until);
  }

  /** The files of all that was merged before, and maybe copies of what is in the range. */
  ImmutableList<DataFile> merged() {
    if (merged == null) {
      Set<String> range = new HashSet<>();
      files().forEach(file -> range.add(file.location()));
      merged =
          isWhole() || head == null
              ? ImmutableList.of()
              : live(head.dataManifests(view.io()), this::withBounds).stream()
                  .filter(file -> !range.contains(file.location()))
                  .sorted(ORDER)
                  .collect(ImmutableList.toImmutableList());
    }
    return merged;
  }

  /** A copy with the statistics of key and order only: there may be many files. */
  private DataFile withBounds(DataFile file) {
    Set<Integer> columns = new HashSet<>();
    for (String name : Iterables.concat(spec.key(), spec.order())) {
      columns.add(view.schema().findField(name).fieldId());
    }
    return file.copyWithStats(columns);
  }

  private List<DataFile> find(Snapshot newest) {
    Long consumed = from();
    if (consumed == null) {
      refuseDeletes(newest);
      return live(newest.dataManifests(view.io()));
    }
    SnapshotRef tag = metadata.ref(SourceTag.name(spec));
    if (tag == null) {
      throw lost(
          "tag %s is gone, which keeps snapshot %d from being expired"
              .formatted(SourceTag.name(spec), consumed));
    }
    if (newest.snapshotId() == consumed) {
      return List.of();
    }
    List<Snapshot> since = new ArrayList<>();
    Snapshot each = newest;
    while (each != null && each.snapshotId() != consumed) {
      refuseChanged(each);
      since.add(each);
      Long parent = each.parentId();
      if (parent == null) {
        throw lost("its branch does not descend from snapshot %d any more".formatted(consumed));
      }
      if (parent.longValue() == consumed) {
        return appended(since);
      }
      each = metadata.snapshot(parent);
    }
    return each == null ? difference(newest, anchor(consumed, tag)) : appended(since);
  }

  private List<DataFile> appended(List<Snapshot> snapshots) {
    List<DataFile> added = new ArrayList<>();
    for (Snapshot snapshot : snapshots) {
      if (!DataOperations.REPLACE.equals(snapshot.operation())) {
        SnapshotChanges changes = SnapshotChanges.builderFor(view).snapshot(snapshot).build();
        changes.addedDataFiles().forEach(added::add);
      }
    }
    return added;
  }

  /** A snapshot at or before the consumed one that is still there. */
  private Snapshot anchor(long consumed, SnapshotRef tag) {
    Snapshot live = metadata.snapshot(consumed);
    if (live != null) {
      return live;
    }
    Snapshot tagged = metadata.snapshot(tag.snapshotId());
    Long sequence = record.sequenceNumber();
    if (tagged == null || sequence == null || tagged.sequenceNumber() > sequence) {
      throw lost("snapshot %d has expired".formatted(consumed));
    }
    return tagged;
  }

  /**
   * What was appended since a snapshot, where those in between have expired: the files that are
   * there now and were not then. That holds only as long as none has gone.
   */
  private List<DataFile> difference(Snapshot newest, Snapshot anchor) {
    if (newest.sequenceNumber() < anchor.sequenceNumber()) {
      throw lost("its branch was moved back before snapshot %d".formatted(anchor.snapshotId()));
    }
    refuseDeletes(newest);
    Map<String, ManifestFile> then = byPath(anchor.dataManifests(view.io()));
    Map<String, ManifestFile> now = byPath(newest.dataManifests(view.io()));
    Map<String, ManifestFile> gone = new HashMap<>(then);
    gone.keySet().removeAll(now.keySet());
    now.keySet().removeAll(then.keySet());
    Set<String> before = new HashSet<>();
    live(gone.values()).forEach(file -> before.add(file.location()));
    Set<String> kept = new HashSet<>();
    List<DataFile> all = live(now.values());
    all.forEach(file -> kept.add(file.location()));
    if (!kept.containsAll(before)) {
      throw lost(
          "files of snapshot %d are gone, and the snapshots that would say why have expired"
              .formatted(anchor.snapshotId()));
    }
    return all.stream().filter(file -> !before.contains(file.location())).toList();
  }

  private static Map<String, ManifestFile> byPath(Iterable<ManifestFile> manifests) {
    Map<String, ManifestFile> byPath = new HashMap<>();
    manifests.forEach(manifest -> byPath.put(manifest.path(), manifest));
    return byPath;
  }

  private List<DataFile> live(Iterable<ManifestFile> manifests) {
    return live(manifests, DataFile::copy);
  }

  private List<DataFile> live(Iterable<ManifestFile> manifests, UnaryOperator<DataFile> copy) {
    FileIO io = view.io();
    List<DataFile> files = new ArrayList<>();
    for (ManifestFile manifest : manifests) {
      try (ManifestReader<DataFile> reader = ManifestFiles.read(manifest, io, view.specs())) {
        for (DataFile file : reader) {
          files.add(copy.apply(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(
            "Cannot read manifest %s of table %s".formatted(manifest.path(), view.name()), e);
      }
    }
    return files;
  }

  private void refuseChanged(Snapshot snapshot) {
    String operation = snapshot.operation();
    boolean keeps =
        operation == null
            || operation.equals(DataOperations.APPEND)
            || operation.equals(DataOperations.REPLACE);
    if (!keeps) {
      throw new MergeException(
          Kind.SOURCE_CHANGED,
          "Cannot merge table %s into table %s: snapshot %d is of operation %s, and changes may only be appended. Rebuild the base table with withRebuild(true)."
              .formatted(source.tableName(), spec.baseName(), snapshot.snapshotId(), operation));
    }
  }

  private void refuseDeletes(Snapshot snapshot) {
    if (!snapshot.deleteManifests(view.io()).isEmpty()) {
      throw new MergeException(
          Kind.SOURCE_CHANGED,
          "Cannot merge table %s into table %s: rows were deleted from it, and changes may only be appended. Rewrite its data files, which applies the deletes, and rebuild the base table with withRebuild(true)."
              .formatted(source.tableName(), spec.baseName()));
    }
  }

  private MergeException lost(String reason) {
    return new MergeException(
        Kind.RANGE_LOST,
        "Cannot merge table %s into table %s: %s, so that what was appended since cannot be told. Rebuild the base table with withRebuild(true)."
            .formatted(source.tableName(), spec.baseName(), reason));
  }
}
