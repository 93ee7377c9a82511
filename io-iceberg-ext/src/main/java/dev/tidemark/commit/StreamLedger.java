package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.commit.CommittedRecord.Anchor;
import dev.tidemark.commit.CommittedRecord.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The ledger of a stream: results are numbered without gaps, so that every loss, doubling and
 * rewind shows.
 *
 * <p>The record in the table's properties says what was committed; the ancestry of the head says
 * what of it is still held. Where properties could not be written, the newest summary of the writer
 * takes the record's place.
 */
final class StreamLedger implements Ledger {
  /** Stands for the snapshot that carries a record in its own summary. */
  static final Landing SELF = new Landing(-1, 0);

  private final CommitRequest request;
  private final TidemarkKeys keys;

  StreamLedger(CommitRequest request, TidemarkKeys keys) {
    this.request = request;
    this.keys = keys;
  }

  @Override
  public PropertyChunks chunks() {
    return CommittedRecord.chunks(keys, request.writerId());
  }

  @Override
  public String committedText(Iterable<WriterResult> results) {
    return SequenceRanges.toText(SequenceRanges.of(results));
  }

  @Override
  public CommitPlan plan(TableMetadata base, Lineage lineage, FileIO io) {
    ImmutableList<WriterResult> refused = ofOtherTables(request, base);
    List<WriterResult> results =
        request.results().stream().filter(result -> !refused.contains(result)).toList();
    Held held = held(base, lineage);
    ImmutableListMultimap.Builder<Landing, WriterResult> done = ImmutableListMultimap.builder();
    ImmutableList.Builder<WriterResult> missing = ImmutableList.builder();
    List<WriterResult> rewound = new ArrayList<>();
    for (WriterResult result : results) {
      Entry entry = held.record.entries().get(result.sequence());
      if (entry != null && entry.digest() == result.digest()) {
        done.put(entry.landing(), result);
      } else if (entry == null
          && (held.lost.containsKey(result.sequence())
              || result.sequence() > held.record.through())) {
        missing.add(result);
      } else {
        Landing landing = entry == null ? landingByFiles(base, lineage, io, result) : null;
        if (landing != null) {
          done.put(landing, result);
        } else {
          rewound.add(result);
        }
      }
    }
    boolean gap = hasGap(held, results);
    if (request.onRewind() != RewindPolicy.ACCEPT) {
      if (!rewound.isEmpty()) {
        throw new RewindMessages(request, base, lineage, keys).rewound(held.record, rewound.get(0));
      }
      if (gap) {
        throw new RewindMessages(request, base, lineage, keys)
            .missing(held.contiguous(), !held.lost.isEmpty() || held.rolledBack);
      }
    }
    // Holes stay on record, so that they are missed until they are filled.
    CommittedRecord record = gap ? held.record : held.record.with(held.holes());
    ImmutableList<WriterResult> toCommit = missing.build();
    if (!rewound.isEmpty() || gap) {
      toCommit = merged(toCommit, rewound);
      record = rewound.isEmpty() ? record : cutBelow(record, rewound.get(0).sequence());
    }
    return new CommitPlan(
        toCommit,
        done.build(),
        refused,
        ImmutableList.of(),
        !rewound.isEmpty() || gap,
        recorder(record, toCommit));
  }

  /**
   * Results written for another table of this name; there are none unless such are to be left out.
   */
  static ImmutableList<WriterResult> ofOtherTables(CommitRequest request, TableMetadata base) {
    ImmutableList<WriterResult> others =
        request.results().stream()
            .filter(result -> !result.tableUuid().equals(base.uuid()))
            .collect(ImmutableList.toImmutableList());
    if (!others.isEmpty() && request.onRewind() != RewindPolicy.ACCEPT) {
      throw RewindMessages.recreated(request, base, others.get(0));
    }
    return others;
  }

  private CommitPlan.Recorder recorder(CommittedRecord held, List<WriterResult> committed) {
    return (landing, nowMillis) -> {
      Map<Long, Entry> added = new TreeMap<>();
      committed.forEach(
          result -> added.put(result.sequence(), new Entry(result.digest(), landing)));
      long floor = Math.min(request.replayFloor(), committed.get(0).sequence());
      return held.trim(floor).with(added).toText();
    };
  }

  private static boolean hasGap(Held held, List<WriterResult> results) {
    if (results.isEmpty()) {
      return false;
    }
    long first = results.get(0).sequence();
    if (first > held.record.through() + 1 || held.unknown) {
      return true;
    }
    return !held.holes().headMap(first).isEmpty();
  }

  private static ImmutableList<WriterResult> merged(
      List<WriterResult> some, List<WriterResult> more) {
    TreeMap<Long, WriterResult> bySequence = new TreeMap<>();
    some.forEach(result -> bySequence.put(result.sequence(), result));
    more.forEach(result -> bySequence.put(result.sequence(), result));
    return ImmutableList.copyOf(bySequence.values());
  }

