package dev.tidemark.datafile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Takes rows apart: each value is read, checked and converted once, onto the track of its column.
 *
 * <p>All files of a writer share one shredder. A row is on the tracks as a whole or it is rejected
 * before any file has seen it; the partition is computed from the tracks, and a row that has to
 * wait is kept as the bytes of its tracks.
 */
final class RowShredder {
  private final NestedLoaders.StructLoader root;
  private final Track[] tracks;
  private final IdentityHashMap<ColumnPlan, Track> tracksByPlan = new IdentityHashMap<>();
  private final Map<Integer, Track> topTracks = new HashMap<>();

  RowShredder(ColumnPlan.Struct plan) {
    List<Track> all = new ArrayList<>();
    this.root = struct(plan, all, true);
    this.tracks = all.toArray(new Track[0]);
  }

  /**
   * Puts the row on the tracks.
   *
   * @throws RowRejectedException when the table cannot hold it
   */
  void load(Row row) {
    if (!root.accepts(row)) {
      throw new IllegalArgumentException(
          "Cannot write row: its schema is another than the one this writer was opened for. Open a"
              + " writer per row schema.");
    }
    for (Track track : tracks) {
      track.clear();
    }
    root.loadFields(row);
  }

  /** Writes the row in hand; {@link #read} puts it on the tracks again. */
  void write(ByteSink sink) {
    for (Track track : tracks) {
      track.write(sink);
    }
  }

  void read(ByteSource source) {
    for (Track track : tracks) {
      track.read(source);
    }
  }

  /** The track that a column is written from; null for a column that is always null. */
  @Nullable Track track(ColumnPlan plan) {
    return tracksByPlan.get(plan);
  }

  /** The track of a primitive column outside lists and maps; null when rows lack it. */
  @Nullable Track track(int fieldId) {
    return topTracks.get(fieldId);
  }

  private Loader loader(ColumnPlan plan, List<Track> all, boolean top) {
    if (plan instanceof ColumnPlan.Struct struct) {
      return struct(struct, all, top);
    } else if (plan instanceof ColumnPlan.Sequence list) {

      CountTrack counts = keep(list, new CountTrack(), all);
      return new NestedLoaders.ListLoader(list, counts, loader(list.element(), all, false));
    } else if (plan instanceof ColumnPlan.Entries map) {

      CountTrack counts = keep(map, new CountTrack(), all);
      return new NestedLoaders.MapLoader(
          map, counts, loader(map.key(), all, false), loader(map.value(), all, false));
    } else if (plan instanceof ColumnPlan.Absent) {
      return new NestedLoaders.AbsentLoader(plan.path(), plan.field());
    }
    if (InternalValues.isLong(plan.field().type())) {
      LongTrack track = keep(plan, new LongTrack(), all);
      noteTop(plan, track, top);
      return plan instanceof ColumnPlan.Constant constant
          ? new NestedLoaders.LongConstantLoader(constant, track)
          : longLoader((ColumnPlan.Leaf) plan, track);
    }
    BinaryTrack track = keep(plan, new BinaryTrack(), all);
    noteTop(plan, track, top);
    return plan instanceof ColumnPlan.Constant constant
        ? new NestedLoaders.BinaryConstantLoader(constant, track)
        : binaryLoader((ColumnPlan.Leaf) plan, track);
  }

  private NestedLoaders.StructLoader struct(ColumnPlan.Struct plan, List<Track> all, boolean top) {
    CountTrack presence = keep(plan, new CountTrack(), all);
    Loader[] children =
        plan.children().stream().map(child -> loader(child, all, top)).toArray(Loader[]::new);
    return new NestedLoaders.StructLoader(plan, presence, children);
  }

  private <T extends Track> T keep(ColumnPlan plan, T track, List<Track> all) {
    tracksByPlan.put(plan, track);
    all.add(track);
    return track;
  }

  private void noteTop(ColumnPlan plan, Track track, boolean top) {
    if (top) {
      topTracks.put(plan.field().fieldId(), track);
    }
  }

  private static Loader longLoader(ColumnPlan.Leaf leaf, LongTrack track) {
    return switch (leaf.kind()) {
      case BOOLEAN -> new NumberLoaders.BooleanLoader(leaf.path(), leaf.field(), track);
      case BYTE -> new NumberLoaders.ByteLoader(leaf.path(), leaf.field(), track);
      case SHORT -> new NumberLoaders.ShortLoader(leaf.path(), leaf.field(), track);
      case INT -> new NumberLoaders.IntLoader(leaf.path(), leaf.field(), track);
      case LONG -> new NumberLoaders.LongLoader(leaf.path(), leaf.field(), track);
      case FLOAT -> new NumberLoaders.FloatLoader(leaf.path(), leaf.field(), track);
      case FLOAT_TO_DOUBLE ->
          new NumberLoaders.DoubleLoader(leaf.path(), leaf.field(), track, true);
      case DOUBLE -> new NumberLoaders.DoubleLoader(leaf.path(), leaf.field(), track, false);
      case DECIMAL -> new NumberLoaders.LongDecimalLoader(leaf.path(), leaf.field(), track);
      case DATE -> new TimeLoaders.DateLoader(leaf.path(), leaf.field(), track);
      case TIME -> new TimeLoaders.TimeLoader(leaf.path(), leaf.field(), track);
      case LOCAL_DATE_TIME -> new TimeLoaders.LocalDateTimeLoader(leaf.path(), leaf.field(), track);
      case INSTANT -> new TimeLoaders.InstantLoader(leaf.path(), leaf.field(), track);
      case JODA_INSTANT -> new TimeLoaders.JodaInstantLoader(leaf.path(), leaf.field(), track);
      default -> throw new AssertionError(leaf.kind());
    };
  }

  private static Loader binaryLoader(ColumnPlan.Leaf leaf, BinaryTrack track) {
    return switch (leaf.kind()) {
      case STRING -> new BinaryLoaders.StringLoader(leaf.path(), leaf.field(), track);
      case ENUM_NAME ->
          new BinaryLoaders.EnumLoader(
              leaf.path(), leaf.field(), track, (EnumerationType) leaf.source().getLogicalType());
      case BYTES -> new BinaryLoaders.BytesLoader(leaf.path(), leaf.field(), track);
      case UUID -> new BinaryLoaders.UuidLoader(leaf.path(), leaf.field(), track);
      case DECIMAL -> new NumberLoaders.BigDecimalLoader(leaf.path(), leaf.field(), track);
      default -> throw new AssertionError(leaf.kind());
    };
  }
}
