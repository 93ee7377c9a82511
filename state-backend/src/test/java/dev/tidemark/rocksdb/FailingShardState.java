package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardState;

/** The state of a runner that fails after some writes. */
final class FailingShardState implements ShardState {
  private final ShardState state;
  private int writesLeft;

  FailingShardState(ShardState state, int writes) {
    this.state = state;
    this.writesLeft = writes;
  }

  boolean failsNever() {
    return writesLeft > 1_000_000;
  }

  @Override
  public byte[] header() {
    return state.header();
  }

  @Override
  public void setHeader(byte[] header) {
    countDown();
    state.setHeader(header);
  }

  @Override
  public Iterable<byte[]> read(Bag bag) {
    return state.read(bag);
  }

  @Override
  public void add(Bag bag, byte[] element) {
    countDown();
    state.add(bag, element);
  }

  @Override
  public void clear(Bag bag) {
    countDown();
    state.clear(bag);
  }

  private void countDown() {
    if (writesLeft-- == 0) {
      throw new Failure();
    }
  }

  /** The runner cannot write. */
  static final class Failure extends RuntimeException {}
}
