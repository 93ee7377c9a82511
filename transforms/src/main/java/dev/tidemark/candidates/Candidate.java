package dev.tidemark.candidates;

import java.util.Arrays;

/** A candidate, or a run of equal ones, as slices of an array of someone else. */
class Candidate {
  byte[] source = {};
  int identityOffset;
  int identityLength;
  int payloadOffset;
  int payloadLength;

  /** How many equal candidates follow one another. */
  int count = 1;

  final void set(Candidate other) {
    source = other.source;
    identityOffset = other.identityOffset;
    identityLength = other.identityLength;
    payloadOffset = other.payloadOffset;
    payloadLength = other.payloadLength;
    count = other.count;
  }

  final void set(KeyedChanges changes, int index, boolean hasUpsertKey) {
    source = changes.data();
    payloadOffset = changes.payloadOffset(index);
    payloadLength = changes.payloadLength(index);
    identityOffset = hasUpsertKey ? changes.identityOffset(index) : payloadOffset;
    identityLength = hasUpsertKey ? changes.identityLength(index) : payloadLength;
    count = 1;
  }

  /** Reads what {@link #write} wrote. */
  final void read(RecordReader reader, boolean hasUpsertKey) {
    source = reader.bytes();
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
