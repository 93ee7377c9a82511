package dev.tidemark.doris;

import dev.tidemark.once.Outcome;
import dev.tidemark.once.RetryDelays;
import dev.tidemark.streamload.LoadException;
import java.util.List;
import org.joda.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts off what failed for now, for longer each time. Used by several threads. */
final class EffectDelays {
  private static final Logger LOG = LoggerFactory.getLogger(EffectDelays.class);

  private final RetryDelays<ShardKey> delays = new RetryDelays<>();

  void succeeded(ShardKey shard) {
    delays.succeeded(shard);
  }

  /** The outcome of a failure; throws it if trying again is pointless until somebody acts. */
  Outcome<LoadEvent> failed(ShardKey shard, LoadException e) {
    if (e.permanent()) {
      throw e;
    }
    Duration delay = delays.failed(shard);
    LOG.warn("Cannot load into {} for now; trying again in {} ms", shard, delay.getMillis(), e);
    return Outcome.later(delay, List.of());
  }
}
