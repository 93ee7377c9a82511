package dev.tidemark.examples.benchmarks.endtoend;

import com.google.common.collect.ImmutableList;
import dev.tidemark.examples.benchmarks.load.Peer;

/** The jobs that the suite compares. */
final class Peers {
  static final Peer TIDEMARK = peer("tidemark", "change pipeline", "TidemarkJob");
  static final Peer FLINK_SQL = peer("flink sql", "with materializer", "FlinkSqlJob");
  static final Peer FLINK_SQL_CHEAP =
      peer("flink sql", "cheap metadata", "FlinkSqlJob", "cheapMetadata");
  static final Peer FLINK_SQL_PLAIN =
      peer("flink sql", "no materializer", "FlinkSqlJob", "withoutMaterializer");

  /** Those that are compared, the two that the last line is about next to each other. */
  static final ImmutableList<Peer> COMPARED =
      ImmutableList.of(TIDEMARK, FLINK_SQL, FLINK_SQL_CHEAP, FLINK_SQL_PLAIN);

  private Peers() {}

  private static Peer peer(String name, String label, String mainClass, String... options) {
    return new Peer(
        name, label, Peers.class.getPackageName() + "." + mainClass, ImmutableList.copyOf(options));
  }
}
