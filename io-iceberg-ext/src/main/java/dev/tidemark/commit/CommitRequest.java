package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.Lookback;
import java.util.List;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Results of one writer to be committed to one table. */
@AutoValue
public abstract class CommitRequest {
  private static final long HOUR_MILLIS = 3_600_000L;
  private static final int MIN_FACTS_BYTES = 256;
  private static final int MAX_FACTS_BYTES = 16_384;

  /** The table. */
  public abstract TableIdentifier table();

  /** The branch; {@code main} by default. */
  public abstract String branch();

  /** The writer: stable across restarts, and used by one live pipeline. */
  public abstract String writerId();

  /** The results, by ascending sequence without gaps. */
  public abstract ImmutableList<WriterResult> results();

  /**
   * Results below this sequence will never be handed over again unless the runner is rewound; their
   * digests are forgotten. By default the first sequence of this request.
   */
  public abstract long replayFloor();

  /**
   * The input watermark the writer attests with this commit, in epoch milliseconds; null by
   * default.
   */
  public abstract @Nullable Long inputWatermarkMillis();

  /** What to do when the table holds other results than these follow on; fail by default. */
  public abstract RewindPolicy onRewind();

  /** How much evidence the window of the writer keeps. */
  public abstract Lookback lookback();

  /** Bytes of facts in a snapshot summary, 256 to 16,384; 1,024 by default. */
  public abstract int factsLimitBytes();

  /** Whether the window keeps sketches, which only policies of quantiles need; false by default. */
  public abstract boolean keepSketchInWindow();

  /** Width in which late records are counted; an hour by default. */
  public abstract long granularityMillis();

  /** Path of the event-time column, recorded as a property for readers; null by default. */
  public abstract @Nullable String eventTimeColumn();

  /** Zone in which the column is read, recorded as a property; null by default. */
  public abstract @Nullable String eventTimeZone();

  /** Merges accumulator outputs; null where there are none. */
  public abstract @Nullable AccumulatorEntries accumulatorEntries();

  abstract Builder toBuilder();

  /**
   * A request with defaults.
   *
   * @throws IllegalArgumentException if the writer id is invalid, sequences are not contiguous, or
   *     a file occurs in two results
   */
  public static CommitRequest of(
      TableIdentifier table, String writerId, List<WriterResult> results) {
    TidemarkKeys.checkWriterId(writerId);
    checkContiguous(results);
    return new AutoValue_CommitRequest.Builder()
        .setTable(table)
        .setBranch(TidemarkKeys.MAIN)
        .setWriterId(writerId)
        .setResults(ImmutableList.copyOf(results))
        .setReplayFloor(results.isEmpty() ? 1 : results.get(0).sequence())
        .setOnRewind(RewindPolicy.FAIL)
        .setLookback(Lookback.standard())
        .setFactsLimitBytes(FactsSummary.DEFAULT_LIMIT_BYTES)
        .setKeepSketchInWindow(false)
        .setGranularityMillis(HOUR_MILLIS)
        .build();
  }

  /** This request to another branch, which is made from the head of main if it does not exist. */
  public CommitRequest withBranch(String branch) {
    return toBuilder().setBranch(TidemarkKeys.forBranch(branch).branch()).build();
  }

  /**
   * This request with another floor.
   *
   * @throws IllegalArgumentException if it is below 1 or above the first sequence of the request
   */
  public CommitRequest withReplayFloor(long sequence) {
    if (sequence < 1 || (!results().isEmpty() && sequence > results().get(0).sequence())) {
      throw new IllegalArgumentException(
          "Invalid replay floor: %d (must be >= 1 and not above the first result)"
              .formatted(sequence));
    }
    return toBuilder().setReplayFloor(sequence).build();
  }

  /** This request with an attested input watermark. */
  public CommitRequest withInputWatermarkMillis(@Nullable Long epochMillis) {
    return toBuilder().setInputWatermarkMillis(epochMillis).build();
  }

  /** This request with another answer to a rewind. */
  public CommitRequest withOnRewind(RewindPolicy policy) {
    return toBuilder().setOnRewind(policy).build();
  }

  /** This request with another lookback. */
  public CommitRequest withLookback(Lookback lookback) {
    return toBuilder().setLookback(lookback).build();
  }

  /**
   * This request with another limit of facts.
   *
   * @throws IllegalArgumentException unless it is 256 to 16,384
   */
  public CommitRequest withFactsLimitBytes(int bytes) {
    if (bytes < MIN_FACTS_BYTES || bytes > MAX_FACTS_BYTES) {
      throw new IllegalArgumentException(
          "Invalid facts limit: %d bytes (must be %d to %d)"
              .formatted(bytes, MIN_FACTS_BYTES, MAX_FACTS_BYTES));
    }
    return toBuilder().setFactsLimitBytes(bytes).build();
  }

  /** This request with or without sketches in the window. */
  public CommitRequest withKeepSketchInWindow(boolean keep) {
    return toBuilder().setKeepSketchInWindow(keep).build();
  }

  /**
   * This request with another granularity.
   *
   * @throws IllegalArgumentException unless it is positive
   */
  public CommitRequest withGranularityMillis(long millis) {
    if (millis < 1) {
      throw new IllegalArgumentException(
          "Invalid granularity: %d ms (must be >= 1)".formatted(millis));
    }
    return toBuilder().setGranularityMillis(millis).build();
  }

  /** This request with the event-time column and its zone, to be recorded. */
  public CommitRequest withEventTimeColumn(String path, @Nullable String zone) {
    return toBuilder().setEventTimeColumn(path).setEventTimeZone(zone).build();
  }

  /** This request with a merger of accumulator outputs. */
  public CommitRequest withAccumulatorEntries(AccumulatorEntries entries) {
    return toBuilder().setAccumulatorEntries(entries).build();
  }

  private static void checkContiguous(List<WriterResult> results) {
    for (int i = 1; i < results.size(); i++) {
      long expected = results.get(i - 1).sequence() + 1;
      if (results.get(i).sequence() != expected) {
        throw new IllegalArgumentException(
            "Invalid sequence: %d after %d (must be %d)"
                .formatted(results.get(i).sequence(), expected - 1, expected));
      }
    }
    long files = results.stream().mapToLong(result -> result.files().size()).sum();
    long paths =
        results.stream()
            .flatMap(result -> result.files().stream())
            .map(file -> file.location())
            .distinct()
            .count();
    if (paths < files) {
      throw new IllegalArgumentException(
          "Invalid results: %d files occur twice (each file must belong to one result)"
              .formatted(files - paths));
    }
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTable(TableIdentifier table);

    abstract Builder setBranch(String branch);

    abstract Builder setWriterId(String writerId);

    abstract Builder setResults(ImmutableList<WriterResult> results);

    abstract Builder setReplayFloor(long sequence);

    abstract Builder setInputWatermarkMillis(@Nullable Long epochMillis);

    abstract Builder setOnRewind(RewindPolicy policy);

    abstract Builder setLookback(Lookback lookback);

    abstract Builder setFactsLimitBytes(int bytes);

    abstract Builder setKeepSketchInWindow(boolean keep);

    abstract Builder setGranularityMillis(long millis);

    abstract Builder setEventTimeColumn(@Nullable String path);

    abstract Builder setEventTimeZone(@Nullable String zone);

    abstract Builder setAccumulatorEntries(@Nullable AccumulatorEntries entries);

    abstract CommitRequest build();
  }
}
