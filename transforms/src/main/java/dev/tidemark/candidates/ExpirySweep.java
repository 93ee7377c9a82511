package dev.tidemark.candidates;

import java.util.ArrayList;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One step of removing expired keys: reads heads only, and not more than it may. */
final class ExpirySweep implements ShardRecords.Visitor {
  private static final long NO_LIST = -1;

  private final ShardRecords records;
  private final ListContext context;
  private final ShardAttributes attributes;
  private final long ttlMillis;
  private final long nowMillis;
  private final long maxBytes;
  private final Head head = new Head();
  private final InlineList inline;

  private final List<Expired> expired = new ArrayList<>();
  private long bytes;
  private byte @Nullable [] last;
  private boolean complete = true;

  ExpirySweep(
      ShardRecords records,
      ListContext context,
      ShardAttributes attributes,
      long ttlMillis,
      long nowMillis,
      long maxBytes) {
    this.records = records;
    this.context = context;
    this.attributes = attributes;
    this.ttlMillis = ttlMillis;
    this.nowMillis = nowMillis;
    this.maxBytes = maxBytes;
    this.inline = new InlineList(context.matching);
  }

  /** Returns whether it reached the end of the shard. */
  boolean run(MaterializerStatistics statistics) {
    records.scan(RecordKeys.heads(), attributes.sweptTo(), this);
    for (Expired key : expired) {
      records.remove(key.head);
      if (key.list != NO_LIST) {
        RemovedLists.add(records, attributes, key.list);
      }
      attributes.count(-1, -key.candidates);
      statistics.expiries++;
      statistics.keysDelta--;
      statistics.candidatesDelta -= key.candidates;
    }
    attributes.setSweptTo(complete ? null : last);
    return complete;
  }

  /** How many bytes it read, by less than a record more than it may. */
  long bytes() {
    return bytes;
  }

  @Override
  public boolean visit(byte[] key, byte[] value) {
    bytes += key.length + value.length;
    if (bytes > maxBytes && last != null) {
      complete = false;
      return false;
    }
    last = key;
    head.read(context.reader, value);
    if (head.expired(attributes.ttlEnabledAt(), ttlMillis, nowMillis)) {
      if (head.linked()) {
        NodeList nodes = NodeList.read(records, context);
        expired.add(new Expired(key, nodes.list(), nodes.size()));
      } else {
        inline.read(context.reader);
        expired.add(new Expired(key, NO_LIST, inline.size()));
      }
    }
    return true;
  }

  private static final class Expired {
    final byte[] head;
    final long list;
    final int candidates;

    Expired(byte[] head, long list, int candidates) {
      this.head = head;
      this.list = list;
      this.candidates = candidates;
    }
  }
}
