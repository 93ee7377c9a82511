package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A shard whose keys are moved to others. Its image is read twice, since nothing is known of the
 * order of its records: first who has which list, then all records.
 */
final class OldShard {
  private final Settings settings;
  private final int shard;
  private final IntFunction<@Nullable NewShard> targets;
  private final RecordReader reader = new RecordReader();
  private final RecordWriter writer = new RecordWriter();
  private final Head head = new Head();
  private final Candidate candidate = new Candidate();
  private final Map<Long, MovedList> lists = new HashMap<>();
  private final Set<Long> removedLists = new HashSet<>();
  private final ShardFacts facts = new ShardFacts();
  private boolean hasAttributes;
  private boolean hasCounts;
  private boolean hasUpsertKey;
  private boolean empty = true;
  private long keys;
  private long candidates;

  /** What all images have in common. */
  static final class Settings {
    private final byte[] description;
    private final int from;
    private final int to;
    private int matching = -1;

    Settings(String description, int from, int to) {
      this.description = description.getBytes(UTF_8);
      this.from = from;
      this.to = to;
    }
  }

  /** Where a list of linked nodes goes. */
  private static final class MovedList {
    /** Null if it is not this time that it goes. */
    final @Nullable NewShard target;

    final long number;
    long missing;

    MovedList(@Nullable NewShard target, long number, long candidates) {
      this.target = target;
      this.number = number;
      this.missing = candidates;
    }
  }

  /**
   * A shard.
   *
   * @param targets gives the new shard of a number; null for those that are not written this time
   */
  OldShard(Settings settings, int shard, IntFunction<@Nullable NewShard> targets) {
    this.settings = settings;
    this.shard = shard;
    this.targets = targets;
  }

  /** What is known of the shard; null if it has no records. */
  @Nullable ShardFacts facts() {
    return empty ? null : facts;
  }

  void survey(ShardImages.Records records) throws IOException {
    while (records.next()) {
      byte[] key = records.key();
      byte[] value = records.value();
      empty = false;
      if (Arrays.equals(key, RecordKeys.attributes())) {
        facts.read(reader, value);
        hasAttributes = true;
      } else if (Arrays.equals(key, RecordKeys.counts())) {
        facts.readCounts(reader, value);
        hasCounts = true;
      } else {
        switch (kind(key)) {
          case RecordKeys.HEAD -> surveyHead(key, value);
          case RecordKeys.REMOVED_LIST -> removedLists.add(RecordKeys.list(key));
          case RecordKeys.NODE, RecordKeys.INDEX -> {}
          default -> throw corrupt("it has a record of an unknown kind");
        }
      }
    }
    if (!empty) {
      checkSettings();
    }
  }

  private void checkSettings() {
    if (!hasAttributes || !hasCounts) {
      throw corrupt("it does not tell what it is bound to");
    }
    if (!Arrays.equals(facts.description, settings.description)) {
      throw corrupt(
          "it belongs to [%s], not to [%s]"
              .formatted(
                  new String(facts.description, UTF_8), new String(settings.description, UTF_8)));
    }
    if (settings.matching >= 0 && settings.matching != facts.matching) {
      throw corrupt(
          "its strategy matches candidates in way %d, that of another image in way %d"
              .formatted(facts.matching, settings.matching));
    }
    settings.matching = facts.matching;
    hasUpsertKey = facts.matching != 0;
  }

  private void surveyHead(byte[] key, byte[] value) {
    OwnRecords.check(key, shard, settings.from);
    head.read(reader, value);
    if (!head.linked()) {
      return;
    }
    long list = reader.nextVarint();
    NewShard target = target(key);
    MovedList moved =
        new MovedList(target, target == null ? 0 : target.newList(), linkedCandidates());
    if (lists.put(list, moved) != null) {
      throw corrupt("two keys have list " + list);
    }
  }

  /** What follows the number of the list in a head. */
  private int linkedCandidates() {
    for (int i = 0; i < 3; i++) {
      reader.nextVarint();
    }
    int size = reader.nextCount();
    reader.checkEnd();
    return size;
  }

  private @Nullable NewShard target(byte[] key) {
    return targets.apply(Shards.of(key, 1, key.length - 1, settings.to));
  }

  void copy(ShardImages.Records records) throws IOException {
    while (records.next()) {
      byte[] key = records.key();
      byte[] value = records.value();
      switch (kind(key)) {
        case RecordKeys.HEAD -> copyHead(key, value);
        case RecordKeys.NODE, RecordKeys.INDEX -> copyOfList(key, value);
        default -> {}
      }
    }
    if (!empty && (keys != facts.keys || candidates != facts.candidates)) {
      throw corrupt(
          "it has %d of %d keys with %d of %d candidates"
              .formatted(keys, facts.keys, candidates, facts.candidates));
    }
    lists.forEach(
        (list, moved) -> {
          if (moved.target != null && moved.missing != 0) {
            throw corrupt("list " + list + " lacks candidates");
          }
        });
  }

  private void copyHead(byte[] key, byte[] value) throws IOException {
    head.read(reader, value);
    NewShard target = target(key);
    long size = 0;
    byte[] moved = value;
    if (head.linked()) {
      int before = reader.position();
      MovedList list = lists.get(reader.nextVarint());
      int after = reader.position();
      size = linkedCandidates();
      if (list == null) {
        throw corrupt("it is not what it was");
      }
      writer.open();
      writer.writeBytes(value, 0, before);
      writer.writeVarint(list.number);
      writer.writeBytes(value, after, value.length - after);
      moved = writer.recordOr(null);
    } else {
      do {
        candidate.read(reader, hasUpsertKey);
        size += candidate.count;
      } while (reader.remaining() > 0);
    }
    keys++;
    candidates += size;
    if (target != null) {
      target.putHead(key, moved, size);
    }
  }

  private void copyOfList(byte[] key, byte[] value) throws IOException {
    long number = RecordKeys.list(key);
    MovedList list = lists.get(number);
    if (list == null) {
      if (!removedLists.contains(number)) {
        throw corrupt("no key leads to list " + number);
      }
      return;
    }
    if (list.target == null) {
      return;
    }
    if (key[0] == RecordKeys.NODE) {
      list.missing -= Node.read(reader, value, RecordKeys.node(key), hasUpsertKey).count;
    }
    list.target.put(RecordKeys.withList(key, list.number), value);
  }

  private static int kind(byte[] key) {
    return key.length == 0 ? -1 : key[0];
  }

  private CorruptStateException corrupt(String reason) {
    return new CorruptStateException(
        String.format(
            "Cannot re-shard shard %d of %d: %s. Use the images of one export, as they were written.",
            shard, settings.from, reason));
  }
}
