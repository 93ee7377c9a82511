package dev.tidemark.examples.benchmarks.materializer;

import dev.tidemark.change.ChangeKind;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/** What changes arrive. All are the same each time, and valid: each retraction finds its row. */
public enum Workload {
  /** A million keys, in no order, one row each. Nothing is there before. */
  INSERTS("inserts", 50_000) {
    @Override
    public Changes changes(double factor) {
      int keys = scaled(1_000_000, factor);
      return new Changes(0, keys) {
        @Override
        RowChange change(int index) {
          return inserted(shuffled(index, keys), 0);
        }
      };
    }
  },

  /**
   * A hundred thousand keys have one row each, which is updated: -U and +U, one after the other.
   */
  PAIRS("pairs", 50_000) {
    @Override
    public Changes changes(double factor) {
      int keys = scaled(100_000, factor);
      SplittableRandom random = new SplittableRandom(SEED);
      return new Updates(keys, 1, scaled(1_000_000, factor)) {
        @Override
        int slot(int pair) {
          return random.nextInt(keys);
        }
      };
    }
  },

  /**
   * A million keys have one row each; a few of them are updated much more often than others. The
   * upsert key changes with each update, and +U arrives before -U, as after a shuffle.
   */
  ZIPF("zipf", 50_000) {
    @Override
    public Changes changes(double factor) {
      int keys = scaled(1_000_000, factor);
      int[] versions = new int[keys];
      Zipf zipf = new Zipf(keys, SEED);
      return new Changes(keys, scaled(1_000_000, factor) / 2 * 2) {
        private int key;

        @Override
        RowChange change(int index) {
          if (index < keys) {
            return inserted(shuffled(index, keys), 0);
          }
          if ((index - keys) % 2 == 0) {
            key = shuffled(zipf.next(), keys);
            versions[key]++;
            return new RowChange(
                ChangeKind.UPDATE_AFTER, key, upsertKey(key, versions[key]), versions[key]);
          }
          int before = versions[key] - 1;
          return new RowChange(ChangeKind.UPDATE_BEFORE, key, upsertKey(key, before), before);
        }
      };
    }
  },

  /** A thousand keys have a hundred candidates each, of which one is updated: -U and +U. */
  CHURN_100("churn100", 50_000) {
    @Override
    public Changes changes(double factor) {
      return churn(scaled(1_000, factor), 100, scaled(1_000_000, factor));
    }
  },

  /** Two keys have ten thousand candidates each, of which one is updated: -U and +U. */
  CHURN_10000("churn10000", 2_000) {
    @Override
    public Changes changes(double factor) {
      return churn(factor < 1 ? 1 : 2, 10_000, scaled(1_000_000, factor));
    }
  };

  private static final long SEED = 42;

  private final String label;
  private final int chunk;

  Workload(String label, int chunk) {
    this.label = label;
    this.chunk = chunk;
  }

  /** What it is called on command lines and in tables. */
  public String label() {
    return label;
  }

  /** So many changes are prepared at a time. */
  public int chunk() {
    return chunk;
  }

  /** The changes, with this share of the full numbers of keys and rows. */
  public abstract Changes changes(double factor);

  /** The workload of this label. */
  public static Workload ofLabel(String label) {
    for (Workload workload : values()) {
      if (workload.label.equals(label)) {
        return workload;
      }
    }
    throw new IllegalArgumentException("Invalid workload: " + label);
  }

  private static Changes churn(int keys, int candidates, int rows) {
    SplittableRandom random = new SplittableRandom(SEED);
    return new Updates(keys, candidates, rows) {
      @Override
      int slot(int pair) {
        return random.nextInt(keys * candidates);
      }
    };
  }

  private static int scaled(int number, double factor) {
    return Math.max(1, (int) (number * factor));
  }

  /** Goes through all numbers below a bound, in no order. */
  private static int shuffled(int index, int bound) {
    // A prime, so that no number comes twice unless the bound is a multiple of it.
    return (int) (index * 15_485_863L % bound);
  }

  private static RowChange inserted(int key, int candidate) {
    return new RowChange(ChangeKind.INSERT, key, upsertKey(key, candidate), 0);
  }

  private static long upsertKey(int key, int candidate) {
    return (long) key << 24 | candidate;
  }

  /** Changes of which the first so many are not measured: they bring about what is there before. */
  public abstract static class Changes implements Iterator<RowChange> {
    private final int before;
    private final int size;
    private int next;

    Changes(int before, int measured) {
      this.before = before;
      this.size = before + measured;
    }

    /** How many changes come before those to measure. */
    public int before() {
      return before;
    }

    /** The number of all changes. */
    public int size() {
      return size;
    }

    @Override
    public boolean hasNext() {
      return next < size;
    }

    @Override
    public RowChange next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return change(next++);
    }

    abstract RowChange change(int index);
  }

  /** Each key has its candidates; a candidate is updated in two changes, -U and +U. */
  private abstract static class Updates extends Changes {
    private final int keys;
    private final int[] versions;
    private int slot;

    Updates(int keys, int candidates, int rows) {
      super(keys * candidates, rows / 2 * 2);
      this.keys = keys;
      this.versions = new int[keys * candidates];
    }

    abstract int slot(int pair);

    @Override
    RowChange change(int index) {
      if (index < versions.length) {
        int shuffled = shuffled(index, versions.length);
        return inserted(shuffled % keys, shuffled / keys);
      }
      boolean first = (index - versions.length) % 2 == 0;
      if (first) {
        slot = slot(index);
      } else {
        versions[slot]++;
      }
      int key = slot % keys;
      return new RowChange(
          first ? ChangeKind.UPDATE_BEFORE : ChangeKind.UPDATE_AFTER,
          key,
          upsertKey(key, slot / keys),
          versions[slot]);
    }
  }
}
