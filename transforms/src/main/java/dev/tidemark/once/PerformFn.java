package dev.tidemark.once;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds arrivals until a completed checkpoint holds them too, then performs them in order. */
final class PerformFn<K, T, R> extends DoFn<KV<K, Arrival<T>>, R> {
  private static final Logger LOG = LoggerFactory.getLogger(PerformFn.class);
  private static final Instant END_OF_TIME = GlobalWindow.INSTANCE.maxTimestamp();
  private static final Duration POLL = Duration.millis(200);
  private static final int TRIES_AT_END = 5;

  /** Bounds one call after an outage; the rest follows in the next. */
  private static final int MOST_ELEMENTS = 1_000;

  private static final Duration LONGEST_TEARDOWN = Duration.standardSeconds(10);
  private static final Duration LONGEST_WAIT_AT_END = Duration.standardSeconds(5);
  private static final Duration HOPELESS_DELAY = Duration.standardMinutes(1);

  @StateId("held")
  private final StateSpec<BagState<Held<T>>> heldSpec;

  @StateId("numbering")
  private final StateSpec<ValueState<Numbering>> numberingSpec =
      StateSpecs.value(new Numbering.NumberingCoder());

  @TimerId("check")
  private final TimerSpec checkSpec = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

  @TimerId("end")
  private final TimerSpec endSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

  private final Effect<K, T, R> effect;
  private final Coder<K> keyCoder;
  private final int concurrency;
  private final PerformMetrics metrics = new PerformMetrics();

  private transient long nonce;
  private transient long order;
  private transient AtomicLong confirmed;
  private transient Map<Object, Call<T, R>> calls;
  private transient Map<Object, Instant> notBefore;

  /** The order that has to be confirmed before it is worth reading a key's entries. */
  private transient Map<Object, Long> waitingFor;

  private transient ThreadPoolExecutor pool;

  PerformFn(Effect<K, T, R> effect, Coder<K> keyCoder, Coder<T> elementCoder, int concurrency) {
    this.effect = effect;
    this.keyCoder = keyCoder;
    this.concurrency = concurrency;
    this.heldSpec = StateSpecs.bag(HeldCoder.of(ArrivalCoder.of(elementCoder)));
  }

  @Setup
  public void setup(PipelineOptions options) throws Exception {
    nonce = ThreadLocalRandom.current().nextLong();
    order = 0;
    confirmed = new AtomicLong();
    calls = new HashMap<>();
    notBefore = new HashMap<>();
    waitingFor = new HashMap<>();
    pool =
        new ThreadPoolExecutor(
            concurrency,
            concurrency,
            0,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            new ThreadFactoryBuilder().setDaemon(true).setNameFormat("perform-once-%d").build());
    effect.setup(options);
  }

