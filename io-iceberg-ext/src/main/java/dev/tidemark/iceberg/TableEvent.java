package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.finalization.Attestation;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the commit stage reports of a table: commits, a sign of life, or a failure. */
@AutoValue
abstract class TableEvent {
  abstract String table();

  abstract @Nullable TableCommit commit();

  abstract @Nullable Attestation attestation();

  abstract @Nullable BadRecord failure();

  /** Counters that the commit could not raise itself, since it runs beside the task's thread. */
  abstract Tallies tallies();

  static TableEvent commit(TableCommit commit, @Nullable Attestation attestation) {
    return new AutoValue_TableEvent(commit.table(), commit, attestation, null, Tallies.NONE);
  }

  static TableEvent heartbeat(String table, Attestation attestation) {
    return new AutoValue_TableEvent(table, null, attestation, null, Tallies.NONE);
  }

  static TableEvent failure(String table, BadRecord failure, Tallies tallies) {
    return new AutoValue_TableEvent(table, null, null, failure, tallies);
  }

  static TableEvent tallies(String table, Tallies tallies) {
    return new AutoValue_TableEvent(table, null, null, null, tallies);
  }
}
