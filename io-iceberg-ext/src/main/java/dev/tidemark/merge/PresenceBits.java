package dev.tidemark.merge;

/**
 * One bit for each of many keys, by which a look at one that is not among them ends at once, all
 * but a few times. Keys that are numbers at even distances meet in a few chains of a hash map, and
 * most of the rows a merge reads are not of its keys.
 */
final class PresenceBits {
  private static final int BITS_PER_KEY = 16;
  private static final int MOST_WORDS = 1 << 24;

  private final long[] words;

  /** Bits for so many keys. */
  PresenceBits(long keys) {
    long wanted = Math.max(1, keys * BITS_PER_KEY / Long.SIZE);
    this.words = new long[Integer.highestOneBit((int) Math.min(MOST_WORDS, wanted))];
  }

  void add(Object key) {
    int hash = KeyReader.spread(key);
    words[word(hash)] |= 1L << hash;
  }

  /** False only if the key was not added. */
  boolean mayHold(Object key) {
    int hash = KeyReader.spread(key);
    return (words[word(hash)] & 1L << hash) != 0;
  }

  private int word(int hash) {
    return (hash >>> 6) & (words.length - 1);
  }
}