  @Teardown
  public void teardown() throws Exception {
    if (pool != null) {
      // Calls that have not begun are for the next attempt; one that has may finish.
      pool.getQueue().clear();
      pool.shutdown();
      if (!pool.awaitTermination(LONGEST_TEARDOWN.getMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("A call still runs {} after its task ended", LONGEST_TEARDOWN);
      }
    }
    effect.teardown();
  }

  @ProcessElement
  public void process(
      @Element KV<K, Arrival<T>> input,
      @StateId("held") BagState<Held<T>> held,
      @StateId("numbering") ValueState<Numbering> numbering,
      @TimerId("check") Timer check,
      @TimerId("end") Timer end,
      BundleFinalizer finalizer) {
    Numbering numbers = numbers(numbering);
    long sequence = 0;
    if (input.getValue().element() != null) {
      sequence = numbers.next();
      numbering.write(Numbering.of(sequence + 1, numbers.oldest()));
    } else {
      metrics.heartbeats.inc();
    }
    long mine = ++order;
    held.add(Held.of(nonce, mine, sequence, numbers.oldest(), input.getValue()));
    finalizer.afterBundleCommit(
        BoundedWindow.TIMESTAMP_MAX_VALUE, () -> confirmed.accumulateAndGet(mine, Math::max));
    end.set(END_OF_TIME);
    arm(check);
  }

  @OnTimer("check")
  public void check(
      @Key K key,
      @StateId("held") BagState<Held<T>> held,
      @StateId("numbering") ValueState<Numbering> numbering,
      @TimerId("check") Timer check,
      @TimerId("end") Timer end,
      OutputReceiver<R> out)
      throws Exception {
    if (!end.getCurrentRelativeTime().isBefore(END_OF_TIME)) {
      flush(key, held, numbering, out);
    } else if (look(key, held, numbering, check.getCurrentRelativeTime(), out)) {
      arm(check);
    }
  }

  @OnTimer("end")
  public void end(
      @Key K key,
      @StateId("held") BagState<Held<T>> held,
      @StateId("numbering") ValueState<Numbering> numbering,
      @TimerId("check") Timer check,
      OutputReceiver<R> out)
      throws Exception {
    check.clear();
    flush(key, held, numbering, out);
  }

  /** Aligned, so that a stream of elements does not push the check ahead of itself. */
  private static void arm(Timer check) {
    check.offset(Duration.millis(1)).align(POLL).setRelative();
  }

  /** Returns whether to look again. */
  private boolean look(
      K key,
      BagState<Held<T>> held,
      ValueState<Numbering> numbering,
      Instant now,
      OutputReceiver<R> out)
      throws Exception {
    Object id = keyCoder.structuralValue(key);
    Call<T, R> call = calls.get(id);
    if (call != null) {
      if (!call.isDone()) {
        return true;
      }
      calls.remove(id);
      settle(id, call, now, held, numbering, out);
    }
    if (notBefore.getOrDefault(id, now).isAfter(now)
        || waitingFor.getOrDefault(id, 0L) > confirmed.get()) {
      return true;
    }
    List<Held<T>> entries = sorted(held);
    List<Held<T>> ready = ready(entries);
    if (!ready.isEmpty()) {
      waitingFor.remove(id);
      forgetOutdated(ready, held, numbering);
      List<Held<T>> some = atMost(ready);
      calls.put(id, start(key, batch(some, floor(ready), false), ids(some)));
    } else if (!entries.isEmpty()) {
      waitingFor.put(id, entries.stream().mapToLong(Held::order).min().getAsLong());
    } else {
      waitingFor.remove(id);
    }
    metrics.heldElements.update(entries.size());
    return !entries.isEmpty();
  }

  /**
   * Performs all that is left, whether confirmed or not: the runner is about to clear the state.
   */
  private void flush(
      K key, BagState<Held<T>> held, ValueState<Numbering> numbering, OutputReceiver<R> out)
      throws Exception {
    Object id = keyCoder.structuralValue(key);
    Call<T, R> running = calls.remove(id);
    if (running != null) {
      settle(id, running, Instant.EPOCH, held, numbering, out);
    }
    List<Held<T>> left = sorted(held);
    for (int tries = 1; !left.isEmpty(); tries++) {
      List<Held<T>> ready = ready(left);
      Call<T, R> call =
          start(key, batch(left, floor(ready), ready.size() < left.size()), ids(left));
      Duration delay = settle(id, call, Instant.EPOCH, held, numbering, out);
      // Who wants to wait that long does not expect the target to come back by itself.
      boolean hopeless = delay != null && delay.isLongerThan(HOPELESS_DELAY);
      if (delay != null && (hopeless || tries == TRIES_AT_END)) {
        effect.abandon(key, call.batch()).forEach(out::output);
        forget(call.entries(), held, numbering);
      } else if (delay != null) {
        TimeUnit.MILLISECONDS.sleep(Math.min(delay.getMillis(), LONGEST_WAIT_AT_END.getMillis()));
      } else if (call.batch().endOfInput()) {
        metrics.flushedAtEnd.inc(call.batch().elements().size());
      }
      left = sorted(held);
    }
    notBefore.remove(id);
    waitingFor.remove(id);
  }

  private Call<T, R> start(K key, Batch<T> batch, Set<Call.EntryId> entries) {
    metrics.calls.inc();
    return new Call<>(
        batch,
        entries,
        CompletableFuture.supplyAsync(
            () -> {
              long startNanos = System.nanoTime();
              try {
                Outcome<R> outcome = effect.perform(key, batch);
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
                return new Call.Result<>(outcome, millis);
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            },
            pool));
  }

  /** Takes the result of a call; returns the delay if it is to be tried again, else null. */
  private Duration settle(
      Object id,
      Call<T, R> call,
      Instant now,
      BagState<Held<T>> held,
      ValueState<Numbering> numbering,
      OutputReceiver<R> out)
      throws Exception {
    Call.Result<R> result = call.join();
    metrics.callMillis.update(result.millis());
    result.outcome().reports().forEach(out::output);
    Duration delay = result.outcome().retryAfter();
    if (delay != null) {
      metrics.postponed.inc();
      notBefore.put(id, now.plus(delay));
      return delay;
    }
    notBefore.remove(id);
    metrics.performed.inc(call.batch().elements().size());
    metrics.restored.inc(call.entries().stream().filter(entry -> entry.nonce() != nonce).count());
    forget(call.entries(), held, numbering);
    return null;
  }

  private void forget(
      Set<Call.EntryId> gone, BagState<Held<T>> held, ValueState<Numbering> numbering) {
    Numbering numbers = numbers(numbering);
    long oldest = numbers.next();
    List<Held<T>> kept = new ArrayList<>();
    for (Held<T> entry : held.read()) {
      if (!gone.contains(Call.EntryId.of(entry))) {
        kept.add(entry);
        if (entry.sequence() > 0) {
          oldest = Math.min(oldest, entry.sequence());
        }
      }
    }
    held.clear();
    kept.forEach(held::add);
    numbering.write(Numbering.of(numbers.next(), oldest));
  }

  /** Bags are unordered; a heartbeat (sequence 0) takes its place by the order of its instance. */
  private List<Held<T>> sorted(BagState<Held<T>> held) {
    List<Held<T>> entries = new ArrayList<>();
    held.read().forEach(entries::add);
    entries.sort(Comparator.<Held<T>>comparingLong(Held::sequence).thenComparingLong(Held::order));
    return entries;
  }

  private List<Held<T>> ready(List<Held<T>> entries) {
    long through = confirmed.get();
    List<Held<T>> ready = new ArrayList<>();
    for (Held<T> entry : entries) {
      if (entry.nonce() != nonce || entry.order() <= through) {
        ready.add(entry);
      }
    }
    return ready;
  }

  /**
   * The first entries, where there are very many. A heartbeat vouches for all elements before it,
   * so none goes with a part of them.
   */
  private static <T> List<Held<T>> atMost(List<Held<T>> ready) {
    if (ready.size() <= MOST_ELEMENTS) {
      return ready;
    }
    return ready.stream().filter(entry -> entry.sequence() > 0).limit(MOST_ELEMENTS).toList();
  }

  /**
   * Of the heartbeats that are ready only the newest says anything; a target may be down for long.
   */
  private void forgetOutdated(
      List<Held<T>> ready, BagState<Held<T>> held, ValueState<Numbering> numbering) {
    Held<T> newest = null;
    List<Held<T>> outdated = new ArrayList<>();
    for (Held<T> entry : ready) {
      Heartbeat heartbeat = entry.arrival().heartbeat();
      if (heartbeat == null) {
        continue;
      }
      if (newest == null || heartbeat.at().isAfter(newest.arrival().heartbeat().at())) {
        if (newest != null) {
          outdated.add(newest);
        }
        newest = entry;
      } else {
        outdated.add(entry);
      }
    }
    if (!outdated.isEmpty()) {
      forget(ids(outdated), held, numbering);
      ready.removeAll(outdated);
    }
  }

  /** The highest floor that a completed checkpoint vouches for. */
  private static <T> long floor(List<Held<T>> ready) {
    return ready.stream().mapToLong(Held::floor).max().orElse(1);
  }

  private static <T> Set<Call.EntryId> ids(List<Held<T>> entries) {
    Set<Call.EntryId> ids = new HashSet<>();
    entries.forEach(entry -> ids.add(Call.EntryId.of(entry)));
    return ids;
  }

  private static <T> Batch<T> batch(List<Held<T>> entries, long floor, boolean endOfInput) {
    List<Numbered<T>> elements = new ArrayList<>();
    Heartbeat newest = null;
    for (Held<T> entry : entries) {
      Heartbeat heartbeat = entry.arrival().heartbeat();
      if (heartbeat == null) {
        elements.add(Numbered.of(entry.sequence(), entry.arrival().element()));
      } else if (newest == null || heartbeat.at().isAfter(newest.at())) {
        newest = heartbeat;
      }
    }
    return Batch.of(elements, floor, newest, endOfInput);
  }

  private static Numbering numbers(ValueState<Numbering> numbering) {
    Numbering numbers = numbering.read();
    return numbers == null ? Numbering.START : numbers;
  }
}
