package dev.tidemark.candidates;

import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The candidates of a key that has many: linked nodes, found by an index of their matches. A change
 * touches a few records, however long the list is.
 */
final class NodeList {
  private final ListRecords records;
  private final Matching matching;
  private final long list;
  private long first = Node.NONE;
  private long last = Node.NONE;

  /** The highest number ever given to a node. It never falls, so that no number is used twice. */
  private long high = Node.NONE;

  private int size;
  private Candidate exposed = new Candidate();

  private NodeList(ShardRecords records, ListContext context, long list, boolean stored) {
    this.records = new ListRecords(records, context, list, stored);
    this.matching = context.matching;
    this.list = list;
  }

  /** An empty list. */
  static NodeList create(ShardRecords records, ListContext context, long list) {
    return new NodeList(records, context, list, false);
  }

  /** Reads what {@link #writeHead} wrote. */
  static NodeList read(ShardRecords records, ListContext context) {
    RecordReader reader = context.reader;
    NodeList nodes = new NodeList(records, context, reader.nextVarint(), true);
    nodes.first = reader.nextVarint();
    nodes.last = reader.nextVarint();
    nodes.high = reader.nextVarint();
    nodes.size = reader.nextCount();
    reader.check(nodes.first <= nodes.last && nodes.last <= nodes.high, "its ends are crossed");
    reader.checkEnd();
    return nodes;
  }

  void writeHead(RecordWriter writer) {
    writer.writeVarint(list);
    writer.writeVarint(first);
    writer.writeVarint(last);
    writer.writeVarint(high);
    writer.writeVarint(size);
  }

  /** Writes the nodes and index entries that changed. */
  void write() {
    records.write();
  }

  /** Removes all records but the head of a list that is empty, or was moved to another. */
  void removeAll() {
    records.removeAll();
  }

  long list() {
    return list;
  }

  int size() {
    return size;
  }

  void append(Candidate candidate) {
    Node before = size == 0 ? null : records.node(last);
    if (size > Integer.MAX_VALUE - candidate.count) {
      throw records.corrupt("it counts too many candidates");
    }
    if (before != null && !matching.hasUpsertKey() && before.payloadEquals(candidate)) {
      checkLink(before.count <= size);
      before.add(candidate.count);
      before.changed = true;
      size += candidate.count;
      return;
    }
    if (high == Long.MAX_VALUE) {
      throw records.corrupt("its numbers are used up");
    }
    Node node = records.newNode(++high);
    node.set(candidate);
    if (before == null) {
      first = high;
    } else {
      checkLink(before.next == Node.NONE);
      before.next = high;
      before.changed = true;
      node.previous = last;
    }
    last = high;
    size += candidate.count;
    if (!matching.never(node, true)) {
      index(node);
    }
  }

  Match replace(Candidate candidate) {
    Node node = find(candidate);
    if (node == null) {
      return Match.NONE;
    }
    node.set(candidate);
    node.changed = true;
    return node.number != last ? Match.OLDER : first == last ? Match.ONLY : Match.LAST;
  }

  /** What comes up is then {@link #exposed}. */
  Match remove(Candidate candidate) {
    Node node = find(candidate);
    return node == null ? Match.NONE : remove(node);
  }

  void removeFirst() {
    remove(records.node(first));
  }

  /** The new last candidate; where there is none, the one that was removed. */
  Candidate exposed() {
    return exposed;
  }

  /** Appends all candidates to another list. */
  void moveTo(InlineList target) {
    int expected = size;
    for (long number = first; number != Node.NONE; ) {
      Node node = records.node(number);
      checkLink(node.count <= expected && (node.next == Node.NONE) == (number == last));
      expected -= node.count;
      target.append(node);
      number = node.next;
    }
    checkLink(expected == 0);
  }

  /** Plans the reads that depend on nothing but the changes. */
  void planEntries(ChangeGroups groups, int group, Candidate probe, List<byte[]> prefetch) {
    records.planNode(last, prefetch);
    for (int change = groups.first(group); change >= 0; change = groups.next(change)) {
      probe.set(groups.changes(), change, matching.hasUpsertKey());
      if (!matching.never(probe, true)) {
        records.planEntry(probe, prefetch);
      }
    }
  }

