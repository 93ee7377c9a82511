package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.ImmutableList;
import dev.tidemark.examples.benchmarks.load.Peer;

/** Those that the suite compares. */
final class Peers {
  static final Peer TIDEMARK = peer("tidemark", "recommended", "TidemarkPeer");
  static final Peer TIDEMARK_FACTS =
      peer("tidemark", "recommended, event-time facts", "TidemarkPeer", "facts");
  static final Peer TIDEMARK_METRICS = peer("tidemark", "Beam metrics", "TidemarkPeer", "metrics");
  static final Peer TIDEMARK_METRICS_FACTS =
      peer("tidemark", "Beam metrics, event-time facts", "TidemarkPeer", "metrics", "facts");
  static final Peer NATIVE = peer("native FlinkSink", "default", "NativePeer");
  static final Peer NATIVE_REUSE = peer("native FlinkSink", "object reuse", "NativePeer", "reuse");
  static final Peer STOCK = peer("stock IcebergIO", "default", "StockPeer");

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

  private Peers() {}

  private static Peer peer(String name, String label, String mainClass, String... options) {
    return new Peer(
        name, label, Peers.class.getPackageName() + "." + mainClass, ImmutableList.copyOf(options));
  }
}
