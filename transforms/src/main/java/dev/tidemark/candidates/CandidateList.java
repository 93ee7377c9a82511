package dev.tidemark.candidates;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The candidates of one key during a batch: reads them, changes them in memory, writes what
 * changed. Few are kept in the head record, many as linked nodes. One instance serves all keys.
 */
final class CandidateList {
  private final ListContext context;
  private final InlineList inline;
  private final Head head = new Head();
  private final int high;
  private final int low;
  private final long ttlMillis;
  private final MaterializerStatistics statistics;

  private ShardRecords records;
  private ShardAttributes attributes;
  private long nowMillis;

  private byte[] key = {};
  private byte @Nullable [] stored;
  private @Nullable NodeList nodes;
  private int storedSize;
  private boolean changed;

  CandidateList(UpsertSemantics semantics, ListContext context, MaterializerStatistics statistics) {
    this.context = context;
    this.inline = new InlineList(context.matching);
    this.high = semantics.high();
    this.low = semantics.low();
    this.ttlMillis = semantics.ttlMillis();
    this.statistics = statistics;
  }

  /** Begins a batch. */
  void begin(ShardRecords batch, ShardAttributes batchAttributes, long batchNowMillis) {
    records = batch;
    attributes = batchAttributes;
    nowMillis = batchNowMillis;
  }

  /** Ends a batch. */
  void end() {
    inline.release();
    nodes = null;
    stored = null;
  }

  /** Reads a linked list from its head, without going to its key. */
  NodeList readLinked(byte[] record) {
    head.read(context.reader, record);
    return NodeList.read(records, context);
  }

  /**
   * Goes to a key.
   *
   * @param record its head; null if it has none
   * @param linked the list if the head says that it is linked
   */
  void open(byte[] headKey, byte @Nullable [] record, @Nullable NodeList linked) {
    key = headKey;
    stored = record;
    nodes = linked;
    changed = false;
    inline.clear();
    if (record == null) {
      head.setLinked(false);
      storedSize = 0;
      return;
    }
    head.read(context.reader, record);
    if (linked == null) {
      inline.read(context.reader);
    }
    storedSize = size();
    if (ttlMillis > 0 && head.expired(attributes.ttlEnabledAt(), ttlMillis, nowMillis)) {
      statistics.expiries++;
      clear();
    }
  }

  int size() {
    return nodes == null ? inline.size() : nodes.size();
  }

  /** Appends a candidate. */
  void append(Candidate candidate) {
    touch();
    if (nodes == null) {
      inline.append(candidate);
    } else {
      nodes.append(candidate);
    }
  }

  /** Puts a candidate in the place of the first that matches. */
  Match replace(Candidate candidate) {
    Match match = nodes == null ? inline.replace(candidate) : nodes.replace(candidate);
    if (match != Match.NONE) {
      touch();
    }
    return match;
  }

  /** Removes the first candidate that matches. */
  Match remove(Candidate candidate) {
    Match match = nodes == null ? inline.remove(candidate) : nodes.remove(candidate);
    if (match != Match.NONE) {
      touch();
    }
    return match;
  }

  /** Removes the oldest candidate. */
  void removeFirst() {
    touch();
    if (nodes == null) {
      inline.removeFirst();
    } else {
      nodes.removeFirst();
    }
  }

  /**
   * After a removal at the end, the candidate that is last now; after that of the only candidate,
   * this one. Valid until the next call of another method.
   */
  Candidate exposed() {
    return nodes == null ? inline.exposed() : nodes.exposed();
  }

  /**
   * Changes the layout where the length of the list asks for it. To be called after each change.
   */
  void settle() {
    if (nodes == null) {
      if (inline.size() >= high) {
        link();
      }
    } else if (nodes.size() <= low) {
      unlink();
    }
  }

  /** Writes what changed. */
  void write() {
    int size = size();
    int keysDelta = (size > 0 ? 1 : 0) - (storedSize > 0 ? 1 : 0);
    statistics.keysDelta += keysDelta;
    statistics.candidatesDelta += size - storedSize;
    attributes.count(keysDelta, size - storedSize);
    if (!changed) {
      return;
    }
    if (size == 0) {
      if (stored != null) {
        records.remove(key);
      }
      return;
    }
    if (nodes != null) {
      nodes.write();
    }
    head.write(context.writer);
    if (nodes == null) {
      inline.write(context.writer);
    } else {
      nodes.writeHead(context.writer);
    }
    byte[] record = context.writer.recordOr(stored);
    if (record != stored) {
      records.put(key, record);
    }
  }

  private void touch() {
    changed = true;
    head.touch(ttlMillis > 0, nowMillis);
  }

  private void clear() {
    changed = true;
    inline.clear();
    if (nodes != null) {
      // Has as many records as it likes; the next list of this key is another one.
      RemovedLists.add(records, attributes, nodes.list());
      nodes = null;
      head.setLinked(false);
    }
  }

  private void link() {
    NodeList target = NodeList.create(records, context, attributes.newList());
    for (int i = 0; i < inline.length(); i++) {
      target.append(inline.run(i));
    }
    inline.clear();
    nodes = target;
    head.setLinked(true);
    changed = true;
    statistics.migrations++;
  }

  private void unlink() {
    NodeList source = nodes;
    if (source.size() > 0) {
      source.moveTo(inline);
      statistics.migrations++;
    }
    source.removeAll();
    nodes = null;
    head.setLinked(false);
    changed = true;
  }
}