  /** Plans the reads of the nodes that the changes name. */
  void planNodes(ChangeGroups groups, int group, Candidate probe, List<byte[]> prefetch) {
    for (int change = groups.first(group); change >= 0; change = groups.next(change)) {
      IndexEntry entry = entryOf(groups, change, probe);
      if (entry != null && entry.first != Node.NONE) {
        boolean append = !matching.hasUpsertKey() && groups.changes().kind(change).adds();
        records.planNode(append ? entry.last : entry.first, prefetch);
      }
    }
  }

  /** Plans the reads of the neighbours of nodes that may go. */
  void planNeighbours(ChangeGroups groups, int group, Candidate probe, List<byte[]> prefetch) {
    boolean retractions = false;
    for (int change = groups.first(group); change >= 0; change = groups.next(change)) {
      if (!groups.changes().kind(change).adds()) {
        retractions = true;
        IndexEntry entry = entryOf(groups, change, probe);
        if (entry != null && entry.first != Node.NONE) {
          Node node = records.node(entry.first);
          records.planNode(node.previous, prefetch);
          records.planNode(node.next, prefetch);
        }
      }
    }
    if (retractions) {
      records.planNode(records.node(last).previous, prefetch);
    }
  }

  private @Nullable IndexEntry entryOf(ChangeGroups groups, int change, Candidate probe) {
    probe.set(groups.changes(), change, matching.hasUpsertKey());
    return matching.never(probe, true) ? null : records.entry(probe);
  }

  private @Nullable Node find(Candidate candidate) {
    if (matching.never(candidate, true)) {
      return null;
    }
    long number = records.entry(candidate).first;
    if (number == Node.NONE) {
      return null;
    }
    Node node = records.node(number);
    if (!matching.equal(node, candidate, true)) {
      throw records.corrupt("the index leads to node " + number + ", which does not match");
    }
    return node;
  }

  private void index(Node node) {
    IndexEntry entry = records.entry(node);
    if (entry.first == Node.NONE) {
      entry.first = node.number;
    } else {
      Node before = records.node(entry.last);
      checkLink(before.same == Node.NONE && before.number < node.number);
      before.same = node.number;
      before.changed = true;
    }
    entry.last = node.number;
    entry.changed = true;
  }

  /** Removes one candidate of the first node with its match. */
  private Match remove(Node node) {
    checkLink((node.previous == Node.NONE) == (node.number == first));
    checkLink((node.next == Node.NONE) == (node.number == last));
    size--;
    checkLink(size > 0 || (first == last && node.count == 1));
    if (node.count > 1) {
      node.add(-1);
      node.changed = true;
      return Match.OLDER;
    }
    if (!matching.never(node, true)) {
      unindex(node);
    }
    node.removed = true;
    exposed = node;
    Match match = size == 0 ? Match.ONLY : node.number == last ? Match.LAST : Match.OLDER;
    unlink(node);
    return match;
  }

  private void unindex(Node node) {
    IndexEntry entry = records.entry(node);
    checkLink(entry.first == node.number);
    checkLink((node.same == Node.NONE) == (entry.last == node.number));
    entry.first = node.same;
    entry.last = node.same == Node.NONE ? Node.NONE : entry.last;
    entry.changed = true;
  }

  private void unlink(Node node) {
    if (node.previous == Node.NONE) {
      first = node.next;
    } else {
      Node previous = records.node(node.previous);
      checkLink(previous.next == node.number);
      previous.next = node.next;
      previous.changed = true;
      exposed = previous;
    }
    if (node.next == Node.NONE) {
      last = node.previous;
    } else {
      Node next = records.node(node.next);
      checkLink(next.previous == node.number);
      next.previous = node.previous;
      next.changed = true;
    }
  }

  private void checkLink(boolean condition) {
    if (!condition) {
      throw records.corrupt("its links contradict one another");
    }
  }
}
