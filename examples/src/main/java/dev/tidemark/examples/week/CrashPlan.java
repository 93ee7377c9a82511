package dev.tidemark.examples.week;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.transforms.DoFn;

/** Which pipelines of this process are to crash, and where. */
final class CrashPlan {
  private static final Map<Region, Place> PLANNED = new ConcurrentHashMap<>();
  private static final AtomicInteger DONE = new AtomicInteger();

  private CrashPlan() {}

  /** A place in a region's pipeline. */
  enum Place {
    /** Rows are read that no checkpoint holds yet. */
    AT_A_ROW,
    /** The table has the commit, and nobody has been told of it. */
    AFTER_COMMIT
  }

  static void reset() {
    PLANNED.clear();
    DONE.set(0);
  }

  static void plan(Region region, Place place) {
    PLANNED.put(region, place);
  }

  /** Crashes that happened. */
  static int done() {
    return DONE.get();
  }

  /** Passes elements, and breaks where that is planned. */
  static final class CrashFn<T> extends DoFn<T, T> {
    private final Region region;
    private final Place place;

    CrashFn(Region region, Place place) {
      this.region = region;
      this.place = place;
    }

    @ProcessElement
    public void process(@Element T element, OutputReceiver<T> out) {
      if (PLANNED.remove(region, place)) {
        DONE.incrementAndGet();
        throw new IllegalStateException("Planned crash of region " + region + ": " + place);
      }
      out.output(element);
    }
  }
}
