package dev.tidemark.examples.benchmarks.materializer;

import com.google.common.collect.ImmutableList;
import java.util.Locale;

/** Those compared. */
enum Peer {
  TIDEMARK("Tidemark"),
  /** The same, which takes and gives rows. */
  TIDEMARK_ROWS("Tidemark rows"),
  LEGACY("Flink LEGACY"),
  VALUE("Flink VALUE"),
  MAP("Flink MAP"),
  ADAPTIVE("Flink ADAPTIVE"),
  /** A Beam pipeline on embedded Flink, with the transform. */
  PIPELINE_WITH("pipeline with"),
  /** The same pipeline with batches and an exchange that do nothing in place of the transform. */
  PIPELINE_EMPTY("pipeline empty"),
  /** The same pipeline without the transform. */
  PIPELINE_WITHOUT("and without");

  /** System property that has the class path of pipelines, which need another release of Flink. */
  static final String PIPELINE_CLASS_PATH = "tidemark.benchmark.classPath.UpsertPipeline";

  private static final String RELEASED_CLASS = "dev.tidemark.peers.ReleasedMaterializers";
  private static final String PIPELINE_CLASS =
      "dev.tidemark.examples.benchmarks.upserts.UpsertPipeline";

  private final String label;

  Peer(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  boolean released() {
    return switch (this) {
      case LEGACY, VALUE, MAP, ADAPTIVE -> true;
      case TIDEMARK, TIDEMARK_ROWS, PIPELINE_WITH, PIPELINE_EMPTY, PIPELINE_WITHOUT -> false;
    };
  }

  /** Whether it emits what a materializer emits. */
  boolean materializes() {
    return this != PIPELINE_EMPTY && this != PIPELINE_WITHOUT;
  }

  boolean isPipeline() {
    return switch (this) {
      case PIPELINE_WITH, PIPELINE_EMPTY, PIPELINE_WITHOUT -> true;
      case TIDEMARK, TIDEMARK_ROWS, LEGACY, VALUE, MAP, ADAPTIVE -> false;
    };
  }

  String mainClass() {
    if (isPipeline()) {
      return PIPELINE_CLASS;
    }
    return released() ? RELEASED_CLASS : TidemarkMaterializer.class.getName();
  }

  String classPath() {
    return System.getProperty(isPipeline() ? PIPELINE_CLASS_PATH : "java.class.path");
  }

  /** What its main class wants to know, beside the workload and the memory. */
  ImmutableList<String> arguments() {
    return switch (this) {
      case TIDEMARK -> ImmutableList.of("bytes");
      case TIDEMARK_ROWS -> ImmutableList.of("rows");
      case LEGACY, VALUE, MAP, ADAPTIVE -> ImmutableList.of(name().toLowerCase(Locale.ROOT));
      case PIPELINE_WITH -> ImmutableList.of("with");
      case PIPELINE_EMPTY -> ImmutableList.of("empty");
      case PIPELINE_WITHOUT -> ImmutableList.of("without");
    };
  }
}
