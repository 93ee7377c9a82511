package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.Table;

/** What a {@link CommitHook} sees of a commit. */
public interface CommitContext {
  /**
   * The table as of the base this attempt asserts (before), or of the commit (after). Read-only.
   */
  Table table();

  /** Identifies the commit across attempts: writer and what it commits. */
  String commitId();

  /** The results that this attempt commits, or that the commit holds. */
  ImmutableList<WriterResult> results();

  /**
   * Merged accumulator entries of these results, without the prefix. Empty after a replayed commit.
   */
  ImmutableMap<String, String> accumulators();

  /**
   * Adds an entry to the snapshot's summary. Only before the commit.
   *
   * @throws IllegalArgumentException unless the key has a namespace of the caller's own ({@code
   *     name.space}; none of Tidemark's, Iceberg's or another engine's) and is set once
   */
  void putSummary(String key, String value);

  /**
   * The snapshot of the commit. Only after the commit.
   *
   * @throws IllegalStateException before it
   */
  long snapshotId();
}
