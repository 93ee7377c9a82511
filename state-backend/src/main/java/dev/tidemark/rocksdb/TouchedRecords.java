package dev.tidemark.rocksdb;

import java.util.Arrays;

/** Addresses of the records that a batch changed, or looked for in vain; some are there twice. */
final class TouchedRecords {
  private int[] addresses = new int[64];
  private int size;

  void add(int address) {
    if (size == addresses.length) {
      addresses = Arrays.copyOf(addresses, size * 2);
    }
    addresses[size++] = address;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return addresses[index];
  }
}
