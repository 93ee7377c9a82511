package dev.tidemark.candidates;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A candidate of a list of linked nodes. Nodes are numbered in the order of the list; a number is
 * never used again.
 */
final class Node extends Candidate {
  /** No node. */
  static final long NONE = -1;

  final long number;

  /** The nodes before and after this one. */
  long previous = NONE;

  long next = NONE;

  /** The next node with the same match. */
  long same = NONE;

  /** The record as it is; null if there is none yet. */
  byte @Nullable [] stored;

  boolean changed;
  boolean removed;
  @Nullable Node bucket;

  Node(long number) {
    this.number = number;
  }

  /** Links are distances, 0 for none: what is before has a lower number, what follows a higher. */
  static Node read(RecordReader reader, byte[] stored, long number, boolean hasUpsertKey) {
    reader.open("node", stored);
    Node node = new Node(number);
    node.stored = stored;
    long distance = reader.nextVarint();
    reader.check(distance <= number, "a link leads out of the list");
    node.previous = distance == 0 ? NONE : number - distance;
    node.next = following(reader, number);
    node.same = following(reader, number);
    node.read(reader, hasUpsertKey);
    reader.checkEnd();
    return node;
  }

  byte[] record(RecordWriter writer, boolean hasUpsertKey) {
    writer.open();
    writer.writeVarint(previous == NONE ? 0 : number - previous);
    writer.writeVarint(next == NONE ? 0 : next - number);
    writer.writeVarint(same == NONE ? 0 : same - number);
    write(writer, hasUpsertKey);
    return writer.recordOr(stored);
  }

  private static long following(RecordReader reader, long number) {
    long distance = reader.nextVarint();
    reader.check(distance <= Long.MAX_VALUE - number, "a link leads out of the list");
    return distance == 0 ? NONE : number + distance;
  }
}
