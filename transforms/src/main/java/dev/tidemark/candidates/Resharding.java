package dev.tidemark.candidates;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.math.IntMath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes images of a number of shards from images of another number: each key goes with all of its
 * candidates to the shard that {@link Shards#of} names.
 *
 * <p>Lists get new numbers, since those of several old shards may be the same; counts and the
 * number of the next list are those of the new shard. Lists that have gone, see {@link
 * UpsertMaterializer#sweep}, are left behind. With a time to live each key is kept at least as long
 * as it would have been: a new shard counts from the latest time at which one of its old ones began
 * to, or from its own next batch if one of them had not begun.
 *
 * <p>Keys of shard {@code n} can only get to shards that are equal to {@code n} modulo the greatest
 * common divisor of both numbers. So shards with the same remainder are read together, two times
 * for each {@linkplain #withOpenImages number of images} that is written at once: twice as many
 * shards are made in one go, a shard at a time, while numbers without a common divisor take all
 * images to all. Memory is that of the images that are open, and some bytes for each long list of
 * one old shard.
 *
 * <p>The same images give the same images. What fails leaves images that are not whole; nothing is
 * to be read from any of them then.
 */
public final class Resharding {
  /** The default of {@link #withOpenImages}. */
  public static final int DEFAULT_OPEN_IMAGES = 128;

  private final String description;
  private final int from;
  private final int to;
  private final int openImages;

  private Resharding(String description, int from, int to, int openImages) {
    this.description = description;
    this.from = from;
    this.to = to;
    this.openImages = openImages;
  }

  /**
   * From a number of shards to another.
   *
   * @param description what the state is bound to, without the number of shards
   */
  public static Resharding of(String description, int from, int to) {
    checkArgument(
        from >= 1 && to >= 1, "Invalid numbers of shards: %s and %s (must be >= 1)", from, to);
    return new Resharding(description, from, to, DEFAULT_OPEN_IMAGES);
  }

  /**
   * Sets the most images that are written at once. Default {@value #DEFAULT_OPEN_IMAGES}, at least
   * 1. Each takes about 128 KiB and what its stream takes; fewer make old images be read more
   * often.
   */
  public Resharding withOpenImages(int most) {
    checkArgument(most >= 1, "Invalid number of open images: %s (must be >= 1)", most);
    return new Resharding(description, from, to, most);
  }

  /**
   * Writes all new images, each of which begins and ends here.
   *
   * @throws CorruptStateException if an image cannot be read, belongs to other settings or to
   *     another shard, or lacks records
   */
  public void run(Source source, Target target) throws IOException {
    OldShard.Settings settings =
        new OldShard.Settings(Shards.describe(from, description), from, to);
    int step = IntMath.gcd(from, to);
    long window = (long) step * openImages;
    for (int remainder = 0; remainder < step; remainder++) {
      for (long first = remainder; first < to; first += window) {
        runSome(
            settings,
            remainder,
            (int) first,
            (int) Math.min(to, first + window),
            step,
            source,
            target);
      }
    }
  }

  private void runSome(
      OldShard.Settings settings,
      int remainder,
      int first,
      int end,
      int step,
      Source source,
      Target target)
      throws IOException {
    List<NewShard> shards = new ArrayList<>();
    for (int shard = first; shard < end; shard += step) {
      shards.add(new NewShard(target.create(shard)));
    }
    ShardFacts facts = null;
    for (int shard = remainder; shard < from; shard += step) {
      OldShard old =
          new OldShard(
              settings,
              shard,
              number ->
                  number < first || number >= end ? null : shards.get((number - first) / step));
      source.read(shard, old::survey);
      source.read(shard, old::copy);
      facts = merge(facts, old.facts());
    }
    for (NewShard shard : shards) {
      shard.close(facts, Shards.describe(to, description));
    }
  }

  /** What holds for both; null for shards without any record. */
  private static ShardFacts merge(ShardFacts some, ShardFacts others) {
    if (some == null || others == null) {
      return some == null ? others : some;
    }
    some.ttlEnabledAt =
        some.ttlEnabled && others.ttlEnabled ? Math.max(some.ttlEnabledAt, others.ttlEnabledAt) : 0;
    some.ttlEnabled &= others.ttlEnabled;
    return some;
  }

  /** Has the images of the old shards. */
  public interface Source {
    /** Opens an image, lets its records be read, and closes it. May be called several times. */
    void read(int shard, Reader reader) throws IOException;
  }

  /** Reads records. */
  public interface Reader {
    /** Reads all records. */
    void read(ShardImages.Records records) throws IOException;
  }

  /** Takes the images of the new shards. */
  public interface Target {
    /** Begins an image; called once for each shard. */
    ShardImages.Sink create(int shard) throws IOException;
  }
}
