package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.ImmutableList;

/**
 * One way to write the rows, run in a process of its own.
 *
 * @param name what is run, which also names its class path
 * @param label its options, for people
 * @param mainClass simple name of the class to run, in this package
 * @param options what the class is told to do differently, see {@link PeerSettings#has}
 */
record Peer(String name, String label, String mainClass, ImmutableList<String> options) {
  static final Peer TIDEMARK =
      new Peer("tidemark", "recommended", "TidemarkPeer", ImmutableList.of());
  static final Peer TIDEMARK_FACTS =
      new Peer(
          "tidemark", "recommended, event-time facts", "TidemarkPeer", ImmutableList.of("facts"));
  static final Peer TIDEMARK_METRICS =
      new Peer("tidemark", "Beam metrics", "TidemarkPeer", ImmutableList.of("metrics"));
  static final Peer TIDEMARK_METRICS_FACTS =
      new Peer(
          "tidemark",
          "Beam metrics, event-time facts",
          "TidemarkPeer",
          ImmutableList.of("metrics", "facts"));
  static final Peer NATIVE =
      new Peer("native FlinkSink", "default", "NativePeer", ImmutableList.of());
  static final Peer NATIVE_REUSE =
      new Peer("native FlinkSink", "object reuse", "NativePeer", ImmutableList.of("reuse"));
  static final Peer STOCK = new Peer("stock IcebergIO", "default", "StockPeer", ImmutableList.of());

  /** In an order that has those next to each other that are compared most closely. */
  static final ImmutableList<Peer> ALL =
      ImmutableList.of(
          NATIVE_REUSE,
          NATIVE,
          TIDEMARK,
          TIDEMARK_FACTS,
          TIDEMARK_METRICS,
          TIDEMARK_METRICS_FACTS,
          STOCK);

  /** Name of the system property that has the class path. */
  String classPathProperty() {
    return PeerSettings.PREFIX + "classPath." + mainClass;
  }
}
