package dev.tidemark.candidates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.change.ChangeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Test;

/**
 * Damages records. Whatever the damage, a record is read as something that could have been written,
 * or refused with a {@link CorruptStateException}.
 */
public final class RecordFuzzTest {
  private static final long MILLIS = Boolean.getBoolean("tidemark.long") ? 60_000 : 1_500;

  private final RecordReader reader = new RecordReader();
  private final RecordWriter writer = new RecordWriter();

  @Test
  public void damagedSmallListIsRefusedOrWrittenAsItWasRead() {
    for (UpsertSemantics semantics : semantics()) {
      Matching matching = Matching.of(semantics);
      fuzz(
          heads(semantics, false),
          record -> {
            Head head = new Head();
            head.read(reader, record);
            if (head.linked()) {
              return null;
            }
            InlineList list = new InlineList(matching);
            list.read(reader);
            head.write(writer);
            list.write(writer);
            return writer.recordOr(null);
          });
    }
  }

  @Test
  public void damagedHeadOfNodesIsRefusedOrWrittenAsItWasRead() {
    for (UpsertSemantics semantics : semantics()) {
      ListContext context = new ListContext(Matching.of(semantics));
      fuzz(
          heads(semantics, true),
          record -> {
            Head head = new Head();
            head.read(context.reader, record);
            if (!head.linked()) {
              return null;
            }
            NodeList list = NodeList.read(new PlainRecords(), context);
            head.write(writer);
            list.writeHead(writer);
            return writer.recordOr(null);
          });
    }
  }

  @Test
  public void damagedNodeIsRefusedOrWrittenAsItWasRead() {
    for (UpsertSemantics semantics : semantics()) {
      boolean keyed = semantics.hasUpsertKey();
      fuzz(
          records(semantics, 0x01),
          record -> rewritten(Node.read(reader, record, 3, keyed), keyed));
    }
  }

  @Test
  public void damagedIndexEntryIsRefusedOrWrittenAsItWasRead() {
    fuzz(
        records(semantics().get(1), 0x02),
        record -> {
          IndexEntry entry = new IndexEntry(record, record, 0, 0, 0);
          entry.read(reader, record);
          entry.stored = null;
          return entry.record(writer);
        });
  }

  @Test
  public void damagedAttributesAreRefusedOrWrittenAsTheyWereRead() {
    UpsertSemantics semantics = semantics().get(0).withTtlMillis(10);
    ListContext context = new ListContext(Matching.of(semantics));
    for (byte[] damaged : List.of(RecordKeys.attributes(), RecordKeys.counts())) {
      NavigableMap<byte[], byte[]> records = shard(semantics).records();
      fuzz(
          List.of(records.get(damaged)),
          record -> {
            PlainRecords shard = new PlainRecords();
            shard.records.putAll(records);
            shard.records.put(damaged, record);
            ShardAttributes attributes = ShardAttributes.read(shard, context, new byte[0]);
            attributes.write();
            return shard.records.get(damaged);
          });
    }
  }

  @Test
  public void damagedMarkOfARemovedListIsRefusedOrItsRecordsGo() {
    UpsertSemantics semantics = semantics().get(3);
    Shard shard = shard(semantics);
    shard.at(1000);
    while (RawShard.check(shard.records(), semantics).removedLists == 0) {
      shard.sweep(30);
    }
    shard.sweep(40);
    NavigableMap<byte[], byte[]> records = shard.records();
    ListContext context = new ListContext(Matching.of(semantics));
    byte[] mark =
        records.keySet().stream()
            .filter(key -> key[0] == RecordKeys.REMOVED_LIST)
            .findFirst()
            .orElseThrow();
    fuzz(
        List.of(records.get(mark)),
        record -> {
          PlainRecords damaged = new PlainRecords();
          damaged.records.putAll(records);
          damaged.records.put(mark, record);
          ShardAttributes attributes = ShardAttributes.read(damaged, context, new byte[0]);
          new RemovedLists(damaged, context, attributes).collect(Long.MAX_VALUE);
          assertThat(attributes.removedLists(), is(false));
          assertThat(damaged.records.containsKey(mark), is(false));
          return record;
        });
  }

  @Test
  public void damagedShardGivesNoOtherException() {
    for (UpsertSemantics semantics : semantics()) {
      long end = System.nanoTime() + MILLIS * 1_000_000 / semantics().size();
      TreeMap<byte[], byte[]> records = new TreeMap<>(shard(semantics).records());
      byte[][] keys = records.keySet().toArray(byte[][]::new);
      int refused = 0;
      for (int seed = 0; System.nanoTime() < end; seed++) {
        Random random = new Random(seed);
        PlainRecords damaged = new PlainRecords();
        damaged.records.putAll(records);
        for (int i = 0; i < 3; i++) {
          byte[] key = keys[random.nextInt(keys.length)];
          byte[] value = damaged.records.get(key);
          if (value == null || random.nextInt(6) == 0) {
            damaged.records.remove(key);
          } else {
            damaged.records.put(key, damage(value, random));
          }
        }
        try {
          UpsertMaterializer materializer = UpsertMaterializer.of(semantics);
          materializer.process(damaged, changes(semantics, random, 30), 5);
          materializer.sweep(damaged, 1000, 1 << 20);
        } catch (CorruptStateException e) {
          refused++;
        } catch (RuntimeException e) {
          throw new AssertionError(semantics + ", seed " + seed, e);
        }
      }
      assertThat(refused, is(greaterThan(0)));
    }
  }

