package dev.tidemark.doris;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.once.Effect;
import dev.tidemark.once.OnceTestUtils;
import dev.tidemark.once.Outcome;
import dev.tidemark.streamload.LoadException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Instant;

/**
 * A runner in small: hands changes to the stages of a write in bundles, takes checkpoints, crashes
 * at any step, and goes on from the last checkpoint with other bundles.
 *
 * @param <E> what waits for a checkpoint
 */
final class StageRun<E> {
  /** A crash that the run itself made. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** What happens before a bundle, for example a fault of the server. */
  interface Weather {
    void beforeBundle(Random random);
  }

  private static final int MOST_ATTEMPTS = 300;
  private static final int MOST_TRIES = 50;

  /** Numbered from the sequence on. */
  private record Held<E>(long first, List<E> elements) {}

  /** What a checkpoint holds. */
  private static final class State<E> {
    int offset;
    final Map<ShardKey, Long> epochs = new TreeMap<>(StageRun::compare);
    final Map<ShardKey, ShardPlace> places = new TreeMap<>(StageRun::compare);
    final Map<ShardKey, Held<E>> held = new TreeMap<>(StageRun::compare);
    final Map<ShardKey, Long> next = new HashMap<>();

    State<E> copy(Coder<E> coder) {
      State<E> copy = new State<>();
      copy.offset = offset;
      copy.epochs.putAll(epochs);
      copy.places.putAll(places);
      copy.next.putAll(next);
      held.forEach(
          (shard, entry) ->
              copy.held.put(
                  shard,
                  new Held<>(
                      entry.first(),
                      entry.elements().stream().map(element -> cloned(coder, element)).toList())));
      return copy;
    }
  }

  private final List<Change> changes;
  private final Random random;
  private final double crashes;
  private final DeliveryMode mode;
  private final Coder<E> coder;
  private final Weather weather;
  private final TupleTag<KV<ShardKey, Part>> parts = new TupleTag<>("parts");
  private final TupleTag<KV<ShardKey, E>> waiting = new TupleTag<>("waiting");
  private final TupleTag<BadRecord> failed = new TupleTag<>("failed");

  /** What a restart goes back to, the newest last. */
  private final List<State<E>> checkpoints = new ArrayList<>();

  private DorisTable table = Shop.ORDERS;
  private Schema schema = Shop.SCHEMA;
  private int attempts;

  private StageRun(
      List<Change> changes,
      Random random,
      double crashes,
      DeliveryMode mode,
      Coder<E> coder,
      Weather weather) {
    this.changes = changes;
    this.random = random;
    this.crashes = crashes;
    this.mode = mode;
    this.coder = coder;
    this.weather = weather;
    checkpoints.add(new State<>());
  }

  static StageRun<LoadBody> byLabels(
      List<Change> changes, Random random, double crashes, Weather weather) {
    return new StageRun<>(
        changes, random, crashes, DeliveryMode.LABELS, new LoadBodyCoder(), weather);
  }

  static StageRun<PreCommittedLoad> inTwoPhases(
      List<Change> changes, Random random, double crashes, Weather weather) {
    return new StageRun<>(
        changes,
        random,
        crashes,
        DeliveryMode.TWO_PHASE_COMMIT,
        new PreCommittedLoadCoder(),
        weather);
  }

  static StageRun<?> of(
      DeliveryMode mode, List<Change> changes, Random random, double crashes, Weather weather) {
    return mode == DeliveryMode.LABELS
        ? byLabels(changes, random, crashes, weather)
        : inTwoPhases(changes, random, crashes, weather);
  }

  /** Writes to another table than the orders. */
  StageRun<E> to(DorisTable newTable, Schema newSchema) {
    this.table = newTable;
    this.schema = newSchema;
    return this;
  }

  /** Runs to the end of the changes, however often it crashes. */
  void run(WriteSettings settings) throws Exception {
    while (!attempt(settings)) {
      if (++attempts > MOST_ATTEMPTS) {
        throw new AssertionError("No end after " + attempts + " attempts");
      }
    }
  }

