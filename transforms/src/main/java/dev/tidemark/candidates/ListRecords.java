package dev.tidemark.candidates;

import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Those nodes and index entries of one list of linked nodes that a batch touches. They are read
 * once and written once.
 */
final class ListRecords {
  private static final int CAPACITY = 16;

  private final ShardRecords records;
  private final ListContext context;
  private final long list;

  /** Whether the list has records already. */
  private final boolean stored;

  private @Nullable Node[] nodes = new Node[CAPACITY];
  private int nodeCount;
  private @Nullable IndexEntry[] entries = new IndexEntry[CAPACITY];
  private int entryCount;

  ListRecords(ShardRecords records, ListContext context, long list, boolean stored) {
    this.records = records;
    this.context = context;
    this.list = list;
    this.stored = stored;
  }

  /** A node that must exist. */
  Node node(long number) {
    Node known = find(number);
    if (known == null) {
      byte[] record = stored ? records.get(RecordKeys.node(list, number)) : null;
      if (record == null) {
        throw corrupt("node " + number + " is missing");
      }
      known = Node.read(context.reader, record, number, context.matching.hasUpsertKey());
      add(known);
    }
    if (known.removed) {
      throw corrupt("node " + number + " is linked although it is gone");
    }
    return known;
  }

  Node newNode(long number) {
    Node node = new Node(number);
    node.changed = true;
    add(node);
    return node;
  }

  /** The entry for the match of a candidate, possibly without nodes. */
  IndexEntry entry(Candidate candidate) {
    IndexEntry entry = unread(candidate);
    if (!entry.read) {
      entry.read(context.reader, stored ? records.get(entry.key) : null);
    }
    return entry;
  }

  /** Adds what {@link #node} would read to a list of records to prefetch. */
  void planNode(long number, List<byte[]> prefetch) {
    if (number != Node.NONE && find(number) == null) {
      prefetch.add(RecordKeys.node(list, number));
    }
  }

  /** Adds what {@link #entry} would read to a list of records to prefetch. */
  void planEntry(Candidate candidate, List<byte[]> prefetch) {
    int before = entryCount;
    IndexEntry entry = unread(candidate);
    if (entryCount > before) {
      prefetch.add(entry.key);
    }
  }

  /** Writes what changed. */
  void write() {
    boolean hasUpsertKey = context.matching.hasUpsertKey();
    for (Node bucket : nodes) {
      for (Node node = bucket; node != null; node = node.bucket) {
        if (node.removed) {
          if (node.stored != null) {
            records.remove(RecordKeys.node(list, node.number));
          }
        } else if (node.changed) {
          byte[] record = node.record(context.writer, hasUpsertKey);
          if (record != node.stored) {
            records.put(RecordKeys.node(list, node.number), record);
          }
        }
      }
    }
    for (IndexEntry bucket : entries) {
      for (IndexEntry entry = bucket; entry != null; entry = entry.bucket) {
        if (entry.changed) {
          write(entry);
        }
      }
    }
  }

  private void write(IndexEntry entry) {
    if (entry.first == Node.NONE) {
      if (entry.stored != null) {
        records.remove(entry.key);
      }
      return;
    }
    byte[] record = entry.record(context.writer);
    if (record != entry.stored) {
      records.put(entry.key, record);
    }
  }

  /**
   * Removes the list, all nodes of which were read or removed in this batch. No other records can
   * be left, so that none has to be looked for.
   */
  void removeAll() {
    if (!stored) {
      return;
    }
    for (Node bucket : nodes) {
      for (Node node = bucket; node != null; node = node.bucket) {
        if (!node.removed && !context.matching.never(node, true)) {
          IndexEntry entry = unread(node);
          if (entry.read) {
            entry.first = Node.NONE;
            entry.changed = true;
          } else {
            records.remove(entry.key);
          }
        }
        node.removed = true;
      }
    }
    write();
  }

  CorruptStateException corrupt(String reason) {
    return RecordReader.corrupt("list " + list, reason);
  }

  private IndexEntry unread(Candidate candidate) {
    int from = context.matching.matchOffset(candidate, true);
    int to = context.matching.matchEnd(candidate, true);
    long hash = ByteHash.of(candidate.source, from, to - from);
    for (IndexEntry entry = entries[(int) hash & (entries.length - 1)];
        entry != null;
        entry = entry.bucket) {
      if (entry.hash == hash && entry.matches(candidate.source, from, to)) {
        return entry;
      }
    }
    byte[] key = context.keys.index(list, candidate.source, from, to - from);
    IndexEntry entry = new IndexEntry(key, candidate.source, from, to, hash);
    if (++entryCount > entries.length) {
      growEntries();
    }
    push(entry);
    return entry;
  }

  private @Nullable Node find(long number) {
    Node node = nodes[(int) ByteHash.mix(number) & (nodes.length - 1)];
    while (node != null && node.number != number) {
      node = node.bucket;
    }
    return node;
  }

  private void add(Node node) {
    if (++nodeCount > nodes.length) {
      growNodes();
    }
    push(node);
  }

  private void push(Node node) {
    int bucket = (int) ByteHash.mix(node.number) & (nodes.length - 1);
    node.bucket = nodes[bucket];
    nodes[bucket] = node;
  }

  private void push(IndexEntry entry) {
    int bucket = (int) entry.hash & (entries.length - 1);
    entry.bucket = entries[bucket];
    entries[bucket] = entry;
  }

  private void growNodes() {
    Node[] old = nodes;
    nodes = new Node[2 * old.length];
    for (Node bucket : old) {
      for (Node node = bucket; node != null; ) {
        Node next = node.bucket;
        push(node);
        node = next;
      }
    }
  }

  private void growEntries() {
    IndexEntry[] old = entries;
    entries = new IndexEntry[2 * old.length];
    for (IndexEntry bucket : old) {
      for (IndexEntry entry = bucket; entry != null; ) {
        IndexEntry next = entry.bucket;
        push(entry);
        entry = next;
      }
    }
  }
}
