package dev.tidemark.candidates;

import java.util.Arrays;

/** A candidate, or a run of equal ones, as slices of an array of someone else. */
class Candidate {
  private static final byte[] NOTHING = {};

  byte[] source = NOTHING;
  int identityOffset;
  int identityLength;
  int payloadOffset;
  int payloadLength;

  /** How many equal candidates follow one another. */
  int count = 1;

  /** Where {@link #source} has what {@link #write} would write; below 0 if it has not. */
  private int encodedFrom = -1;

  private int encodedTo;

  final void set(Candidate other) {
    source = other.source;
    identityOffset = other.identityOffset;
    identityLength = other.identityLength;
    payloadOffset = other.payloadOffset;
    payloadLength = other.payloadLength;
    count = other.count;
    encodedFrom = other.encodedFrom;
    encodedTo = other.encodedTo;
  }

  final void set(KeyedChanges changes, int index, boolean hasUpsertKey) {
    source = changes.data();
    payloadOffset = changes.payloadOffset(index);
    payloadLength = changes.payloadLength(index);
    identityOffset = hasUpsertKey ? changes.identityOffset(index) : payloadOffset;
    identityLength = hasUpsertKey ? changes.identityLength(index) : payloadLength;
    count = 1;
    encodedFrom = -1;
  }

  /** Adds equal candidates, or removes some. */
  final void add(int candidates) {
    count += candidates;
    encodedFrom = -1;
  }

  /** Lets go of the array. */
  final void release() {
    source = NOTHING;
  }

  /** Reads what {@link #write} wrote. */
  final void read(RecordReader reader, boolean hasUpsertKey) {
    source = reader.bytes();
    encodedFrom = reader.position();
    if (hasUpsertKey) {
      identityLength = reader.skipSlice();
      identityOffset = reader.position() - identityLength;
      count = 1;
    } else {
      count = reader.nextCount();
    }
    payloadLength = reader.skipSlice();
    payloadOffset = reader.position() - payloadLength;
    if (!hasUpsertKey) {
      identityOffset = payloadOffset;
      identityLength = payloadLength;
    }
    encodedTo = reader.position();
  }

  /**
   * Writes candidates. Those that lie in an array as they are to be written, one after the other,
   * are copied together.
   */
  static void writeAll(
      Candidate[] candidates, int length, RecordWriter writer, boolean hasUpsertKey) {
    for (int i = 0; i < length; ) {
      Candidate first = candidates[i++];
      if (first.encodedFrom < 0) {
        first.write(writer, hasUpsertKey);
        continue;
      }
      int to = first.encodedTo;
      while (i < length
          && candidates[i].source == first.source
          && candidates[i].encodedFrom == to) {
        to = candidates[i++].encodedTo;
      }
      writer.writeBytes(first.source, first.encodedFrom, to - first.encodedFrom);
    }
  }

  /** With an upsert key identity and payload, else count and payload: equal ones are not copied. */
  final void write(RecordWriter writer, boolean hasUpsertKey) {
    if (hasUpsertKey) {
      writer.writeVarint(identityLength);
      writer.writeBytes(source, identityOffset, identityLength);
    } else {
      writer.writeVarint(count);
    }
    writer.writeVarint(payloadLength);
    writer.writeBytes(source, payloadOffset, payloadLength);
  }

  final boolean payloadEquals(Candidate other) {
    return payloadLength == other.payloadLength
        && Arrays.equals(
            source,
            payloadOffset,
            payloadOffset + payloadLength,
            other.source,
            other.payloadOffset,
            other.payloadOffset + payloadLength);
  }

  final byte[] payload() {
    return Arrays.copyOfRange(source, payloadOffset, payloadOffset + payloadLength);
  }
}