  /** Goes back behind the newest checkpoints, as an operator does. */
  void rewind(int count) {
    for (int i = 0; i < count && checkpoints.size() > 1; i++) {
      checkpoints.remove(checkpoints.size() - 1);
    }
  }

  int attempts() {
    return attempts;
  }

  /** Returns whether the end was reached; otherwise it crashed. */
  private boolean attempt(WriteSettings settings) throws Exception {
    State<E> live = checkpoints.get(checkpoints.size() - 1).copy(coder);
    // Another run cuts bundles and loads at other places.
    WriteSettings cut =
        new WriteSettings(
            settings.cluster(),
            settings.rules(),
            LoadLimits.of(1 + random.nextInt(12), 1 << 20, 10_000),
            settings.shards(),
            settings.labelPrefix(),
            settings.headers(),
            settings.outputRejectedRows(),
            settings.clock());
    PackFn<Change> pack =
        new PackFn<>(
            cut,
            new OneTable(StaticValueProvider.of(table)),
            schema,
            ChangeCoder.of(schema),
            parts,
            failed);
    Stage<E> stage = stage(cut);
    Effect<ShardKey, E, LoadEvent> effect = effect(cut);
    pack.setup();
    stage.setup();
    effect.setup(PipelineOptionsFactory.create());
    try {
      stage.restored(live.places);
      performAll(effect, live);
      while (live.offset < changes.size() || !live.held.isEmpty()) {
        weather.beforeBundle(random);
        bundle(pack, stage, live);
        maybeCrash();
        if (random.nextInt(5) > 0) {
          checkpoints.add(live.copy(coder));
          maybeCrash();
          performAll(effect, live);
          maybeCrash();
        }
      }
      return true;
    } catch (Crash e) {
      return false;
    } catch (LoadException e) {
      if (e.kind() == LoadException.Kind.REWOUND
          || e.kind() == LoadException.Kind.LOST_TRANSACTION
          || e.kind() == LoadException.Kind.LABEL_CONFLICT) {
        throw e;
      }
      return false;
    } finally {
      pack.teardown();
      stage.teardown();
      effect.teardown();
    }
  }

  private void bundle(PackFn<Change> pack, Stage<E> stage, State<E> live) {
    StageFakes.Outputs out = new StageFakes.Outputs();
    int end = Math.min(changes.size(), live.offset + 1 + random.nextInt(20));
    while (live.offset < end) {
      pack.process(changes.get(live.offset), Instant.ofEpochMilli(live.offset), out);
      live.offset++;
      out.take(parts).forEach(part -> stage.process(part, live, out));
      maybeCrash();
    }
    pack.finish(out.finishOf(pack, parts));
    out.take(parts).forEach(part -> stage.process(part, live, out));
    maybeCrash();
    stage.finish(out);
    List<BadRecord> bad = out.take(failed);
    if (!bad.isEmpty()) {
      throw new AssertionError(bad.toString());
    }
    for (KV<ShardKey, E> element : out.take(waiting)) {
      ShardKey shard = element.getKey();
      long sequence = live.next.merge(shard, 1L, Long::sum);
      Held<E> held = live.held.computeIfAbsent(shard, s -> new Held<>(sequence, new ArrayList<>()));
      List<E> elements = new ArrayList<>(held.elements());
      elements.add(element.getValue());
      live.held.put(shard, new Held<>(held.first(), elements));
    }
  }

  /** Performs what the newest checkpoint holds. */
  private void performAll(Effect<ShardKey, E, LoadEvent> effect, State<E> live) throws Exception {
    for (Map.Entry<ShardKey, Held<E>> entry : new ArrayList<>(live.held.entrySet())) {
      maybeCrash();
      for (int tries = 0; ; tries++) {
        Outcome<LoadEvent> outcome =
            effect.perform(
                entry.getKey(),
                OnceTestUtils.batch(entry.getValue().first(), entry.getValue().elements()));
        if (OnceTestUtils.retryAfter(outcome) == null) {
          break;
        }
        if (tries == MOST_TRIES) {
          throw new AssertionError("Still not performed: " + entry.getKey());
        }
      }
      maybeCrash();
      live.held.remove(entry.getKey());
    }
  }

