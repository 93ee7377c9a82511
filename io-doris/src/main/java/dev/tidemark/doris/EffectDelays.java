package dev.tidemark.doris;

import dev.tidemark.once.Outcome;
import dev.tidemark.streamload.LoadException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.joda.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts off what failed for now, for longer each time. Used by several threads. */
final class EffectDelays {
  private static final Logger LOG = LoggerFactory.getLogger(EffectDelays.class);
  private static final Duration FIRST = Duration.standardSeconds(1);
  private static final Duration LONGEST = Duration.standardMinutes(1);
  private static final int MOST_DOUBLINGS = 6;

  private final Map<ShardKey, Integer> failures = new ConcurrentHashMap<>();

  void succeeded(ShardKey shard) {
    failures.remove(shard);
  }

  /** The outcome of a failure; throws it if trying again is pointless until somebody acts. */
  Outcome<LoadEvent> failed(ShardKey shard, LoadException e) {
    if (e.permanent()) {
      throw e;
    }
    int times = failures.merge(shard, 1, Integer::sum);
    long millis =
        Math.min(LONGEST.getMillis(), FIRST.getMillis() << Math.min(times - 1, MOST_DOUBLINGS));
    LOG.warn("Cannot load into {} for now; trying again in {} ms", shard, millis, e);
    return Outcome.later(Duration.millis(millis), List.of());
  }
}
