package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Applies changes to the candidates of their keys. Belongs to one thread; keeps nothing between
 * batches but {@link #statistics()} and {@link #isSweepDue()}.
 *
 * <p>Per key there is a list of candidates in order of arrival, the last of which is the row of the
 * key:
 *
 * <ul>
 *   <li>an addition takes the place of the candidate with the same identity if there is an upsert
 *       key, else it is appended; it is emitted, as {@code INSERT} if the list was empty and as
 *       {@code UPDATE_AFTER} otherwise, even where the place is not the last;
 *   <li>a retraction removes the first candidate that matches: the only one is emitted as {@code
 *       DELETE}; the last of several brings up the one before, emitted as {@code UPDATE_AFTER}; an
 *       older one goes silently. Without a match nothing happens.
 * </ul>
 */
public final class UpsertMaterializer {
  private final UpsertSemantics semantics;
  private final MaterializerStatistics statistics = new MaterializerStatistics();
  private final boolean hasUpsertKey;
  private final int softBound;
  private final int hardBound;
  private final byte[] description;
  private final ListContext context;
  private final ChangeGroups groups = new ChangeGroups();
  private final CandidateList list;
  private final Candidate incoming = new Candidate();
  private boolean sweepDue;

  private UpsertMaterializer(UpsertSemantics semantics) {
    this.semantics = semantics;
    this.hasUpsertKey = semantics.hasUpsertKey();
    this.softBound = semantics.softBound();
    this.hardBound = semantics.hardBound();
    this.description = semantics.description().getBytes(UTF_8);
    this.context = new ListContext(Matching.of(semantics));
    this.list = new CandidateList(semantics, context, statistics);
  }

  /** A materializer. */
  public static UpsertMaterializer of(UpsertSemantics semantics) {
    return new UpsertMaterializer(semantics);
  }

  /**
   * Applies a batch. Does not commit it.
   *
   * @param nowMillis the time for the time to live
   * @throws IllegalArgumentException if an identity has not the form that the semantics say
   * @throws CorruptStateException if a record cannot be read, or belongs to another description
   * @throws IllegalStateException at the hard bound under {@code FAIL}
   */
  public Emissions process(ShardRecords records, KeyedChanges changes, long nowMillis) {
    Emissions emissions = new Emissions(changes.size());
    if (changes.size() == 0) {
      return emissions;
    }
    groups.group(changes);
    byte[][] keys = headKeys();
    records.prefetch(Arrays.asList(keys));
    ShardAttributes attributes = attributes(records, nowMillis);
    list.begin(records, attributes, nowMillis);
    List<Linked> linked = new ArrayList<>();
    for (int group = 0; group < groups.size(); group++) {
      byte[] head = records.get(keys[group]);
      if (head != null && Head.isLinked(head)) {
        linked.add(new Linked(group, list.readLinked(head)));
      } else {
        fold(group, keys[group], head, null, emissions);
      }
    }
    if (!linked.isEmpty()) {
      prefetch(records, linked);
      for (Linked key : linked) {
        byte[] head = records.get(keys[key.group()]);
        fold(key.group(), keys[key.group()], head, key.nodes(), emissions);
      }
    }
    attributes.write();
    sweepDue = attributes.removedLists();
    list.end();
    groups.clear();
    return emissions;
  }

  /**
   * Removes expired keys, and the candidates of long lists that expired, going on where the last
   * sweep of this shard ended.
   *
   * @param maxBytes end with the first record by which so many bytes were read
   * @return whether the sweep reached the end of the shard and will begin anew
   */
  public boolean sweep(ShardRecords records, long nowMillis, int maxBytes) {
    ShardAttributes attributes = attributes(records, nowMillis);
    if (!attributes.exist()) {
      return true;
    }
    boolean complete = true;
    long left = maxBytes - collect(records, attributes, maxBytes);
    if (semantics.ttlMillis() > 0) {
      ExpirySweep sweep =
          new ExpirySweep(records, context, attributes, semantics.ttlMillis(), nowMillis, left);
      complete = left > 0 && sweep.run(statistics);
      collect(records, attributes, left - sweep.bytes());
    }
    attributes.write();
    sweepDue = attributes.removedLists();
    return complete && !sweepDue;
  }

  private long collect(ShardRecords records, ShardAttributes attributes, long maxBytes) {
    return attributes.removedLists() && maxBytes > 0
        ? new RemovedLists(records, context, attributes).collect(maxBytes)
        : 0;
  }

  /**
   * Whether the shard that was processed or swept last has anything that a sweep could remove, now
   * or later.
   */
  public boolean isSweepDue() {
    return sweepDue || semantics.ttlMillis() > 0;
  }

  /** What this materializer did so far. */
  public MaterializerStatistics statistics() {
    return statistics;
  }

  private ShardAttributes attributes(ShardRecords records, long nowMillis) {
    ShardAttributes attributes = ShardAttributes.read(records, context, description);
    attributes.setTtl(semantics.ttlMillis() > 0, nowMillis);
    return attributes;
  }

  /** The keys of the heads by group, then those of the attributes. */
  private byte[][] headKeys() {
    KeyedChanges changes = groups.changes();
    byte[][] keys = new byte[groups.size() + 2][];
    for (int group = 0; group < groups.size(); group++) {
      int change = groups.first(group);
      keys[group] =
          RecordKeys.head(changes.data(), changes.keyOffset(change), changes.keyLength(change));
    }
    keys[groups.size()] = RecordKeys.attributes();
    keys[groups.size() + 1] = RecordKeys.counts();
    return keys;
  }

  /** Reads what the changes of all linked lists need, in a few requests for all of them. */
  private void prefetch(ShardRecords records, List<Linked> linked) {
    List<byte[]> prefetch = new ArrayList<>();
    for (Linked key : linked) {
      key.nodes().planEntries(groups, key.group(), incoming, prefetch);
    }
    records.prefetch(prefetch);
    prefetch = new ArrayList<>();
    for (Linked key : linked) {
      key.nodes().planNodes(groups, key.group(), incoming, prefetch);
    }
    records.prefetch(prefetch);
    prefetch = new ArrayList<>();
    for (Linked key : linked) {
      key.nodes().planNeighbours(groups, key.group(), incoming, prefetch);
    }
    records.prefetch(prefetch);
  }

  private void fold(
      int group,
      byte[] key,
      byte @Nullable [] head,
      @Nullable NodeList nodes,
      Emissions emissions) {
    KeyedChanges changes = groups.changes();
    list.open(key, head, nodes);
    for (int change = groups.first(group); change >= 0; change = groups.next(change)) {
      incoming.set(changes, change, hasUpsertKey);
      context.matching.check(incoming);
      if (changes.kind(change).adds()) {
        add(group, change, emissions);
      } else {
        retract(change, changes.complete(change), emissions);
      }
      list.settle();
    }
    list.write();
  }

  private void add(int group, int change, Emissions emissions) {
    statistics.additions++;
    int before = list.size();
    Match match = before > 0 && hasUpsertKey ? list.replace(incoming) : Match.NONE;
    if (match == Match.NONE) {
      append(group, before);
    } else if (match == Match.OLDER) {
      statistics.olderSlotReplacements++;
    }
    emissions.incoming(change, before == 0 ? ChangeKind.INSERT : ChangeKind.UPDATE_AFTER);
    int size = list.size();
    if (size > statistics.longestList) {
      statistics.longestList = size;
    }
    if (softBound > 0 && size > softBound) {
      statistics.beyondSoftBound++;
    }
  }

  private void append(int group, int before) {
    if (hardBound > 0 && before >= hardBound && semantics.atHardBound() == HardBound.FAIL) {
      throw new IllegalStateException(
          String.format(
              "Cannot add candidate to key with hash %016x: it has %s candidates, and the hard"
                  + " bound is %s. Find out why retractions of this key do not come or do not"
                  + " match, or raise the bound, or drop the oldest candidates.",
              groups.hash(group), before, hardBound));
    }
    list.append(incoming);
    while (hardBound > 0 && list.size() > hardBound) {
      list.removeFirst();
      statistics.dropped++;
    }
  }

  private void retract(int change, boolean complete, Emissions emissions) {
    statistics.retractions++;
    boolean known = list.size() > 0;
    switch (known ? list.remove(incoming) : Match.NONE) {
      case NONE:
        emissions.unmatched(change);
        if (known) {
          statistics.unmatchedKeyKnown++;
        } else {
          statistics.unmatchedKeyAbsent++;
        }
        break;
      case OLDER:
        statistics.silent++;
        break;
      case LAST:
        statistics.rollbacks++;
        emissions.retained(change, ChangeKind.UPDATE_AFTER, list.exposed().payload());
        break;
      case ONLY:
        if (complete) {
          emissions.incoming(change, ChangeKind.DELETE);
        } else {
          emissions.retained(change, ChangeKind.DELETE, list.exposed().payload());
        }
        break;
    }
  }

  /** A key of the batch whose candidates are linked nodes. */
  private record Linked(int group, NodeList nodes) {}
}
