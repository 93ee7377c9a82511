package dev.tidemark.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Type;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The different values of one key column, sorted, in Iceberg's internal form. */
abstract class SortedValues {
  private final boolean nulls;

  private SortedValues(boolean nulls) {
    this.nulls = nulls;
  }

  static SortedValues of(Type type, List<Object> keys, int column) {
    boolean nulls = false;
    switch (type.typeId()) {
      case INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> {
        long[] values = new long[keys.size()];
        int count = 0;
        for (Object key : keys) {
          Object value = KeyReader.value(key, column);
          if (value == null) {
            nulls = true;
          } else {
            values[count++] = ((Number) value).longValue();
          }
        }
        boolean narrow = type.typeId() == Type.TypeID.INTEGER || type.typeId() == Type.TypeID.DATE;
        return new Longs(Arrays.copyOf(values, count), nulls, narrow);
      }
      default -> {
        List<Object> values = new ArrayList<>(keys.size());
        for (Object key : keys) {
          Object value = KeyReader.value(key, column);
          if (value == null) {
            nulls = true;
          } else {
            values.add(value);
          }
        }
        return new Objects(values, Comparators.forType(type.asPrimitiveType()), nulls);
      }
    }
  }

  /** Whether null is among them. */
  boolean holdsNull() {
    return nulls;
  }

  /** Whether any value lies within these bounds. */
  abstract boolean anyWithin(Object lower, Object upper);

  /**
   * The values within bounds, where null is no bound: all of them if they are few, else the first
   * and the last; null if there are none.
   */
  abstract @Nullable Within within(@Nullable Object lower, @Nullable Object upper, int few);

  /** Values within bounds. */
  record Within(Object first, Object last, @Nullable List<Object> all) {}

  private static final class Longs extends SortedValues {
    private final long[] values;
    private final boolean narrow;

    Longs(long[] values, boolean nulls, boolean narrow) {
      super(nulls);
      Arrays.sort(values);
      this.values = values;
      this.narrow = narrow;
    }

    @Override
    boolean anyWithin(Object lower, Object upper) {
      int at = from(((Number) lower).longValue());
      return at < values.length && values[at] <= ((Number) upper).longValue();
    }

    @Override
    @Nullable Within within(@Nullable Object lower, @Nullable Object upper, int few) {
      int start = lower == null ? 0 : from(((Number) lower).longValue());
      int end =
          upper == null || ((Number) upper).longValue() == Long.MAX_VALUE
              ? values.length
              : from(((Number) upper).longValue() + 1);
      if (start >= end) {
        return null;
      }
      List<Object> all = null;
      if (end - start <= few) {
        all = new ArrayList<>();
        for (int i = start; i < end; i++) {
          all.add(value(i));
        }
      }
      return new Within(value(start), value(end - 1), all);
    }

    /** Index of the first value that is not below a bound. */
    private int from(long bound) {
      int low = 0;
      int high = values.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (values[middle] < bound) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private Object value(int index) {
      return narrow ? (Object) (int) values[index] : (Object) values[index];
    }
  }

  private static final class Objects extends SortedValues {
    private final List<Object> values;
    private final Comparator<Object> order;

    Objects(List<Object> values, Comparator<Object> order, boolean nulls) {
      super(nulls);
      values.sort(order);
      this.values = values;
      this.order = order;
    }

    @Override
    boolean anyWithin(Object lower, Object upper) {
      int at = from(lower);
      return at < values.size() && order.compare(values.get(at), upper) <= 0;
    }

    @Override
    @Nullable Within within(@Nullable Object lower, @Nullable Object upper, int few) {
      int start = lower == null ? 0 : from(lower);
      int end = start;
      if (upper == null) {
        end = values.size();
      } else {
        int high = values.size();
        while (end < high) {
          int middle = (end + high) >>> 1;
          if (order.compare(values.get(middle), upper) <= 0) {
            end = middle + 1;
          } else {
            high = middle;
          }
        }
      }
      if (start >= end) {
        return null;
      }
      List<Object> all = end - start <= few ? new ArrayList<>(values.subList(start, end)) : null;
      return new Within(values.get(start), values.get(end - 1), all);
    }

    private int from(Object bound) {
      int low = 0;
      int high = values.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (order.compare(values.get(middle), bound) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
