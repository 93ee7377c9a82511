package dev.tidemark.operator;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import java.time.Duration;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableProperties;

/** Whether snapshots are kept long enough for what needs them. */
final class RetentionChecks {
  /** Readers are told a snapshot id, and may need a while to come to it. */
  private static final Duration READERS = Duration.ofDays(1);

  private static final String CHECK = "snapshot-expiry";

  private RetentionChecks() {}

  static ImmutableList<Finding> of(Base base) {
    Lookback lookback = lookback(base);
    SnapshotRef ref = base.metadata().ref(base.keys().branch());
    Long own = ref == null ? null : ref.maxSnapshotAgeMs();
    Integer ownKept = ref == null ? null : ref.minSnapshotsToKeep();
    long age =
        own != null
            ? own
            : base.metadata()
                .propertyAsLong(
                    TableProperties.MAX_SNAPSHOT_AGE_MS,
                    TableProperties.MAX_SNAPSHOT_AGE_MS_DEFAULT);
    int kept =
        ownKept != null
            ? ownKept
            : base.metadata()
                .propertyAsInt(
                    TableProperties.MIN_SNAPSHOTS_TO_KEEP,
                    TableProperties.MIN_SNAPSHOTS_TO_KEEP_DEFAULT);
    String said =
        "Snapshots expire after %s (at least %d are kept)".formatted(Duration.ofMillis(age), kept);
    if (age < lookback.durationMillis() && kept < lookback.commits()) {
      return ImmutableList.of(
          Finding.warning(
              CHECK,
              said
                  + ", which is less than the policy's lookback of %d commits and %s"
                      .formatted(lookback.commits(), Duration.ofMillis(lookback.durationMillis())),
              "Raise %s. The watermark keeps its evidence in properties all the same; history, late data and reports lose theirs."
                  .formatted(TableProperties.MAX_SNAPSHOT_AGE_MS)));
    }
    if (age < READERS.toMillis()) {
      return ImmutableList.of(
          Finding.warning(
              CHECK,
              said + ": a reader that is late finds the snapshot gone that it was told to read",
              "Raise %s to a day or more, or tag what is read."
                  .formatted(TableProperties.MAX_SNAPSHOT_AGE_MS)));
    }
    return ImmutableList.of(Finding.ok(CHECK, said));
  }

  private static Lookback lookback(Base base) {
    String text = base.watermark().policy();
    try {
      FinalizationPolicy policy = text == null ? null : Policies.parse(text);
      return policy == null ? Lookback.standard() : policy.lookback();
    } catch (IllegalArgumentException e) {
      // A policy of the user's own; what others need is a fair measure.
      return Lookback.standard();
    }
  }
}
