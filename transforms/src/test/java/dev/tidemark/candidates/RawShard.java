package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads all records of a shard and checks that they fit: links lead both ways, chains and the index
 * are complete, no record is left over, counts are right.
 */
final class RawShard {
  private final NavigableMap<byte[], byte[]> records;
  private final UpsertSemantics semantics;
  private final Matching matching;
  private final RecordKeys keys = new RecordKeys();
  private final RecordReader reader = new RecordReader();

  /** The payloads of the candidates, by sink key. */
  final Map<ByteBuffer, List<String>> lists = new TreeMap<>();

  private final Set<Long> linked = new TreeSet<>();
  int removedLists;
  int inlineLists;
  int linkedLists;

  private RawShard(NavigableMap<byte[], byte[]> records, UpsertSemantics semantics) {
    this.records = new TreeMap<>(records);
    this.semantics = semantics;
    this.matching = Matching.of(semantics);
  }

  static RawShard check(NavigableMap<byte[], byte[]> records, UpsertSemantics semantics) {
    RawShard shard = new RawShard(records, semantics);
    shard.checkAll();
    return shard;
  }

  private void checkAll() {
    byte[] attributes = records.remove(RecordKeys.attributes());
    byte[] counts = records.remove(RecordKeys.counts());
    long candidates = 0;
    for (byte[] key : records.keySet().toArray(byte[][]::new)) {
      if (key[0] == RecordKeys.HEAD) {
        List<String> list = readList(records.remove(key));
        assertThat(list, is(not(empty())));
        candidates += list.size();
        lists.put(ByteBuffer.wrap(Arrays.copyOfRange(key, 1, key.length)), list);
      }
    }
    Set<Long> removed = removedLists();
    records
        .keySet()
        .removeIf(key -> key[0] != RecordKeys.HEAD && removed.contains(RecordKeys.list(key)));
    removedLists = removed.size();
    assertThat("records left over", records.size(), is(0));
    if (attributes == null) {
      assertThat(counts == null && lists.isEmpty(), is(true));
      return;
    }
    byte[] description = semantics.description().getBytes(UTF_8);
    assertThat(
        Arrays.equals(
            attributes,
            attributes.length - description.length,
            attributes.length,
            description,
            0,
            description.length),
        is(true));
    reader.open("counts", counts);
    reader.nextByte();
    assertThat("live keys", reader.nextVarint(), is((long) lists.size()));
    assertThat("live candidates", reader.nextVarint(), is(candidates));
    assertThat("removed lists", (reader.nextByte() & 2) != 0, is(removedLists > 0));
  }

  /** The numbers of lists that have gone, no head of which may be left. */
  private Set<Long> removedLists() {
    Set<Long> removed = new TreeSet<>();
    for (byte[] key : records.keySet()) {
      if (key[0] == RecordKeys.REMOVED_LIST) {
        removed.add(RecordKeys.list(key));
      }
    }
    assertThat(removed.stream().noneMatch(linked::contains), is(true));
    return removed;
  }

  private List<String> readList(byte[] record) {
    Head head = new Head();
    head.read(reader, record);
    if (head.linked()) {
      linkedLists++;
      return readLinked();
    }
    inlineLists++;
    InlineList inline = new InlineList(matching);
    inline.read(reader);
    List<String> list = new ArrayList<>();
    for (int i = 0; i < inline.length(); i++) {
      add(inline.run(i), list);
    }
    return list;
  }

  private List<String> readLinked() {
    long number = reader.nextVarint();
    linked.add(number);
    long first = reader.nextVarint();
    long last = reader.nextVarint();
    long high = reader.nextVarint();
    int size = reader.nextCount();
    reader.checkEnd();
    assertThat(last <= high, is(true));
    List<String> list = new ArrayList<>();
    Map<String, List<Node>> byMatch = new LinkedHashMap<>();
    Map<String, byte[]> indexKeys = new HashMap<>();
    long previous = Node.NONE;
    for (long at = first; at != Node.NONE; ) {
      byte[] record = records.remove(RecordKeys.node(number, at));
      Node node = Node.read(reader, record, at, semantics.hasUpsertKey());
      assertThat(node.previous, is(previous));
      add(node, list);
      if (matching.never(node, true)) {
        assertThat(node.same, is(Node.NONE));
      } else {
        int from = matching.matchOffset(node, true);
        int to = matching.matchEnd(node, true);
        String match = TestChange.hex(Arrays.copyOfRange(node.source, from, to));
        byMatch.computeIfAbsent(match, m -> new ArrayList<>()).add(node);
        indexKeys.put(match, keys.index(number, node.source, from, to - from));
      }
      previous = at;
      at = node.next;
    }
    assertThat(previous, is(last));
    assertThat(list.size(), is(size));
    byMatch.forEach(
        (match, nodes) -> {
          byte[] key = indexKeys.get(match);
          IndexEntry entry = new IndexEntry(key, key, 0, 0, 0);
          entry.read(reader, records.remove(key));
          assertThat(entry.first, is(nodes.get(0).number));
          assertThat(entry.last, is(nodes.get(nodes.size() - 1).number));
          for (int i = 0; i < nodes.size(); i++) {
            assertThat(
                nodes.get(i).same, is(i + 1 < nodes.size() ? nodes.get(i + 1).number : Node.NONE));
          }
        });
    return list;
  }

  private void add(Candidate candidate, List<String> list) {
    assertThat(candidate.count == 1 || !semantics.hasUpsertKey(), is(true));
    for (int i = 0; i < candidate.count; i++) {
      list.add(TestChange.hex(candidate.payload()));
    }
  }
}
