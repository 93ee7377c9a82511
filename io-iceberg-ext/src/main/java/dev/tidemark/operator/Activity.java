package dev.tidemark.operator;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * When each writer was last heard of: by a commit that the branch holds, its facts, or an
 * attestation.
 *
 * @param lastMillis by writer; those that were never heard of are not in it
 */
record Activity(ImmutableSortedMap<String, Long> lastMillis) {
  static Activity of(Base base) {
    Map<String, Long> last = new TreeMap<>();
    for (Snapshot snapshot : base.evidence().snapshots()) {
      String writer = base.evidence().writer(snapshot);
      if (writer != null) {
        last.merge(writer, snapshot.timestampMillis(), Math::max);
      }
    }
    for (String writer : base.evidence().writers()) {
      Long evidence = evidence(base, writer);
      if (evidence != null) {
        last.merge(writer, evidence, Math::max);
      }
    }
    return new Activity(ImmutableSortedMap.copyOf(last));
  }

  /** Which writer was heard of at this time or later, and when; null if none was. */
  @Nullable String newestSince(long epochMillis) {
    String newest = null;
    long newestMillis = Long.MIN_VALUE;
    for (Map.Entry<String, Long> entry : lastMillis.entrySet()) {
      if (entry.getValue() >= Math.max(epochMillis, newestMillis)) {
        newest = entry.getKey();
        newestMillis = entry.getValue();
      }
    }
    return newest == null
        ? null
        : "writer %s wrote at %s".formatted(newest, Instant.ofEpochMilli(newestMillis));
  }

  private static @Nullable Long evidence(Base base, String writer) {
    Long last = null;
    try {
      WriterWindow window = base.evidence().window(writer);
      CommitFacts newest = window == null ? null : window.newest();
      last = newest == null ? null : newest.committedAtMillis();
      Attestation attestation = base.evidence().attestation(writer);
      if (attestation != null && (last == null || attestation.atMillis() > last)) {
        last = attestation.atMillis();
      }
    } catch (IllegalArgumentException e) {
      // What cannot be read tells nothing; the snapshots may.
      return last;
    }
    return last;
  }
}
