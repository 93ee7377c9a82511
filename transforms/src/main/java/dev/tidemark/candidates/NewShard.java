package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A shard to which keys of others are moved. */
final class NewShard {
  private final ShardImages.Sink sink;
  private long nextList;
  private long keys;
  private long candidates;

  NewShard(ShardImages.Sink sink) {
    this.sink = sink;
  }

  /** A number that no list has had. */
  long newList() {
    return nextList++;
  }

  /** Adds a key with its candidates. */
  void putHead(byte[] key, byte[] value, long candidatesOfKey) throws IOException {
    keys++;
    candidates += candidatesOfKey;
    sink.put(key, value);
  }

  void put(byte[] key, byte[] value) throws IOException {
    sink.put(key, value);
  }

  /**
   * Ends it.
   *
   * @param merged what holds for all shards whose keys it may have; null if they had no records
   */
  void close(@Nullable ShardFacts merged, String description) throws IOException {
    if (merged != null) {
      ShardFacts facts = new ShardFacts();
      facts.matching = merged.matching;
      facts.nextList = nextList;
      facts.ttlEnabled = merged.ttlEnabled;
      facts.ttlEnabledAt = merged.ttlEnabledAt;
      facts.description = description.getBytes(UTF_8);
      facts.keys = keys;
      facts.candidates = candidates;
      RecordWriter writer = new RecordWriter();
      facts.write(writer);
      sink.put(RecordKeys.attributes(), writer.recordOr(null));
      facts.writeCounts(writer);
      sink.put(RecordKeys.counts(), writer.recordOr(null));
    }
    sink.close();
  }
}
