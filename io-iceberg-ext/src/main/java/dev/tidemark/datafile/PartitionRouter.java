package dev.tidemark.datafile;

import com.google.common.collect.ImmutableSet;
import com.google.common.math.LongMath;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.SerializableFunction;
import org.apache.parquet.io.api.Binary;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Computes the partition of the row in hand, and whether it is another than that of the row before.
 *
 * <p>Rows mostly stay in the partition of the row before. For times that takes a comparison with
 * the bounds of the last hour, day, month or year, for others one with the last source value; only
 * then does Iceberg's own transform run.
 */
final class PartitionRouter {
  private final PartitionValue[] values;

  PartitionRouter(PartitionSpec spec, RowShredder shredder) {
    List<PartitionField> fields = spec.fields();
    this.values = new PartitionValue[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(spec, fields.get(i), shredder);
    }
  }

  /** Whether the row's partition differs from that of the last call; true at the first. */
  boolean moved() {
    boolean moved = false;
    for (PartitionValue value : values) {
      moved |= value.moved();
    }
    return moved;
  }

  /** The partition that {@link #moved} found. */
  PartitionTuple tuple() {
    Object[] tuple = new Object[values.length];
    for (int i = 0; i < tuple.length; i++) {
      tuple[i] = values[i].value;
    }
    return new PartitionTuple(tuple);
  }

  private static PartitionValue value(
      PartitionSpec spec, PartitionField field, RowShredder shredder) {
    Transform<?, ?> transform = field.transform();
    Track track = shredder.track(field.sourceId());
    if (transform.isVoid() || track == null) {
      return new NullValue();
    }
    Type source = spec.schema().findType(field.sourceId());
    if (!transform.canTransform(source)) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot write to partition spec %s: transform %s of field %s is not known to this"
                  + " version.",
              spec.specId(), transform, field.name()));
    }
    SerializableFunction<Object, Object> function = bind(transform, source);
    if (track instanceof BinaryTrack binaryTrack) {
      return new BinaryValue(binaryTrack, source, function);
    }
    TimeUnits units = TimeUnits.of(transform.toString(), source);
    return units == null
        ? new LongValue((LongTrack) track, source, function)
        : new TimeValue((LongTrack) track, source, function, units);
  }

  @SuppressWarnings("unchecked") // The type was checked by canTransform.
  private static SerializableFunction<Object, Object> bind(Transform<?, ?> transform, Type type) {
    return ((Transform<Object, Object>) transform).bind(type);
  }

  /** One value of the tuple, and what it was computed from last. */
  private abstract static class PartitionValue {
    @Nullable Object value;
    private boolean first = true;

    abstract boolean moved();

    final boolean set(@Nullable Object next) {
      boolean moved = first || !Objects.equals(value, next);
      first = false;
      value = next;
      return moved;
    }
  }

  /** Void, or a source that rows lack. */
  private static final class NullValue extends PartitionValue {
    @Override
    boolean moved() {
      return false;
    }
  }

  private static final class TimeValue extends PartitionValue {
    private final LongTrack track;
    private final Type source;
    private final SerializableFunction<Object, Object> function;
    private final TimeUnits units;
    private long low;
    private long high;

    TimeValue(
        LongTrack track,
        Type source,
        SerializableFunction<Object, Object> function,
        TimeUnits units) {
      this.track = track;
      this.source = source;
      this.function = function;
      this.units = units;
    }

    @Override
    boolean moved() {
      if (track.size() == 0 || track.isNull(0)) {
        low = 0;
        high = 0;
        return set(null);
      }
      long time = track.get(0);
      if (time >= low && time < high) {
        return false;
      }
      long unit = units.ordinal(time);
      if (unit == TimeUnits.UNKNOWN) {
        unit = (Integer) function.apply(InternalValues.toObject(source, time));
      }
      low = units.start(unit);
      high = units.start(unit + 1);
      return set((int) unit);
    }
  }

  private static final class LongValue extends PartitionValue {
    private final LongTrack track;
    private final Type source;
    private final SerializableFunction<Object, Object> function;
    private boolean known;
    private long last;

    LongValue(LongTrack track, Type source, SerializableFunction<Object, Object> function) {
      this.track = track;
      this.source = source;
      this.function = function;
    }

    @Override
    boolean moved() {
      if (track.size() == 0 || track.isNull(0)) {
        known = false;
        return set(null);
      }
      long next = track.get(0);
      if (known && next == last) {
        return false;
      }
      known = true;
      last = next;
      return set(function.apply(InternalValues.toObject(source, next)));
    }
  }

  private static final class BinaryValue extends PartitionValue {
    private final BinaryTrack track;
    private final Type source;
    private final SerializableFunction<Object, Object> function;
    private @Nullable Binary last;

    BinaryValue(BinaryTrack track, Type source, SerializableFunction<Object, Object> function) {
      this.track = track;
      this.source = source;
      this.function = function;
    }

    @Override
    boolean moved() {
      Binary next = track.size() == 0 ? null : track.get(0);
      if (next == null) {
        last = null;
        return set(null);
      }
      if (next.equals(last)) {
        return false;
      }
      last = next.copy();
      return set(function.apply(InternalValues.toObject(source, next)));
    }
  }

  /** Where an hour, day, month or year begins, in the units of its source column. */
  private static final class TimeUnits {
    private static final int HOURS_PER_DAY = 24;
    private static final long MICROS_PER_HOUR = 3_600_000_000L;

    static final long UNKNOWN = Long.MIN_VALUE;

    private final String transform;
    private final long unitsPerDay;

    /** Length of an hour or a day; 0 for months and years, which differ in length. */
    private final long length;

    private TimeUnits(String transform, long unitsPerDay) {
      this.transform = transform;
      this.unitsPerDay = unitsPerDay;
      this.length =
          switch (transform) {
            case "hour" -> unitsPerDay / HOURS_PER_DAY;
            case "day" -> unitsPerDay;
            default -> 0;
          };
    }

    /**
     * Hour or day of a time, as Iceberg's transform gives it, without its detour through calendar
     * objects; {@link #UNKNOWN} where the transform has to tell.
     */
    long ordinal(long time) {
      if (length == 0) {
        return UNKNOWN;
      }
      long ordinal = Math.floorDiv(time, length);
      return ordinal == (int) ordinal ? ordinal : UNKNOWN;
    }

    /** Null for a transform that is none of time. */
    static @Nullable TimeUnits of(String transform, Type source) {
      if (!ImmutableSet.of("hour", "day", "month", "year").contains(transform)) {
        return null;
      }
      return switch (source.typeId()) {
        case DATE -> new TimeUnits(transform, 1);
        case TIMESTAMP -> new TimeUnits(transform, HOURS_PER_DAY * MICROS_PER_HOUR);
        case TIMESTAMP_NANO -> new TimeUnits(transform, HOURS_PER_DAY * MICROS_PER_HOUR * 1_000);
        default -> null;
      };
    }

    /** First instant of a unit, counted as the transform counts it; saturated at the ends. */
    long start(long ordinal) {
      return switch (transform) {
        case "hour", "day" -> LongMath.saturatedMultiply(ordinal, length);
        case "month" ->
            LongMath.saturatedMultiply(
                LocalDate.EPOCH.plusMonths(ordinal).toEpochDay(), unitsPerDay);
        default ->
            LongMath.saturatedMultiply(
                LocalDate.EPOCH.plusYears(ordinal).toEpochDay(), unitsPerDay);
      };
    }
  }
}
