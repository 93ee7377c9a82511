package dev.tidemark.examples.benchmarks.materializer;

import com.google.common.collect.ImmutableList;
import java.util.Locale;

/** Those compared. */
enum Peer {
  TIDEMARK,
  LEGACY,
  VALUE,
  MAP,
  ADAPTIVE;

  private static final String RELEASED = "dev.tidemark.peers.ReleasedMaterializers";

  boolean released() {
    return this != TIDEMARK;
  }

  String label() {
    return released() ? "Flink " + name() : "Tidemark";
  }

  String mainClass() {
    return released() ? RELEASED : TidemarkMaterializer.class.getName();
  }

  /** What its main class wants to know, beside the workload and the memory. */
  ImmutableList<String> arguments() {
    return released() ? ImmutableList.of(name().toLowerCase(Locale.ROOT)) : ImmutableList.of();
  }
}