  private static List<UpsertSemantics> semantics() {
    UpsertSemantics rows = UpsertSemantics.of(UpsertStrategy.ADAPTIVE).withThresholds(4, 2);
    return List.of(
        rows,
        rows.withUpsertKey(),
        rows.withFloatUpsertKey(false),
        rows.withUpsertKey().withTtlMillis(100));
  }

  private void fuzz(List<byte[]> records, Decoder decoder) {
    assertThat(records.size(), is(greaterThan(0)));
    long end = System.nanoTime() + MILLIS * 1_000_000 / 4;
    int read = 0;
    int refused = 0;
    for (int seed = 0; System.nanoTime() < end; seed++) {
      Random random = new Random(seed);
      byte[] record = damage(records.get(random.nextInt(records.size())), random);
      try {
        byte[] written = decoder.decode(record);
        if (written != null) {
          read++;
          assertThat("seed " + seed, TestChange.hex(written), is(TestChange.hex(record)));
        }
      } catch (CorruptStateException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + TestChange.hex(record), e);
      }
    }
    assertThat(read, is(greaterThan(0)));
    assertThat(refused, is(greaterThan(0)));
  }

  private static byte[] damage(byte[] record, Random random) {
    byte[] damaged = record.clone();
    switch (random.nextInt(5)) {
      case 0:
        return Arrays.copyOf(damaged, random.nextInt(damaged.length + 1));
      case 1:
        return Arrays.copyOf(damaged, damaged.length + 1 + random.nextInt(4));
      case 2:
        byte[] noise = new byte[random.nextInt(40)];
        random.nextBytes(noise);
        return noise;
      default:
        for (int i = 1 + random.nextInt(3); i > 0 && damaged.length > 0; i--) {
          damaged[random.nextInt(damaged.length)] =
              (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(4));
        }
        return damaged;
    }
  }

  private byte[] rewritten(Node node, boolean keyed) {
    node.stored = null;
    return node.record(writer, keyed);
  }

  private static List<byte[]> heads(UpsertSemantics semantics, boolean linked) {
    List<byte[]> heads = new ArrayList<>();
    for (byte[] head : records(semantics, RecordKeys.HEAD)) {
      if (Head.isLinked(head) == linked) {
        heads.add(head);
      }
    }
    return heads;
  }

  private static List<byte[]> records(UpsertSemantics semantics, int kind) {
    List<byte[]> records = new ArrayList<>();
    shard(semantics)
        .records()
        .forEach(
            (key, value) -> {
              if (key[0] == kind) {
                records.add(value);
              }
            });
    return records;
  }

  private static Shard shard(UpsertSemantics semantics) {
    Shard shard = Shard.of(semantics);
    shard.at(0).send(changes(semantics, new Random(5), 80));
    return shard;
  }

  private static KeyedChanges changes(UpsertSemantics semantics, Random random, int count) {
    KeyedChanges.Builder builder = KeyedChanges.builder();
    for (int i = 0; i < count; i++) {
      int id = random.nextInt(8);
      byte[] identity = ByteBuffer.allocate(id == 0 ? 90 : 4).putInt(id).array();
      builder.add(
          random.nextInt(4) > 0 ? ChangeKind.INSERT : ChangeKind.DELETE,
          new byte[] {(byte) Math.min(random.nextInt(30), 12)},
          !semantics.hasUpsertKey()
              ? null
              : semantics.floatKey() ? TestChange.floatIdentity(identity, id % 3) : identity,
          identity,
          true,
          new byte[0]);
    }
    return builder.build();
  }

  private interface Decoder {
    /** Reads a record and writes what it read; null if the record is of another kind. */
    byte @Nullable [] decode(byte[] record);
  }

  /** Records in a plain map. */
  private static final class PlainRecords implements ShardRecords {
    final TreeMap<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);

    @Override
    public void prefetch(List<byte[]> keys) {}

    @Override
    public byte @Nullable [] get(byte[] key) {
      return records.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      records.put(key, value);
    }

    @Override
    public void remove(byte[] key) {
      records.remove(key);
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
      return key.length >= prefix.length
          && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    @Override
    public void scan(byte[] prefix, byte @Nullable [] after, Visitor visitor) {
      for (byte[] key : records.keySet()) {
        if (startsWith(key, prefix)
            && (after == null || Arrays.compareUnsigned(key, after) > 0)
            && !visitor.visit(key, records.get(key))) {
          return;
        }
      }
    }

    @Override
    public void commit() {}
  }
}
