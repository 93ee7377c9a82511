package dev.tidemark.examples.benchmarks.materializer;

import dev.tidemark.change.ChangeKind;

/**
 * A change of a workload. Its row has the columns sink key, upsert key, payload and version; the
 * payload follows from the others.
 */
public record RowChange(ChangeKind kind, int key, long upsertKey, int version) {
  private static final char[] ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray();

  /** Text of this length that is hard to compress, always the same for the same row. */
  public String payload(int length) {
    long state = (key * 31L + upsertKey) * 31 + version;
    char[] text = new char[length];
    long bits = 0;
    for (int i = 0; i < length; i++) {
      if (i % 10 == 0) {
        state += 0x9E3779B97F4A7C15L;
        bits = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        bits ^= bits >>> 31;
      }
      text[i] = ALPHABET[(int) bits & 63];
      bits >>>= 6;
    }
    return new String(text);
  }
}
