package dev.tidemark.streamload;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and aborts what earlier runs left open, by asking for the labels they would have used:
 * sequences of a run have no gaps, and are committed in order.
 */
final class LeftOvers {
  /** As long as the frontend remembers labels of stream loads by default. */
  static final int HOURS_LOOKED_BACK = 12;

  /** Sequences without a trace that are passed over before the end of a run is believed. */
  private static final int MAX_GAP = 2;

  private static final Logger LOG = LoggerFactory.getLogger(LeftOvers.class);

  private final StreamLoadClient client;
  private final Labels labels;
  private final LabelClearing clearing;
  private final Clock clock;
  private final Function<String, Attempts> attempts;

  LeftOvers(
      StreamLoadClient client,
      Labels labels,
      LabelClearing clearing,
      Clock clock,
      Function<String, Attempts> attempts) {
    this.client = client;
    this.labels = labels;
    this.clearing = clearing;
    this.clock = clock;
    this.attempts = attempts;
  }

  /** Makes one label free. */
  boolean clear(
      String database, String table, String label, @Nullable Long holder, Attempts tries) {
    return clearing.clear(database, table, label, holder, tries);
  }

  int abortFrom(ShardRun run, long fromSequence) {
    int aborted = 0;
    int gap = 0;
    for (long sequence = fromSequence; gap <= MAX_GAP; sequence++) {
      LabelState state = state(run, sequence);
      if (state.isCommitted()) {
        throw LabelClearing.rewound(run.database(), run.table(), run.label(labels, sequence));
      }
      if (state.isOpen()) {
        String label = run.label(labels, sequence);
        Attempts tries = attempts.apply("abort left-over label " + label);
        if (clear(run.database(), run.table(), label, null, tries)) {
          aborted++;
        }
      }
      gap = state == LabelState.UNKNOWN ? gap + 1 : 0;
    }
    return aborted;
  }

  long startEpoch(String database, String table, int shard) {
    long now = TimeUnit.MILLISECONDS.toHours(clock.millis());
    ShardRun run = new ShardRun(database, table, shard, now);
    int aborted = 0;
    for (long epoch = now - HOURS_LOOKED_BACK; epoch < now; epoch++) {
      ShardRun earlier = run.withEpoch(epoch);
      aborted += abortFrom(earlier, firstUncommitted(earlier));
    }
    while (true) {
      long first = firstUncommitted(run);
      aborted += abortFrom(run, first);
      if (first == 1) {
        LOG.info(
            "Shard {} of table {}.{} begins at epoch {}; {} left-over transactions aborted",
            shard,
            database,
            table,
            run.epoch(),
            aborted);
        return run.epoch();
      }
      run = run.withEpoch(run.epoch() + 1);
    }
  }

  /** The first sequence of a run that is not committed, found by doubling and halving. */
  private long firstUncommitted(ShardRun run) {
    long committed = 0;
    long open = 1;
    while (state(run, open).isCommitted()) {
      committed = open;
      open *= 2;
    }
    while (open - committed > 1) {
      long middle = committed + (open - committed) / 2;
      if (state(run, middle).isCommitted()) {
        committed = middle;
      } else {
        open = middle;
      }
    }
    return open;
  }

  private LabelState state(ShardRun run, long sequence) {
    String label = run.label(labels, sequence);
    Attempts tries = attempts.apply("look up label %s".formatted(label));
    while (true) {
      tries.begin();
      try {
        return client.labelState(run.database(), label);
      } catch (LoadException e) {
        if (e.permanent()) {
          throw e;
        }
        tries.pause(Failures.verdict(e), e);
      }
    }
  }
}
