package dev.tidemark.examples.benchmarks.doriswrite;

import com.google.common.collect.ImmutableList;
import dev.tidemark.examples.benchmarks.load.Peer;

/** Those that the suite compares. */
final class Peers {
  /** Option of a peer that only makes its input. */
  static final String SOURCE_ONLY = "sourceOnly";

  static final Peer ROWS = tidemark("Rows");
  static final Peer ROWS_TWO_PHASE = tidemark("Rows, two-phase", "twoPhase");
  static final Peer BATCHES = tidemark("ChangeBatches", "batches");
  static final Peer BATCHES_TWO_PHASE = tidemark("ChangeBatches, two-phase", "batches", "twoPhase");
  static final Peer RELEASED_ARROW = released("Arrow");
  static final Peer RELEASED_ARROW_REUSE = released("Arrow, object reuse", "reuse");
  static final Peer RELEASED_JSON = released("JSON", "json");
  static final Peer ROWS_SOURCE = tidemark("source of Rows", SOURCE_ONLY);
  static final Peer BATCHES_SOURCE = tidemark("source of ChangeBatches", "batches", SOURCE_ONLY);
  static final Peer RELEASED_SOURCE = released("source of RowData", SOURCE_ONLY);

  /** In an order that has those next to each other that are compared most closely. */
  static final ImmutableList<Peer> ALL =
      ImmutableList.of(
          ROWS_TWO_PHASE,
          ROWS,
          RELEASED_ARROW,
          BATCHES,
          BATCHES_TWO_PHASE,
          RELEASED_ARROW_REUSE,
          RELEASED_JSON,
          ROWS_SOURCE,
          BATCHES_SOURCE,
          RELEASED_SOURCE);

  private Peers() {}

  private static Peer tidemark(String label, String... options) {
    return peer("tidemark", label, "TidemarkDorisPeer", options);
  }

  private static Peer released(String label, String... options) {
    return peer("released connector", label, "ReleasedDorisPeer", options);
  }

  private static Peer peer(String name, String label, String mainClass, String... options) {
    return new Peer(
        name, label, Peers.class.getPackageName() + "." + mainClass, ImmutableList.copyOf(options));
  }
}
