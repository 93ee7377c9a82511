package dev.tidemark.examples.benchmarks.basemerge;

import com.google.common.collect.ImmutableList;
import dev.tidemark.examples.benchmarks.load.Peer;

/** Those that the suite compares. */
final class Peers {
  static final Peer TIDEMARK = peer("tidemark", "library call", "TidemarkMergePeer");
  static final Peer SPARK = peer("spark", "merge-on-read", "SparkMergePeer", "merge-on-read");
  static final Peer SPARK_COPYING =
      peer("spark", "copy-on-write", "SparkMergePeer", "copy-on-write");

  static final ImmutableList<Peer> ALL = ImmutableList.of(TIDEMARK, SPARK, SPARK_COPYING);

  private Peers() {}

  private static Peer peer(String name, String label, String mainClass, String... options) {
    return new Peer(
        name, label, Peers.class.getPackageName() + "." + mainClass, ImmutableList.copyOf(options));
  }
}
