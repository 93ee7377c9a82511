package dev.tidemark.merge;

import dev.tidemark.change.ChangeKind;
import dev.tidemark.merge.MergeException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types.NestedField;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Folds changes by key. Adding is thread-safe and takes changes in any order; the fold is complete
 * after {@link #complete}, and not to be changed any more.
 */
final class KeyFold {
  private static final int STRIPES = 32;

  private final MergeSpec spec;
  private final Schema base;
  private final ChangeLayout layout;
  private final Comparator<Version> order;
  private final List<PartitionSpec> placedBy;
  private final int[] required;
  private final List<Map<Object, FoldedKey>> stripes = new ArrayList<>(STRIPES);
  private @Nullable Version truncate;
  private @Nullable Version mergedTruncate;
  private @Nullable Version newestMerged;
  private long superseded;
  private PresenceBits present = new PresenceBits(0);

  /**
   * Starts a fold.
   *
   * @param specs the partition specs that rows of the base table may lie by
   */
  KeyFold(MergeSpec spec, Schema base, ChangeLayout layout, Iterable<PartitionSpec> specs) {
    this.spec = spec;
    this.base = base;
    this.layout = layout;
    this.order = Version.order(layout);
    this.placedBy = new ArrayList<>();
    if (spec.fullBeforeImages()) {
      specs.forEach(placedBy::add);
    }
    List<NestedField> columns = base.columns();
    this.required =
        java.util.stream.IntStream.range(0, columns.size())
            .filter(i -> columns.get(i).isRequired())
            .toArray();
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new HashMap<>());
    }
  }

  /** A thread's way to add changes. */
  Adder adder() {
    return new Adder();
  }

  final class Adder {
    private final InternalRecordWrapper internal = new InternalRecordWrapper(base.asStruct());
    private final List<PartitionKey> partitions =
        placedBy.stream().map(spec -> new PartitionKey(spec, base)).toList();

    void add(Object key, Version version) {
      if (version.kind() == null) {
        truncate(version);
        return;
      }
      List<FoldedKey.@Nullable Place> places = places(version);
      Map<Object, FoldedKey> stripe = stripe(key);
      synchronized (stripe) {
        FoldedKey folded = stripe.get(key);
        if (folded == null) {
          folded = new FoldedKey(version);
          stripe.put(key, folded);
        } else {
          folded.add(version, order);
        }
        places.forEach(folded::place);
        if (layout.unknown() >= 0) {
          folded.keep(version);
        }
      }
    }

    private List<FoldedKey.@Nullable Place> places(Version version) {
      if (placedBy.isEmpty()) {
        return List.of();
      }
      List<FoldedKey.@Nullable Place> places = new ArrayList<>(placedBy.size());
      List<?> unknown = version.unknown(layout);
      internal.wrap(version.row());
      for (int i = 0; i < placedBy.size(); i++) {
        PartitionSpec by = placedBy.get(i);
        if (isAnySource(by, unknown)) {
          places.add(null);
          continue;
        }
        PartitionKey partition = partitions.get(i);
        partition.partition(internal);
        places.add(new FoldedKey.Place(by.specId(), partition.copy()));
      }
      return places;
    }

    private boolean isAnySource(PartitionSpec by, List<?> names) {
      return !names.isEmpty()
          && by.fields().stream()
              .map(field -> base.findColumnName(field.sourceId()))
              .anyMatch(names::contains);
    }
  }

  private synchronized void truncate(Version version) {
    if (spec.truncates() == Truncation.REFUSE || spec.sources().size() > 1) {
      throw new MergeException(
          Kind.TRUNCATED,
          "Cannot merge into table %s: there is a truncate among the changes. Apply it with withTruncates(Truncation.APPLY), which takes one source, or rebuild the table."
              .formatted(spec.baseName()));
    }
    truncate = later(truncate, version);
  }

  /** By what the earliest of the changes that matter is ordered; null if there are none. */
  @Nullable List<Object> earliest(OrderBounds bounds) {
    InternalRecordWrapper internal = new InternalRecordWrapper(layout.schema().asStruct());
    return Stream.concat(
            Stream.ofNullable(truncate),
            stripes.stream()
                .flatMap(stripe -> stripe.values().stream())
                .map(key -> tellsAll() ? key.last() : key.first()))
        .map(
            version -> {
              internal.wrap(version.row());
              return Arrays.stream(layout.order())
                  .mapToObj(column -> internal.get(column, Object.class))
                  .toList();
            })
        .min(bounds::compare)
        .orElse(null);
  }

  /** Whether every change tells all columns. */
  boolean tellsAll() {
    return layout.unknown() < 0;
  }

  /** Sets against the changes of the range one that was merged before. Thread-safe. */
  void addMerged(@Nullable Object key, Version version) {
    if (key == null) {
      synchronized (this) {
        mergedTruncate = later(mergedTruncate, version);
      }
      return;
    }
    if (truncate != null) {
      synchronized (this) {
        newestMerged = later(newestMerged, version);
      }
    }
    Map<Object, FoldedKey> stripe = stripe(key);
    synchronized (stripe) {
      FoldedKey folded = stripe.get(key);
      if (folded != null) {
        folded.addMerged(version, order, !tellsAll());
      }
    }
  }

  private Version later(@Nullable Version one, Version other) {
    return one == null || order.compare(other, one) > 0 ? other : one;
  }

  /**
   * Ends the fold: drops what a truncate took and what was merged before decides, and fills in what
   * later changes left out.
   */
  void complete() {
    settleTruncates();
    for (Map<Object, FoldedKey> stripe : stripes) {
      if (truncate != null) {
        stripe.values().removeIf(key -> isBefore(key.last(), truncate));
      }
      int before = stripe.size();
      stripe.values().removeIf(this::isDecided);
      superseded += before - stripe.size();
      stripe.values().forEach(this::fill);
    }
    present = new PresenceBits(size());
    forEach((key, folded) -> present.add(key));
  }

  private void settleTruncates() {
    if (truncate == null) {
      return;
    }
    if (isBefore(truncate, mergedTruncate)) {
      truncate = null;
    } else if (isBefore(truncate, newestMerged)) {
      throw new MergeException(
          Kind.TRUNCATED,
          "Cannot merge into table %s: there is a truncate among the changes that comes before changes merged already. Rebuild the table with withRebuild(true)."
              .formatted(spec.baseName()));
    }
  }

  /** Whether the base holds already what comes of all changes of a key. */
  private boolean isDecided(FoldedKey key) {
    if (isBefore(key.last(), mergedTruncate)) {
      return true;
    }
    // What a later change does not tell may be told by one of the range.
    return key.isSuperseded() && (!key.adds() || unknown(key.last()).isEmpty());
  }

  private void fill(FoldedKey key) {
    if (!key.adds()) {
      return;
    }
    Set<Integer> unknown = unknown(key.last());
    if (!unknown.isEmpty()) {
      List<Version> versions = new ArrayList<>(key.all());
      versions.sort(order.reversed());
      for (Version version : versions.subList(1, versions.size())) {
        if (unknown.isEmpty()) {
          break;
        }
        boolean gone =
            version.kind() == ChangeKind.DELETE
                || isBefore(version, truncate)
                || isBefore(version, mergedTruncate);
        if (gone) {
          throw untold(base.columns().get(unknown.iterator().next()).name());
        }
        Set<Integer> told = new HashSet<>(unknown);
        told.removeAll(unknown(version));
        told.forEach(column -> key.row().set(column, version.row().get(column)));
        unknown.removeAll(told);
      }
      key.setMissing(unknown.stream().mapToInt(column -> column).toArray());
    }
    if (key.missing().length == 0) {
      check(key.row());
    }
  }

  private boolean isBefore(Version version, @Nullable Version other) {
    return other != null && order.compare(version, other) < 0;
  }

  /** Positions of the base table's columns that a change does not tell. */
  private Set<Integer> unknown(Version version) {
    List<?> names = version.unknown(layout);
    Set<Integer> unknown = new HashSet<>();
    for (int i = 0; i < layout.width() && !names.isEmpty(); i++) {
      if (names.contains(base.columns().get(i).name())) {
        unknown.add(i);
      }
    }
    return unknown;
  }

  /** No row is there to take a value from that a change does not tell. */
  MergeException untold(String column) {
    return new MergeException(
        Kind.INVALID_CHANGE,
        "Cannot merge into table %s: a change does not tell column %s, and there is no row of its key to take it from. Let the source tell all values."
            .formatted(spec.baseName(), column));
  }

  /** Refuses a row that the base table cannot hold. */
  void check(Record row) {
    for (int column : required) {
      if (row.get(column) == null) {
        throw new MergeException(
            Kind.INVALID_CHANGE,
            "Cannot merge into table %s: a change adds a row without a value of column %s, which is required. Make the column optional, or let the source tell all values."
                .formatted(spec.baseName(), base.columns().get(column).name()));
      }
    }
  }

  boolean isTruncated() {
    return truncate != null;
  }

  /** Keys that are left as they are, since changes merged before come after those of the range. */
  long superseded() {
    return superseded;
  }

  /** A key of the fold, once it is complete; null if it is not in it. */
  @Nullable FoldedKey get(Object key) {
    return present.mayHold(key) ? stripe(key).get(key) : null;
  }

  long size() {
    return stripes.stream().mapToLong(Map::size).sum();
  }

  void forEach(BiConsumer<Object, FoldedKey> consumer) {
    stripes.forEach(stripe -> stripe.forEach(consumer));
  }

  boolean needsValues() {
    return layout.unknown() >= 0
        && stripes.stream()
            .flatMap(stripe -> stripe.values().stream())
            .anyMatch(key -> key.missing().length > 0);
  }

  /** Ends a look at the base; whether keys are left that lie elsewhere than told, if at all. */
  boolean seekElsewhere() {
    boolean[] left = {false};
    forEach((key, folded) -> left[0] |= folded.seekOnce());
    return left[0];
  }

  private Map<Object, FoldedKey> stripe(Object key) {
    int hash = key.hashCode();
    return stripes.get((hash ^ (hash >>> 7) ^ (hash >>> 16)) & (STRIPES - 1));
  }
}
