package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.iceberg.EnvironmentContext;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What hooks see of one attempt, or of one landed commit. */
final class HookContext implements CommitContext {
  private static final Pattern KEY =
      Pattern.compile("[A-Za-z0-9_-]{1,64}(\\.[A-Za-z0-9_-]{1,64}){1,7}");
  private static final int MAX_VALUE_CHARS = 4_000;

  // Iceberg's own keys have no dot but for these; engines look for theirs to tell what they
  // committed.
  private static final ImmutableSet<String> TAKEN =
      ImmutableSet.of(
          "tidemark",
          "iceberg",
          "partitions",
          "snapshot-property",
          "wap",
          "spark",
          "flink",
          "kafka",
          "hive",
          "trino");

  private final Table table;
  private final String commitId;
  private final ImmutableList<WriterResult> results;
  private final ImmutableMap<String, String> accumulators;
  private final @Nullable Long snapshotId;
  private final Map<String, String> summary = new LinkedHashMap<>();

  HookContext(
      Table table,
      String commitId,
      ImmutableList<WriterResult> results,
      ImmutableMap<String, String> accumulators,
      @Nullable Long snapshotId) {
    this.table = table;
    this.commitId = commitId;
    this.results = results;
    this.accumulators = accumulators;
    this.snapshotId = snapshotId;
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public String commitId() {
    return commitId;
  }

  @Override
  public ImmutableList<WriterResult> results() {
    return results;
  }

  @Override
  public ImmutableMap<String, String> accumulators() {
    return accumulators;
  }

  @Override
  public void putSummary(String key, String value) {
    if (snapshotId != null) {
      throw new IllegalStateException(
          "Cannot add summary entry %s: the commit is made".formatted(key));
    }
    if (!KEY.matcher(key).matches()
        || TAKEN.contains(key.substring(0, key.indexOf('.')))
        || EnvironmentContext.get().containsKey(key)) {
      throw new IllegalArgumentException(
          "Invalid summary key: %s (must be <namespace>.<name> with a namespace other than %s)"
              .formatted(key, TAKEN));
    }
    if (value.length() > MAX_VALUE_CHARS) {
      throw new IllegalArgumentException(
          "Invalid value of summary key %s: %d characters (must be <= %d)"
              .formatted(key, value.length(), MAX_VALUE_CHARS));
    }
    if (summary.putIfAbsent(key, value) != null) {
      throw new IllegalArgumentException(
          "Invalid summary key: %s (must be set once)".formatted(key));
    }
  }

  @Override
  public long snapshotId() {
    if (snapshotId == null) {
      throw new IllegalStateException("Cannot name the snapshot: the commit is not made yet");
    }
    return snapshotId;
  }

  ImmutableMap<String, String> summary() {
    return ImmutableMap.copyOf(summary);
  }
}