  private void maybeCrash() {
    if (random.nextDouble() < crashes) {
      throw new Crash();
    }
  }

  /** Either of the two functions before the effect. */
  private interface Stage<E> {
    void setup();

    void restored(Map<ShardKey, ShardPlace> places);

    void process(KV<ShardKey, Part> part, State<E> live, StageFakes.Outputs out);

    void finish(StageFakes.Outputs out);

    void teardown();
  }

  @SuppressWarnings("unchecked") // E is what the mode has
  private Stage<E> stage(WriteSettings settings) {
    return mode == DeliveryMode.LABELS
        ? (Stage<E>) assemble(settings)
        : (Stage<E>) preCommit(settings);
  }

  @SuppressWarnings("unchecked") // E is what the mode has
  private Effect<ShardKey, E, LoadEvent> effect(WriteSettings settings) {
    return mode == DeliveryMode.LABELS
        ? (Effect<ShardKey, E, LoadEvent>) (Effect<?, ?, ?>) new LoadEffect(settings)
        : (Effect<ShardKey, E, LoadEvent>) (Effect<?, ?, ?>) new CommitEffect(settings);
  }

  @SuppressWarnings("unchecked") // E is what the mode has
  private Stage<LoadBody> assemble(WriteSettings settings) {
    TupleTag<KV<ShardKey, LoadBody>> main =
        (TupleTag<KV<ShardKey, LoadBody>>) (TupleTag<?>) waiting;
    AssembleFn fn = new AssembleFn(settings);
    return new Stage<>() {
      @Override
      public void setup() {
        fn.setup();
      }

      @Override
      public void restored(Map<ShardKey, ShardPlace> places) {}

      @Override
      public void process(KV<ShardKey, Part> part, State<LoadBody> live, StageFakes.Outputs out) {
        fn.process(
            part, Instant.EPOCH, new StageFakes.Cell<>(live.epochs, part.getKey()), out.get(main));
      }

      @Override
      public void finish(StageFakes.Outputs out) {
        fn.finish(out.finishOf(fn, main));
      }

      @Override
      public void teardown() {
        fn.teardown();
      }
    };
  }

  @SuppressWarnings("unchecked") // E is what the mode has
  private Stage<PreCommittedLoad> preCommit(WriteSettings settings) {
    TupleTag<KV<ShardKey, PreCommittedLoad>> main =
        (TupleTag<KV<ShardKey, PreCommittedLoad>>) (TupleTag<?>) waiting;
    PreCommitFn fn = new PreCommitFn(settings, main, failed);
    StageFakes.IdleTimer timer = new StageFakes.IdleTimer();
    return new Stage<>() {
      @Override
      public void setup() {
        fn.setup();
      }

      /** A restored timer fires. */
      @Override
      public void restored(Map<ShardKey, ShardPlace> places) {
        for (ShardKey shard : places.keySet()) {
          fn.look(shard, new StageFakes.Cell<>(places, shard), timer);
        }
      }

      @Override
      public void process(
          KV<ShardKey, Part> part, State<PreCommittedLoad> live, StageFakes.Outputs out) {
        fn.process(
            part,
            Instant.EPOCH,
            new StageFakes.Cell<>(live.places, part.getKey()),
            timer,
            timer,
            out);
      }

      @Override
      public void finish(StageFakes.Outputs out) {
        fn.finish(out.finishOf(fn, main));
      }

      @Override
      public void teardown() {
        fn.teardown();
      }
    };
  }

  private static <E> E cloned(Coder<E> coder, E element) {
    try {
      return CoderUtils.clone(coder, element);
    } catch (CoderException e) {
      throw new AssertionError(e);
    }
  }

  private static int compare(ShardKey left, ShardKey right) {
    return Integer.compare(left.shard(), right.shard());
  }
}