  /** Forgets what an accepted rewind takes the place of, so that the next results follow on it. */
  private static CommittedRecord cutBelow(CommittedRecord record, long sequence) {
    Anchor anchor = record.anchor();
    return new CommittedRecord(
        record.tableUuid(),
        anchor != null && anchor.sequence() < sequence ? anchor : null,
        record.entries().headMap(sequence));
  }

  /** What the head holds of the writer. */
  private Held held(TableMetadata base, Lineage lineage) {
    CommittedRecord stored = stored(base);
    Snapshot newest =
        lineage.newest(
            summary ->
                request.writerId().equals(summary.get(keys.writer()))
                    && SequenceRanges.last(summary.getOrDefault(keys.committed(), "")) > 0);
    long newestLast = newest == null ? 0 : SequenceRanges.last(committed(newest));
    if (newest != null && (stored == null || newestLast > stored.through())) {
      return new Held(fromSummary(base, newest), ImmutableSortedMap.of(), false, false);
    }
    if (stored == null) {
      return new Held(CommittedRecord.empty(base.uuid()), ImmutableSortedMap.of(), false, false);
    }
    Map<Landing, Boolean> memo = new HashMap<>();
    TreeMap<Long, Entry> kept = new TreeMap<>();
    TreeMap<Long, Entry> lost = new TreeMap<>();
    stored
        .entries()
        .forEach(
            (sequence, entry) ->
                (memo.computeIfAbsent(entry.landing(), lineage::holds) ? kept : lost)
                    .put(sequence, entry));
    Anchor anchor = stored.anchor();
    boolean anchorLost = anchor != null && !lineage.holds(anchor.landing());
    boolean unknown = false;
    if (anchorLost) {
      unknown = !kept.isEmpty() || (newest == null && lineage.isCut());
      anchor =
          newest == null || !kept.isEmpty()
              ? null
              : new Anchor(newestLast, Lineage.landing(newest));
    }
    CommittedRecord record =
        new CommittedRecord(stored.tableUuid(), anchor, ImmutableSortedMap.copyOfSorted(kept));
    return new Held(record, ImmutableSortedMap.copyOfSorted(lost), anchorLost, unknown);
  }

  private @Nullable CommittedRecord stored(TableMetadata base) {
    try {
      String text = chunks().read(base.properties());
      CommittedRecord record = text == null ? null : CommittedRecord.fromText(text);
      // A clone's properties speak of the table they were copied from.
      return record == null || !record.tableUuid().equals(base.uuid()) ? null : record;
    } catch (IllegalArgumentException e) {
      throw RewindMessages.unreadable(request, e);
    }
  }

  private CommittedRecord fromSummary(TableMetadata base, Snapshot snapshot) {
    Landing landing = Lineage.landing(snapshot);
    String text = Lineage.summary(snapshot).get(keys.committedRecord());
    if (text == null) {
      Anchor anchor = new Anchor(SequenceRanges.last(committed(snapshot)), landing);
      return new CommittedRecord(base.uuid(), anchor, ImmutableSortedMap.of());
    }
    try {
      CommittedRecord record = CommittedRecord.fromText(text);
      Map<Long, Entry> own = new TreeMap<>();
      record
          .entries()
          .forEach(
              (sequence, entry) -> {
                if (entry.landing().equals(SELF)) {
                  own.put(sequence, new Entry(entry.digest(), landing));
                }
              });
      return record.with(own);
    } catch (IllegalArgumentException e) {
      throw RewindMessages.unreadable(request, e);
    }
  }

  private String committed(Snapshot snapshot) {
    return Lineage.summary(snapshot).getOrDefault(keys.committed(), "");
  }

  /** Where no digest is known, files that a snapshot of the writer added are proof as well. */
  private @Nullable Landing landingByFiles(
      TableMetadata base, Lineage lineage, FileIO io, WriterResult result) {
    for (Snapshot snapshot : lineage.all()) {
      Map<String, String> summary = Lineage.summary(snapshot);
      if (request.writerId().equals(summary.get(keys.writer()))
          && SequenceRanges.contains(committed(snapshot), result.sequence())) {
        boolean added =
            AddedFiles.paths(base, snapshot, io)
                .containsAll(result.files().stream().map(file -> file.location()).toList());
        return added ? Lineage.landing(snapshot) : null;
      }
    }
    return null;
  }

  /**
   * What the head holds, and what it lost.
   *
   * @param record held results
   * @param lost results that were committed and are not in the head's ancestry
   * @param rolledBack whether results whose digests are forgotten were lost as well
   * @param unknown whether it cannot be told up to where results are held
   */
  private record Held(
      CommittedRecord record,
      ImmutableSortedMap<Long, Entry> lost,
      boolean rolledBack,
      boolean unknown) {

    /**
     * Lost results that later ones are held of: a part of the history was picked onto the branch.
     */
    ImmutableSortedMap<Long, Entry> holes() {
      return lost.headMap(record.through());
    }

    /** Up to where results are held without a hole. */
    long contiguous() {
      return holes().isEmpty() ? record.through() : holes().firstKey() - 1;
    }
  }
}
