package dev.tidemark.rocksdb;

import static dev.tidemark.candidates.ShardState.Bag.BASE_0;
import static dev.tidemark.candidates.ShardState.Bag.BASE_1;
import static dev.tidemark.candidates.ShardState.Bag.JOURNAL_0;
import static dev.tidemark.candidates.ShardState.Bag.JOURNAL_1;

import dev.tidemark.candidates.ShardState;
import dev.tidemark.candidates.ShardState.Bag;

/**
 * The value of a shard: its fence and what its bags have to hold. Base image and journal of one
 * number belong together: the journal has the batches after the version of the image.
 *
 * <p>While an image is under way, batches go to its journal, so that the shard is: the active
 * image, the active journal, the other journal.
 */
final class ShardHeader {
  private static final int VERSION = 1;

  Fence fence;
  int active;
  boolean building;
  final BaseSet[] bases = {new BaseSet(), new BaseSet()};
  final long[] journalBytes = new long[2];
  long liveRecords;
  long liveBytes;

  /** The header of a shard without any record. */
  ShardHeader(Fence fence) {
    this.fence = fence;
  }

  static ShardHeader decode(byte[] bytes, int shard) {
    StoredInput in = new StoredInput(bytes, VERSION, "the header", shard);
    ShardHeader header = new ShardHeader(new Fence(in.readLong(), in.readLong(), in.readCount()));
    int state = in.readByte();
    if (state > 3) {
      throw in.corrupt("it is in state " + state);
    }
    header.active = state & 1;
    header.building = state >= 2;
    for (int i = 0; i < 2; i++) {
      BaseSet base = header.bases[i];
      base.id = in.readLong();
      base.version = in.readCount();
      base.chunks = in.readCount();
      base.bytes = in.readCount();
      header.journalBytes[i] = in.readCount();
    }
    header.liveRecords = in.readCount();
    header.liveBytes = in.readCount();
    in.requireEnd();
    if (header.bases[header.journal()].version > header.fence.version()) {
      throw in.corrupt("its versions contradict each other");
    }
    return header;
  }

  byte[] encode(StoredOutput out) {
    out.begin(VERSION)
        .writeLong(fence.attemptHigh())
        .writeLong(fence.attemptLow())
        .writeLong(fence.version())
        .writeByte(active | (building ? 2 : 0));
    for (int i = 0; i < 2; i++) {
      BaseSet base = bases[i];
      out.writeLong(base.id)
          .writeLong(base.version)
          .writeLong(base.chunks)
          .writeLong(base.bytes)
          .writeLong(journalBytes[i]);
    }
    return out.writeLong(liveRecords).writeLong(liveBytes).finish();
  }

  /** The number of the journal that batches go to. */
  int journal() {
    return building ? 1 - active : active;
  }

  long allJournalBytes() {
    return journalBytes[0] + journalBytes[1];
  }

  long allBytes() {
    return allJournalBytes() + bases[0].bytes + bases[1].bytes;
  }

  static Bag baseBag(int number) {
    return number == 0 ? BASE_0 : BASE_1;
  }

  static Bag journalBag(int number) {
    return number == 0 ? JOURNAL_0 : JOURNAL_1;
  }

  /** Empties a base image. */
  void clearBase(ShardState state, int number) {
    state.clear(baseBag(number));
    bases[number].id = 0;
    bases[number].chunks = 0;
    bases[number].bytes = 0;
  }

  void clearJournal(ShardState state, int number) {
    state.clear(journalBag(number));
    journalBytes[number] = 0;
  }

  /** What is in one base bag. */
  static final class BaseSet {
    /** A random number that all chunks of one image have. */
    long id;

    /** The version after which the image was begun. */
    long version;

    long chunks;
    long bytes;
  }
}
