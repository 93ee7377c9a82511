package dev.tidemark.examples.benchmarks.endtoend;

import dev.tidemark.examples.benchmarks.load.Peer;

/**
 * What is run and measured.
 *
 * @param keys of the table, all of which are in state before events are measured
 */
record Trial(Peer peer, int parallelism, int keys) {
  @Override
  public String toString() {
    return peer.name()
        + ", "
        + peer.label()
        + ", parallelism "
        + parallelism
        + ", "
        + keys
        + " keys";
  }
}
