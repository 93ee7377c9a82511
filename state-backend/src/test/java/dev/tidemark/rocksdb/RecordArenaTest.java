package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.bytes;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.Test;

public final class RecordArenaTest {
  private final MemoryMeter meter = new MemoryMeter();

  @Test
  public void hasWhatAMapHas() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      RecordArena arena = new RecordArena(meter);
      Map<String, String> model = new HashMap<>();
      int keys = 1 << random.nextInt(10);
      for (int i = 0; i < 3000; i++) {
        step(arena, model, "key" + random.nextInt(keys), random);
      }
      RecordArena copy = new RecordArena(meter);
      arena.copyTo(copy);

      assertThat("Seed " + seed, contents(arena), equalTo(model));
      assertThat("Seed " + seed, contents(copy), equalTo(model));
      assertThat("Seed " + seed, arena.count(), is(model.size()));
      arena.clear();
      copy.clear();
    }
    assertThat(meter.bytes, is(0L));
  }

  @Test
  public void largeRecordHasAChunkOfItsOwn() {
    RecordArena arena = new RecordArena(meter);
    Map<String, String> model = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      model.put("key" + i, "x".repeat(i % 3 == 0 ? 200_000 + i : i));
    }
    model.forEach(
        (key, value) -> {
          byte[] k = bytes(key);
          byte[] v = bytes(value);
          arena.insert(k, 0, k.length, KeyHash.hash(k, 0, k.length), v, 0, v.length, 0);
        });

    assertThat(contents(arena), equalTo(model));
  }

  @Test
  public void smallRecordsTakeLittleMore() {
    RecordArena arena = new RecordArena(meter);
    byte[] value = new byte[80];
    for (int i = 0; i < 10_000; i++) {
      byte[] key = bytes("%08d".formatted(i));
      arena.insert(key, 0, 8, KeyHash.hash(key, 0, 8), value, 0, 80, 0);
    }

    assertThat(meter.bytes / 10_000, lessThan(88L + 45));
  }

  @Test
  public void keyThatIsTooLongIsRefused() {
    byte[] key = new byte[RecordArena.MAX_KEY_BYTES + 1];
    RecordArena arena = new RecordArena(meter);

    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () -> arena.insert(key, 0, key.length, 1, key, 0, 0, 0));
    assertThat(e.getMessage(), containsString("its key has 16777216 bytes"));
  }

  private static void step(
      RecordArena arena, Map<String, String> model, String text, Random random) {
    byte[] key = bytes(text);
    long hash = KeyHash.hash(key, 0, key.length);
    int address = arena.find(key, 0, key.length, hash);
    assertThat(address != RecordArena.NONE, is(model.containsKey(text)));
    String value = "v".repeat(random.nextInt(40)) + random.nextInt();
    if (address == RecordArena.NONE) {
      arena.insert(key, 0, key.length, hash, bytes(value), 0, value.length(), RecordArena.DIRTY);
      model.put(text, value);
    } else if (random.nextInt(3) == 0) {
      arena.unlink(address, hash);
      model.remove(text);
    } else {
      arena.setValue(address, hash, bytes(value));
      model.put(text, value);
    }
  }

  private static Map<String, String> contents(RecordArena arena) {
    Map<String, String> contents = new HashMap<>();
    for (int a = arena.first(); a != RecordArena.NONE; a = arena.next(a)) {
      if ((arena.flags(a) & RecordArena.DEAD) == 0) {
        byte[] key = arena.key(a);
        assertThat(arena.find(key, 0, key.length, arena.hash(a)), is(a));
        contents.put(StoreFixture.text(key), StoreFixture.text(arena.value(a)));
      }
    }
    return contents;
  }
}
