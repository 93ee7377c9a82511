package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The recent facts of one writer in the order of its commits, newest last.
 *
 * <p>A window is stored with the table, so that the evidence survives the expiry of snapshots. It
 * holds what the writer itself committed and nothing else: commits of other writers, compactions
 * and deletes never enter it. Commits without a single row that has an event time say nothing about
 * event time and do not enter it either.
 *
 * <p>Its text starts with {@code w1:}, is canonical, carries a checksum and takes about 40
 * characters per commit plus what quantiles, counts and sketches need; {@link #fit} bounds it.
 */
@AutoValue
public abstract class WriterWindow {

  /** Above this many facts the older ones are folded where they lie close together in time. */
  private static final int UNFOLDED = 64;

  /** The newest facts are never folded. */
  private static final int NEWEST = 32;

  /** Folding blurs a lookback by at most this part of its duration. */
  private static final int RESOLUTION = 32;

  /** The writer. */
  public abstract String writer();

  /** The facts, newest last. */
  public abstract ImmutableList<CommitFacts> facts();

  /** A window without facts. */
  public static WriterWindow empty(String writer) {
    return of(CommitFacts.checkWriter(writer), ImmutableList.of());
  }

  static WriterWindow of(String writer, Iterable<CommitFacts> facts) {
    return new AutoValue_WriterWindow(writer, ImmutableList.copyOf(facts));
  }

  /**
   * Reads what {@link #toText} wrote.
   *
   * @throws IllegalArgumentException where the text is anything else: another version, damaged,
   *     cut, or not canonical
   */
  public static WriterWindow fromText(String text) {
    return WriterWindowCodec.decode(text);
  }

  /** This window as text. */
  public final String toText() {
    return WriterWindowCodec.encode(this);
  }

  /**
   * This window with the facts of one more commit. Facts of a snapshot that is in the window
   * already change nothing, so that a replay does no harm.
   *
   * @throws IllegalArgumentException where the facts are another writer's
   */
  public final WriterWindow add(CommitFacts facts) {
    checkArgument(
        facts.writer().equals(writer()),
        "Cannot add facts of writer %s: the window is writer %s's",
        facts.writer(),
        writer());
    if (facts.count() == 0
        || facts().stream().anyMatch(known -> known.snapshotId() == facts.snapshotId())) {
      return this;
    }
    return of(writer(), Iterables.concat(facts(), List.of(facts)));
  }

  /**
   * This window without what no lookback of this size needs any more. Where many commits lie close
   * together the older ones are folded, which blurs the start of a lookback by at most 1/32 of its
   * duration, always to the careful side.
   */
  public final WriterWindow trim(Lookback lookback) {
    CommitFacts newest = newest();
    if (newest == null) {
      return this;
    }
    int start = start(lookback, newest.committedAtMillis());
    List<CommitFacts> kept = facts().subList(Math.max(start, 0), facts().size());
    return of(writer(), kept.size() > UNFOLDED ? folded(kept, lookback) : kept);
  }

  /**
   * This window with a text of at most {@code maxChars} characters, if that can be had by dropping
   * sketches, then quantiles, then counts. Extremes are never dropped, so the result may still be
   * longer.
   */
  public final WriterWindow fit(int maxChars) {
    WriterWindow window = this;
    List<UnaryOperator<CommitFacts>> drops =
        List.of(
            CommitFacts::withoutSketch, CommitFacts::withoutQuantiles, CommitFacts::withoutBuckets);
    for (UnaryOperator<CommitFacts> drop : drops) {
      if (window.toText().length() <= maxChars) {
        return window;
      }
      window = of(writer(), Lists.transform(window.facts(), drop::apply));
    }
    return window;
  }

  /** The facts of the newest commit; null where the window is empty. */
  public final @Nullable CommitFacts newest() {
    return facts().isEmpty() ? null : Iterables.getLast(facts());
  }

  /** How many commits the facts stand for. */
  public final long commits() {
    return facts().stream().mapToLong(CommitFacts::commits).sum();
  }

  /**
   * The index of the newest facts from which on {@code lookback} is covered, as seen at {@code
   * nowMillis}; -1 where the whole window does not cover it.
   */
  final int start(Lookback lookback, long nowMillis) {
    long commits = 0;
    boolean covered = lookback.durationMillis() == 0;
    long reachBack = reachBack(lookback, nowMillis);
    for (int i = facts().size() - 1; i >= 0; i--) {
      commits += facts().get(i).commits();
      covered |= facts().get(i).committedAtMillis() <= reachBack;
      if (covered && commits >= lookback.commits()) {
        return i;
      }
    }
    return -1;
  }

  /** Whether some commit is old enough for {@code lookback}, however many there are. */
  final boolean reaches(Lookback lookback, long nowMillis) {
    long reachBack = reachBack(lookback, nowMillis);
    return lookback.durationMillis() == 0
        || facts().stream().anyMatch(facts -> facts.committedAtMillis() <= reachBack);
  }

  /**
   * Counts from now where the newest commit claims to be of the future: its clock must not shorten
   * the lookback.
   */
  private long reachBack(Lookback lookback, long nowMillis) {
    CommitFacts newest = newest();
    long end = newest == null ? nowMillis : Math.min(newest.committedAtMillis(), nowMillis);
    return Boundaries.minus(end, lookback.durationMillis());
  }

  /**
   * A group is as old as its newest commit, so that a lookback reaches too far back rather than not
   * far enough. Its span is counted from the end of the group before, so that it cannot grow along
   * with time.
   */
  private static List<CommitFacts> folded(List<CommitFacts> facts, Lookback lookback) {
    long span = lookback.durationMillis() / RESOLUTION;
    List<CommitFacts> folded = new ArrayList<>();
    for (int i = 0; i < facts.size() - NEWEST; i++) {
      CommitFacts next = facts.get(i);
      int groups = folded.size();
      if (groups >= 2) {
        long before = folded.get(groups - 2).committedAtMillis();
        CommitFacts group = folded.get(groups - 1);
        boolean ordered =
            before <= group.committedAtMillis()
                && group.committedAtMillis() <= next.committedAtMillis();
        if (ordered && next.committedAtMillis() - before <= span) {
          folded.set(groups - 1, FactsFolding.fold(group, next));
          continue;
        }
      }
      folded.add(next);
    }
    folded.addAll(facts.subList(facts.size() - NEWEST, facts.size()));
    return folded;
  }
}
