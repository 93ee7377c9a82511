package dev.tidemark.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.data.Record;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the changes of a range make of one key. */
final class FoldedKey {
  /** A partition that a change of the key names. */
  record Place(int specId, PartitionKey partition) {}

  private Version last;
  private Version first;
  private @Nullable List<Version> all;
  private @Nullable Set<Place> places;
  private boolean placesUnknown;
  private boolean superseded;
  private boolean found;
  private boolean settled;
  private int[] missing = {};

  FoldedKey(Version version) {
    this.last = version;
    this.first = version;
  }

  void add(Version version, Comparator<Version> order) {
    if (order.compare(version, last) > 0) {
      last = version;
    } else if (order.compare(version, first) < 0) {
      first = version;
    }
  }

  /** Sets against the changes of the range one that was merged before. */
  void addMerged(Version version, Comparator<Version> order, boolean keep) {
    if (keep && order.compare(version, first) > 0) {
      keep(version);
    }
    if (order.compare(version, last) > 0) {
      last = version;
      superseded = true;
    }
  }

  /** Whether a change that was merged before comes after all of the range. */
  boolean isSuperseded() {
    return superseded;
  }

  /** Keeps a change although a later one counts, since that may leave out what this one tells. */
  void keep(Version version) {
    if (all == null) {
      all = new ArrayList<>(2);
    }
    all.add(version);
  }

  void place(@Nullable Place place) {
    if (place == null) {
      placesUnknown = true;
      return;
    }
    if (places == null) {
      places = new LinkedHashSet<>(2);
    }
    places.add(place);
  }

  Version last() {
    return last;
  }

  Version first() {
    return first;
  }

  /** All changes that were kept. */
  List<Version> all() {
    return all == null ? List.of() : all;
  }

  /**
   * Where the row before the range can be: in one of these partitions only, as the first change
   * takes it back; null if that is not known.
   */
  @Nullable Set<Place> places() {
    boolean toldBefore = first.kind() != null && !first.adds();
    return toldBefore && !placesUnknown ? places : null;
  }

  /** Says that the base holds a row of the key. */
  void setFound() {
    found = true;
  }

  /** Whether nothing is left to look up. */
  boolean isSettled() {
    return settled;
  }

  /**
   * Ends a look at the base. A row that is not in the partitions named for it may be in any other,
   * as the change that moved it is still to arrive.
   *
   * @return whether the key is to be looked up once more, wherever it may lie
   */
  boolean seekOnce() {
    settled = found || places() == null;
    placesUnknown = true;
    return !settled;
  }

  /** Whether the row is there after the range. */
  boolean adds() {
    return last.adds();
  }

  /** The row after the range. */
  Record row() {
    return last.row();
  }

  /** Columns whose values no change of the range told. */
  int[] missing() {
    return missing;
  }

  void setMissing(int[] columns) {
    missing = columns;
  }
}
