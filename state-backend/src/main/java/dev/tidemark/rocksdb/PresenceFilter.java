package dev.tidemark.rocksdb;

import java.util.Arrays;

/**
 * Tells which keys of a shard cannot be in the files: a Bloom filter of blocks of 64 bytes, so that
 * a question touches one line of the processor's cache per layer. Where it is full a layer of twice
 * the size is added.
 */
final class PresenceFilter {
  private static final int BITS_PER_KEY = 10;
  private static final int PROBES = 6;
  private static final int BLOCK_LONGS = 8;
  private static final int LEAST_KEYS = 256;

  private final MemoryMeter meter;
  private long[][] layers = new long[1][];
  private long room;
  private long charged;

  PresenceFilter(MemoryMeter meter, long expectedKeys) {
    this.meter = meter;
    addLayer(0, expectedKeys);
  }

  void add(long hash) {
    if (room == 0) {
      layers = Arrays.copyOf(layers, layers.length + 1);
      addLayer(layers.length - 1, keysOf(layers[layers.length - 2]) * 2);
    }
    room--;
    long[] layer = layers[layers.length - 1];
    int block = block(layer, hash);
    long bits = hash;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) bits & 511;
      layer[block + (bit >>> 6)] |= 1L << bit;
      bits >>>= 9;
    }
  }

  boolean mayContain(long hash) {
    for (long[] layer : layers) {
      if (contains(layer, hash)) {
        return true;
      }
    }
    return false;
  }

  void release() {
    charge(-charged);
  }

  private void charge(long bytes) {
    charged += bytes;
    meter.bytes += bytes;
    meter.filterBytes += bytes;
  }

  private static boolean contains(long[] layer, long hash) {
    int block = block(layer, hash);
    long bits = hash;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) bits & 511;
      if ((layer[block + (bit >>> 6)] & 1L << bit) == 0) {
        return false;
      }
      bits >>>= 9;
    }
    return true;
  }

  private static int block(long[] layer, long hash) {
    // Another mix of the bits: the probes use 54 of them.
    long mixed = (hash ^ (hash >>> 31)) * 0x94d049bb133111ebL;
    return (int) (((mixed >>> 32) * (layer.length / BLOCK_LONGS)) >>> 32) * BLOCK_LONGS;
  }

  private void addLayer(int index, long keys) {
    long blocks = Math.max(LEAST_KEYS, keys) * BITS_PER_KEY / (64 * BLOCK_LONGS) + 1;
    layers[index] = new long[(int) Math.min(blocks, 1 << 25) * BLOCK_LONGS];
    room = keysOf(layers[index]);
    charge(8L * layers[index].length + 16);
  }

  private static long keysOf(long[] layer) {
    return layer.length * 64L / BITS_PER_KEY;
  }
}
