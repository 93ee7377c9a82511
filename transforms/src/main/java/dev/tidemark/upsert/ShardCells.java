package dev.tidemark.upsert;

import dev.tidemark.candidates.ShardState;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The state of a shard in the cells of a stateful function. */
final class ShardCells implements ShardState {
  static final String HEADER = "header";
  static final String BASE_0 = "base0";
  static final String BASE_1 = "base1";
  static final String JOURNAL_0 = "journal0";
  static final String JOURNAL_1 = "journal1";

  /** The export that the state began with. */
  static final String ORIGIN = "origin";

  private final ValueState<byte[]> header;
  private final BagState<byte[]> base0;
  private final BagState<byte[]> base1;
  private final BagState<byte[]> journal0;
  private final BagState<byte[]> journal1;

  ShardCells(
      ValueState<byte[]> header,
      BagState<byte[]> base0,
      BagState<byte[]> base1,
      BagState<byte[]> journal0,
      BagState<byte[]> journal1) {
    this.header = header;
    this.base0 = base0;
    this.base1 = base1;
    this.journal0 = journal0;
    this.journal1 = journal1;
  }

  static StateSpec<ValueState<byte[]>> value() {
    return StateSpecs.value(ByteArrayCoder.of());
  }

  static StateSpec<BagState<byte[]>> bag() {
    return StateSpecs.bag(ByteArrayCoder.of());
  }

  @Override
  public byte @Nullable [] header() {
    return header.read();
  }

  @Override
  public void setHeader(byte[] bytes) {
    header.write(bytes);
  }

  @Override
  public Iterable<byte[]> read(Bag bag) {
    return cell(bag).read();
  }

  @Override
  public void add(Bag bag, byte[] element) {
    cell(bag).add(element);
  }

  @Override
  public void clear(Bag bag) {
    cell(bag).clear();
  }

  private BagState<byte[]> cell(Bag bag) {
    return switch (bag) {
      case BASE_0 -> base0;
      case BASE_1 -> base1;
      case JOURNAL_0 -> journal0;
      case JOURNAL_1 -> journal1;
    };
  }
}
