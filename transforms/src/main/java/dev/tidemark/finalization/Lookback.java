package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.joda.time.Duration;

/**
 * How far a policy looks back: at least a number of commits <em>and</em> at least a stretch of
 * commit time.
 *
 * <p>The stretch is what a policy's promise rests on: what it has not seen in that time it does not
 * expect. It protects writers that commit every few seconds; the number of commits protects those
 * that commit every few hours.
 */
@AutoValue
public abstract class Lookback implements Serializable {

  static final int MAX_COMMITS = 256;
  static final Duration MAX_DURATION = Duration.standardDays(31);

  /** At least this many commits that hold rows. */
  public abstract int commits();

  /** At least this much time between the newest commit and the oldest one looked at. */
  public abstract long durationMillis();

  /**
   * With fewer commits than this a policy waits; at most {@link #commits()}, which is the default.
   */
  public abstract int minCommits();

  /** Six commits and 30 minutes. */
  public static Lookback standard() {
    return of(6, Duration.standardMinutes(30));
  }

  /**
   * At least {@code commits} commits and at least {@code duration} of commit time.
   *
   * @throws IllegalArgumentException unless {@code commits} is 1 to 256 and {@code duration} 0 to
   *     31 days
   */
  public static Lookback of(int commits, Duration duration) {
    checkArgument(
        commits >= 1 && commits <= MAX_COMMITS,
        "Invalid lookback: %s commits (must be 1 to %s)",
        commits,
        MAX_COMMITS);
    checkArgument(
        duration.getMillis() >= 0 && !duration.isLongerThan(MAX_DURATION),
        "Invalid lookback: %s ms (must be 0 to 31 days)",
        duration.getMillis());
    return new AutoValue_Lookback(commits, duration.getMillis(), commits);
  }

  /**
   * Lets a young table be judged by fewer commits than {@link #commits()}; the stretch of time is
   * required all the same.
   *
   * @throws IllegalArgumentException unless {@code minCommits} is 1 to {@link #commits()}
   */
  public final Lookback withMinCommits(int minCommits) {
    checkArgument(
        minCommits >= 1 && minCommits <= commits(),
        "Invalid minimum of commits: %s (must be 1 to %s)",
        minCommits,
        commits());
    return new AutoValue_Lookback(commits(), durationMillis(), minCommits);
  }

  /** The smallest lookback that holds both. */
  final Lookback union(Lookback other) {
    int commits = Math.max(commits(), other.commits());
    long duration = Math.max(durationMillis(), other.durationMillis());
    return new AutoValue_Lookback(commits, duration, Math.max(minCommits(), other.minCommits()));
  }

  /** The arguments in the text of a policy, for instance {@code 6, PT30M}. */
  final String describe() {
    String text = commits() + ", " + java.time.Duration.ofMillis(durationMillis());
    return minCommits() == commits() ? text : text + ", " + minCommits();
  }
}
