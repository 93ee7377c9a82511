package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.OperatorAct;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.TidemarkKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Answers until when a table is finalized, and waits for it.
 *
 * <p>Immutable. Made from a table, it answers by the version that the table object is at, until
 * somebody refreshes that; {@code await} refreshes it. Made from a catalog, it loads the table for
 * each question. It writes nothing.
 */
public final class Finalization {
  private final TableSource source;
  private final TidemarkKeys keys;
  private final Signal signal;
  private final Waiting waiting;

  private Finalization(TableSource source, TidemarkKeys keys, Signal signal, Waiting waiting) {
    this.source = source;
    this.keys = keys;
    this.signal = signal;
    this.waiting = waiting;
  }

  /**
   * The finalization of a table's main branch, as far as the table object knows.
   *
   * @throws IllegalArgumentException if the object does not give access to its metadata, as
   *     metadata tables do not
   */
  public static Finalization of(Table table) {
    return of(TableSource.of(table));
  }

  /** The finalization of the main branch of a table that is loaded for each question. */
  public static Finalization of(CatalogConfig catalog, TableIdentifier table) {
    return of(TableSource.of(catalog, table));
  }

  private static Finalization of(TableSource source) {
    return new Finalization(source, TidemarkKeys.main(), Signal.tidemark(), Waiting.standard());
  }

  /**
   * The finalization of another branch.
   *
   * @throws IllegalArgumentException if it cannot be the name of a branch with a watermark
   */
  public Finalization branch(String branch) {
    return new Finalization(source, TidemarkKeys.forBranch(branch), signal, waiting);
  }

  /**
   * This finalization by what another system says of the table. It then tells the state of ranges,
   * and nothing of coverage, rollbacks and late data; see each signal for what it means.
   */
  public Finalization withSignal(Signal signal) {
    return new Finalization(source, keys, signal, waiting);
  }

  /** This finalization with another clock, for timeouts and lags. */
  public Finalization withClock(Clock clock) {
    return with(waiting.withClock(clock));
  }

  /** This finalization with another way to pause. */
  public Finalization withSleeper(Sleeper sleeper) {
    return with(waiting.withSleeper(sleeper));
  }

  /**
   * This finalization with another source of chance, from 0 inclusive to 1 exclusive: the pauses of
   * a wait differ from the poll interval by up to a tenth, so that many waiters do not ask at once.
   */
  public Finalization withRandom(DoubleSupplier random) {
    return with(waiting.withRandom(random));
  }

  /**
   * This finalization with another time for which a wait bears that the table cannot be read; 10
   * minutes by default. Five failures in a row are borne in any case.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public Finalization withOutage(Duration outage) {
    return with(waiting.withOutage(outage));
  }

  private Finalization with(Waiting other) {
    return new Finalization(source, keys, signal, other);
  }

  /**
   * The watermark, exclusive; null if there is none, or if it is invalidated.
   *
   * @throws FinalizationException if there is no answer
   */
  public @Nullable Instant finalizedUntil() {
    if (!signal.isOwn()) {
      return answer(version -> signal.until(version, keys.branch()));
    }
    Judgement judgement = answer(this::judgement);
    return judgement.isInvalidated() ? null : judgement.until();
  }

  /**
   * From where on the table's facts cover it; null if that is not recorded.
   *
   * @throws FinalizationException if there is no answer
   */
  public @Nullable Instant finalizedSince() {
    return answer(this::judgement).since();
  }

  /**
   * Whether no record with an event time from {@code start} (inclusive) to {@code end} (exclusive)
   * is expected any more.
   *
   * @throws FinalizationException if there is no answer
   * @throws IllegalArgumentException unless the start is before the end
   */
  public boolean isFinalized(Instant start, Instant end) {
    return status(start, end).isFinalized();
  }

  /**
   * The state of {@code [start, end)}, why, and which snapshot to read.
   *
   * @throws FinalizationException if there is no answer
   * @throws IllegalArgumentException unless the start is before the end
   */
  public FinalizationStatus status(Instant start, Instant end) {
    return status(EventTimeRange.of(start, end));
  }

  /**
   * The state of a range, why, and which snapshot to read.
   *
   * @throws FinalizationException if there is no answer
   */
  public FinalizationStatus status(EventTimeRange range) {
    return answer(version -> judge(version, range));
  }

  /**
   * The event times that a partition holds, by the name that Iceberg gives to it: {@code
   * 2026-01-01-05} (hour), {@code 2026-01-01} (day), {@code 2026-01} (month) or {@code 2026}
   * (year), also as part of a folder's name: {@code ts_hour=2026-01-01-05}. Instants are
   * partitioned in UTC, local times and dates in the zone of the event-time column.
   *
   * @throws IllegalArgumentException if the table is not partitioned so by its event-time column
   * @throws FinalizationException if there is no answer
   */
  public EventTimeRange partition(String name) {
    return answer(version -> PartitionNames.resolve(version.metadata(), keys, name));
  }

  /**
   * Waits until {@code [start, end)} is finalized; see {@link #await(EventTimeRange, Duration,
   * Duration, AwaitListener)}.
   */
  public FinalizationStatus await(Instant start, Instant end, Duration timeout, Duration poll)
      throws InterruptedException {
    return await(EventTimeRange.of(start, end), timeout, poll);
  }

  /**
   * Waits until a range is finalized; see {@link #await(EventTimeRange, Duration, Duration,
   * AwaitListener)}.
   */
  public FinalizationStatus await(EventTimeRange range, Duration timeout, Duration poll)
      throws InterruptedException {
    return await(range, timeout, poll, AwaitListener.NONE);
  }

  /**
   * Waits until a range is finalized, or waiting does not help any more, or the time is up.
   *
   * <p>A table that cannot be read for the moment is asked again, see {@link #withOutage}; at the
   * beginning of a wait it is an error at once.
   *
   * @param timeout how long to wait; 0 to ask once
   * @param poll the pause between two questions, 1 ms to 1 day
   * @return the last answer; not {@linkplain FinalizationStatus#isSettled() settled} only if the
   *     time was up
   * @throws InterruptedException if the thread is interrupted
   * @throws FinalizationException if there is no answer, or the table was dropped and created again
   * @throws IllegalArgumentException if timeout or poll are out of range
   */
  public FinalizationStatus await(
      EventTimeRange range, Duration timeout, Duration poll, AwaitListener listener)
      throws InterruptedException {
    return Finalizations.of(this, range).await(timeout, poll, listener).get(0);
  }

  /** The state of a range by the newest version. */
  FinalizationStatus newest(EventTimeRange range) {
    return source.reading(() -> judge(source.newest(), range));
  }

  String name() {
    return source.name();
  }

  Waiting waiting() {
    return waiting;
  }

  /**
   * The commits, oldest first, that brought records into a range after the watermark had passed
   * them, as far as the retained snapshots of the branch tell.
   *
   * @throws FinalizationException if there is no answer
   */
  public ImmutableList<LateCommit> late(EventTimeRange range) {
    return answer(version -> LateCommits.in(evidence(version))).stream()
        .filter(commit -> commit.recordsIn(range) > 0)
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * What foreign writers appended since the watermark moved that lies, or may lie, below it.
   *
   * <p>Found by the metrics in manifests, which are read for this. Nothing is found where the event
   * time is no timestamp or date, or where the watermark does not count.
   *
   * @throws FinalizationException if there is no answer
   */
  public ImmutableList<ForeignLate> foreignLate() {
    return answer(version -> ForeignLates.in(version, evidence(version)));
  }

  /**
   * Everything that is known about the watermark and its evidence. It is given for a clone, too.
   *
   * @throws FinalizationException if there is no answer
   */
  public FinalizationReport report() {
    return answer(
        version ->
            Reports.of(
                source.name(), version.metadata(), evidence(version), waiting.clock().instant()));
  }

  /**
   * The newest {@code limit} retained snapshots of the branch with their facts and the watermark
   * after each, oldest first.
   *
   * <p>What the watermark was is told by the next commit's summary, else by the metadata files that
   * are left.
   *
   * @throws FinalizationException if there is no answer
   * @throws IllegalArgumentException unless the limit is positive
   */
  public FinalizationHistory history(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("Invalid limit: %d (must be >= 1)".formatted(limit));
    }
    return answer(version -> new Histories(version, evidence(version)).newest(limit));
  }

  /**
   * The watermark of the version in which a snapshot was the head of the branch, or a later one
   * that changed no rows: what is finalized for somebody who knows the rows up to that snapshot and
   * no others.
   *
   * @throws FinalizationException if there is no answer
   */
  public SnapshotWatermark watermarkAt(long snapshotId) {
    return answer(
        version -> {
          judgement(version);
          return new VersionsAt(version, evidence(version)).watermark(snapshotId);
        });
  }

  /**
   * What operators did to the watermark, oldest first.
   *
   * @throws FinalizationException if there is no answer
   */
  public ImmutableList<OperatorAct> operations() {
    return report().operations();
  }

  /**
   * All that is still stored of how the branch came about: a state for each metadata version that
   * is left, and before those one for each snapshot.
   *
   * <p>Reads every metadata file that the table still lists, at most 100 by default.
   *
   * @throws FinalizationException if there is no answer
   */
  public FinalizationTimeline timeline() {
    return answer(
        version -> {
          StoredEvidence evidence = evidence(version);
          return Timelines.of(
              version,
              keys.branch(),
              Reports.of(source.name(), version.metadata(), evidence, waiting.clock().instant()));
        });
  }

  /** Wherever a catalog or file fails on the way to an answer, the error says so. */
  private <T> T answer(Function<TableSource.Version, T> question) {
    return source.reading(() -> question.apply(source.current()));
  }

  private FinalizationStatus judge(TableSource.Version version, EventTimeRange range) {
    return signal.isOwn()
        ? judgement(version).of(range)
        : signal.judge(source.name(), version, keys.branch(), range);
  }

  private Judgement judgement(TableSource.Version version) {
    return new Judgement(source.name(), version.metadata(), evidence(version));
  }

  private StoredEvidence evidence(TableSource.Version version) {
    return Judgement.evidence(source.name(), version.metadata(), keys.branch());
  }
}
